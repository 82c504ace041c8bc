"""Due feeds and the cursors of their sweeps, over the indexes of FeedsTable and StateTable (rules M1, S2).

`DynamoDueStore` does this for any table with a due index.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Generic, TypeVar

from feedward.adapters.dynamodb.feeds.health_items import due_attributes
from feedward.adapters.dynamodb.state import sweep_cursors
from feedward.adapters.dynamodb.state.state_rows import SLOT_SWEEP, SWEEP
from feedward.adapters.dynamodb.store.due_index import SHARD, DueIndex, due_page
from feedward.adapters.dynamodb.store.keys import feed_key
from feedward.adapters.dynamodb.store.tables import Tables, TableStore
from feedward.adapters.dynamodb.store.transaction import both, equals, present
from feedward.health.due_feed import SLOT, SLOT_FROM, DueFeed
from feedward.scheduling.slots import SLOT_SHARDS, Place, Slot
from feedward.scheduling.sweep_cursors import Cursor, DuePage, SweepShard

FEEDS: Final = DueIndex(
    table=lambda names: names.feeds,
    id_attribute="feed_id",
    time_attribute="next_check_at",
    key=feed_key,
    read=DueFeed.from_message,
    sweep=SWEEP,
)
SLOTS: Final = DueIndex(
    table=lambda names: names.feeds,
    id_attribute="feed_id",
    time_attribute=SLOT_FROM,
    key=feed_key,
    read=DueFeed.from_message,
    sweep=SLOT_SWEEP,
    name="slots",
    shard_attribute=SLOT,
)

Due = TypeVar("Due")


class DynamoDueStore(TableStore, Generic[Due]):
    """ports.DueStore of an index. Thread-safe."""

    def __init__(self, index: DueIndex[Due], tables: Tables) -> None:
        super().__init__(tables)
        self._index = index

    def shards(self) -> Sequence[SweepShard]:
        """Return the cursor and lease of each shard, with one query."""
        return sweep_cursors.read_shards(self._tables, self._index.sweep)

    def due(self, shard: int, *, after: Cursor | None, until: int) -> DuePage[Due]:
        """Return a page of the entries that are due in a shard after the cursor."""
        return due_page(self._tables, self._index, shard, after, until)

    def take_lease(self, seen: SweepShard, *, holder: str, until: int) -> SweepShard | None:
        """Take the lease of a shard with optimistic locking. Returns None if another sweep was faster."""
        return sweep_cursors.take_lease(self._tables, self._index.sweep, seen, holder, until)

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
        return sweep_cursors.move_cursor(
            tables, self._index.sweep, held, cursor=cursor, busy=busy, lease_until=lease_until
        )

    def postpone(self, due_id: str, *, seen: int, to: int) -> bool:
        """Reschedule an entry from `seen` to `to`, and increment its rev. Returns False if it is not due at `seen`."""
        tables, index = self._tables, self._index
        is_due_then = both(present(SHARD), equals(index.time_attribute, seen))
        assign, table = {index.time_attribute: to}, index.table(tables.names)
        return tables.change(table, index.key(due_id), is_due_then, assign=assign, increment=("rev",)) is None


class DynamoSweepStore(DynamoDueStore[DueFeed]):
    """ports.SweepStore: the index of the feeds that are due by exception."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(FEEDS, tables)

    def reschedule(self, feed: DueFeed, to: int) -> bool:
        """Make a feed due by exception at `to`, and increment its rev. Returns False if its due time has changed."""
        if feed.place.slot is None:
            return self.postpone(feed.feed_id, seen=feed.place.from_s, to=to)
        is_there = both(equals(SLOT, feed.place.slot.key), equals(SLOT_FROM, feed.place.from_s))
        due = due_attributes(Place(from_s=to), feed.host)
        assign = {name: value for name, value in due.items() if value is not None}
        table, remove = self._tables.names.feeds, sorted(due.keys() - assign.keys())
        key = feed_key(feed.feed_id)
        return self._tables.change(table, key, is_there, assign=assign, increment=("rev",), remove=remove) is None


class DynamoSlotStore(TableStore):
    """ports.SlotStore: the index `slots` of feeds, and the row of StateTable with the last minutes sent."""

    def minutes(self) -> Sequence[SweepShard]:
        """Return the last minutes sent, and their leases, of the short and the long classes."""
        return sweep_cursors.read_shards(self._tables, SLOT_SWEEP, SLOT_SHARDS)

    def due(self, slot: Slot, *, after: Cursor | None, until: int) -> DuePage[DueFeed]:
        """Return a page of the feeds of a slot after the cursor."""
        return due_page(self._tables, SLOTS, slot.key, after, until)

    def take_lease(self, seen: SweepShard, *, holder: str, until: int) -> SweepShard | None:
        """Take the lease of a shard with optimistic locking. Returns None if another sweep was faster."""
        return sweep_cursors.take_lease(self._tables, SLOT_SWEEP, seen, holder, until)

    def move_cursor(
        self, held: SweepShard, *, cursor: Cursor | None, busy: Mapping[str, int], lease_until: int
    ) -> SweepShard | None:
        """Store the last minute sent. Returns None if the lease was lost."""
        return sweep_cursors.move_cursor(
            self._tables, SLOT_SWEEP, held, cursor=cursor, busy=busy, lease_until=lease_until
        )
