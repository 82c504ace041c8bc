"""Tasks that were begun and never ended: ports.BegunTasks over StateTable.

Only tasks of messages that a queue hands out again are counted, so that work which goes well writes nothing here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from feedward.adapters.dynamodb.state.state_rows import begun_key
from feedward.adapters.dynamodb.store.errors import Refusal
from feedward.adapters.dynamodb.store.tables import TableStore

if TYPE_CHECKING:
    pass

# A message and those that follow from it are long over by then.
_KEPT_S: Final = 24 * 3600


class DynamoBegunTasks(TableStore):
    """ports.BegunTasks. One object serves all threads."""

    def begin(self, entry_id: str, *, now: int) -> int:
        """Add one, with one write. An attempt whose answer was lost counts twice: the task is doubted earlier."""
        tables = self._tables
        row = tables.update(
            tables.names.state,
            begun_key(entry_id),
            None,
            assign={"expires_at": now + _KEPT_S},
            add={"begun": 1},
        )
        assert not isinstance(row, Refusal)  # no condition, no refusal
        return int(row["begun"])

    def end(self, entry_id: str) -> None:
        """Set the count to nought."""
        tables = self._tables
        tables.update(tables.names.state, begun_key(entry_id), None, assign={"begun": 0})
