"""Due frontier rows and their sweep cursors: ports.RowSweepStore over FrontierTable and StateTable (rule M1)."""

from __future__ import annotations

from typing import Final

from feedward.adapters.dynamodb.feeds.sweep_store import DynamoDueStore
from feedward.adapters.dynamodb.frontier.row_items import row_of
from feedward.adapters.dynamodb.state.state_rows import ROW_SWEEP
from feedward.adapters.dynamodb.store.due_index import DueIndex
from feedward.adapters.dynamodb.store.keys import row_key
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.frontier.row import FrontierRow

ROWS: Final = DueIndex(
    table=lambda names: names.frontier,
    id_attribute="row_id",
    time_attribute="next_fetch_at",
    key=row_key,
    read=row_of,
    sweep=ROW_SWEEP,
)


class DynamoRowSweepStore(DynamoDueStore[FrontierRow]):
    """ports.RowSweepStore. Its cursors have their own partition."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(ROWS, tables)
