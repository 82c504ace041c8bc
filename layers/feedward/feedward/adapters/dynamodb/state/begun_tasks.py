"""Tasks that were begun and never ended: ports.BegunTasks over StateTable.

Only tasks of messages that a queue hands out again are counted, so that work which goes well writes nothing here.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from feedward.adapters.calls import Backoff
from feedward.adapters.dynamodb.state.state_rows import begun_key
from feedward.adapters.dynamodb.store.errors import Refusal
from feedward.adapters.dynamodb.store.keys import TableNames
from feedward.adapters.dynamodb.store.tables import Tables

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

# A message and those that follow from it are long over by then.
_KEPT_S: Final = 24 * 3600


class DynamoBegunTasks:
    """ports.BegunTasks. One object serves all threads."""

    def __init__(
        self,
        client: DynamoDBClient,
        names: TableNames,
        backoff: Backoff | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tables = Tables(client, names, backoff, monotonic)

    def begin(self, entry_id: str, *, now: int, within_s: float | None = None) -> int:
        """Add one, with one write. An attempt whose answer was lost counts twice: the task is doubted earlier."""
        tables = self._tables.within(within_s)
        row = tables.update(
            tables.names.state,
            begun_key(entry_id),
            None,
            assign={"expires_at": now + _KEPT_S},
            add={"begun": 1},
        )
        assert not isinstance(row, Refusal)  # no condition, no refusal
        return int(row["begun"])

    def end(self, entry_id: str, *, within_s: float | None = None) -> None:
        """Set the count to nought."""
        tables = self._tables.within(within_s)
        tables.update(tables.names.state, begun_key(entry_id), None, assign={"begun": 0})
