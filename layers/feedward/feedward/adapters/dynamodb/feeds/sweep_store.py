"""Due feeds and their sweep cursors: ports.SweepStore over the due index of FeedsTable and StateTable (rule M1).

`DynamoDueStore` does this for any table with a due index.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Generic, TypeVar

from feedward.adapters.dynamodb.state import cursors
from feedward.adapters.dynamodb.state.state_rows import SWEEP
from feedward.adapters.dynamodb.store.due_index import SHARD, DueIndex, due_page
from feedward.adapters.dynamodb.store.keys import feed_key
from feedward.adapters.dynamodb.store.tables import Tables, TableStore
from feedward.adapters.dynamodb.store.transaction import both, equals, present
from feedward.health.due_feed import DueFeed
from feedward.scheduling.cursors import Cursor, DuePage, SweepShard

FEEDS: Final = DueIndex(
    table=lambda names: names.feeds,
    id_attribute="feed_id",
    time_attribute="next_check_at",
    key=feed_key,
    read=DueFeed.from_message,
    sweep=SWEEP,
)

Due = TypeVar("Due")


class DynamoDueStore(TableStore, Generic[Due]):
    """ports.DueStore of an index. Thread-safe."""

    def __init__(self, index: DueIndex[Due], tables: Tables) -> None:
        super().__init__(tables)
        self._index = index

    def shards(self) -> Sequence[SweepShard]:
        """Return the cursor and lease of each shard, with one query."""
        return cursors.read_shards(self._tables, self._index.sweep)

    def due(self, shard: int, *, after: Cursor | None, until: int) -> DuePage[Due]:
        """Return a page of the entries that are due in a shard after the cursor."""
        return due_page(self._tables, self._index, shard, after, until)

    def take_lease(self, seen: SweepShard, *, holder: str, until: int) -> SweepShard | None:
        """Take the lease of a shard with optimistic locking. Returns None if another sweep was faster."""
        return cursors.take_lease(self._tables, self._index.sweep, seen, holder, until)

    def move_cursor(
        self,
        held: SweepShard,
        *,
        cursor: Cursor | None,
        busy: Mapping[str, int],
        lease_until: int,
    ) -> SweepShard | None:
        """Store the cursor of a held shard. Returns None if the lease was lost."""
        tables = self._tables
        return cursors.move_cursor(tables, self._index.sweep, held, cursor=cursor, busy=busy, lease_until=lease_until)

    def postpone(self, due_id: str, *, seen: int, to: int) -> bool:
        """Reschedule an entry from `seen` to `to`, and increment its rev. Returns False if it is not due at `seen`."""
        tables, index = self._tables, self._index
        is_due_then = both(present(SHARD), equals(index.time_attribute, seen))
        assign, table = {index.time_attribute: to}, index.table(tables.names)
        return tables.change(table, index.key(due_id), is_due_then, assign=assign, increment=("rev",)) is None


class DynamoSweepStore(DynamoDueStore[DueFeed]):
    """ports.SweepStore: the due index of feeds."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(FEEDS, tables)
