"""What a sweep reads and writes: ports.SweepStore over the due index of FeedsTable and StateTable (rule M1).

The same is done for every table with an index of that kind; `DynamoDueStore` is told which one.
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
    """ports.DueStore of an index. One object serves all threads."""

    def __init__(self, index: DueIndex[Due], tables: Tables) -> None:
        super().__init__(tables)
        self._index = index

    def shards(self) -> Sequence[SweepShard]:
        """Return how far each shard is, with one query."""
        return cursors.read_shards(self._tables, self._index.sweep)

    def due(self, shard: int, *, after: Cursor | None, until: int) -> DuePage[Due]:
        """Return what is due in a shard after the cursor: some hundreds, or all."""
        return due_page(self._tables, self._index, shard, after, until)

    def take_lease(self, seen: SweepShard, *, holder: str, until: int) -> SweepShard | None:
        """Take the shard, if it is still as it was seen; None if not."""
        return cursors.take_lease(self._tables, self._index.sweep, seen, holder, until)

    def move_cursor(
        self,
        held: SweepShard,
        *,
        cursor: Cursor | None,
        busy: Mapping[str, int],
        lease_until: int,
    ) -> SweepShard | None:
        """Say how far a held shard is; None if somebody took it meanwhile."""
        tables = self._tables
        return cursors.move_cursor(tables, self._index.sweep, held, cursor=cursor, busy=busy, lease_until=lease_until)

    def postpone(self, due_id: str, *, seen: int, to: int) -> bool:
        """Let something be due at `to`, if it is in the index at `seen` still: a new revision, as each write is."""
        tables, index = self._tables, self._index
        is_due_then = both(present(SHARD), equals(index.time_attribute, seen))
        assign, table = {index.time_attribute: to}, index.table(tables.names)
        return tables.change(table, index.key(due_id), is_due_then, assign=assign, increment=("rev",)) is None


class DynamoSweepStore(DynamoDueStore[DueFeed]):
    """ports.SweepStore: the feeds that are due."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(FEEDS, tables)
