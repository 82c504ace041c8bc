"""Counts attempts at tasks that never end: ports.BegunTasks over StateTable.

Only tasks of redelivered messages are counted, so successful work writes nothing here.
"""

from __future__ import annotations

from typing import Final

from feedward.adapters.dynamodb.state.state_rows import begun_key
from feedward.adapters.dynamodb.store.errors import Refusal
from feedward.adapters.dynamodb.store.tables import TableStore

# After this time the message and its follow-up messages have expired.
_KEPT_S: Final = 24 * 3600


class DynamoBegunTasks(TableStore):
    """ports.BegunTasks. Thread-safe."""

    def begin(self, entry_id: str, *, now: int) -> int:
        """Add one to the count, with one write. If a response is lost, the attempt counts twice, which is harmless."""
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
        """Set the count to 0."""
        tables = self._tables
        tables.update(tables.names.state, begun_key(entry_id), None, assign={"begun": 0})
