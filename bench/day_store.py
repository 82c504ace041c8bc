"""The counted store and queue of the simulated day: the sweep's reads, writes and messages, without a network."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from feedward.deadline import Deadline
from feedward.health.due_feed import DueFeed, HealthMessage
from feedward.health.feed_health import FeedHealth
from feedward.health.phase import MinuteLoads
from feedward.ports.work import Message
from feedward.scheduling.shards import DUE_SHARDS, due_shard
from feedward.scheduling.slots import DAY_MIN, SLOT_SHARDS, Place, Slot
from feedward.scheduling.sweep_cursors import Cursor, DuePage, SweepShard

PAGE_FEEDS = 500
# A change of place writes FEED, deletes an index entry and adds another.
UNITS_A_CHANGE = 3


@dataclass(slots=True, kw_only=True)
class Counts:
    """The store's counters: calls, entries read, and units written."""

    queries: int = 0
    entries: int = 0
    cursor_units: int = 0
    feed_units: int = 0


class Directory:
    """The feeds of the day. Only the needed data of each is kept: host, slot, and a time if it is an exception."""

    def __init__(self, hosts: Sequence[str], slots: Sequence[Slot]) -> None:
        self.hosts = hosts
        self.slots = list(slots)
        self._of_slot: dict[Slot, list[int]] = defaultdict(list)
        for number, slot in enumerate(slots):
            self._of_slot[slot].append(number)
        self.exceptions: dict[int, int] = {}

    def feed(self, number: int) -> DueFeed:
        """Return a feed as in an index."""
        host, at = self.hosts[number], self.exceptions.get(number)
        place = Place(from_s=0, slot=self.slots[number]) if at is None else Place(from_s=at)
        feed_id = f"01JNE3T8{number:018d}"
        url = f"https://{host}/{number}/feed.xml"
        health = FeedHealth(feed_id=feed_id, median_gap_s=self.slots[number].every_s, last_success_at=0)
        return DueFeed(
            feed_id=feed_id, url=url, url_hash=f"{number:064x}", host=host, rev=1, place=place, health=health
        )

    def in_slot(self, slot: Slot, after: str | None) -> tuple[list[int], bool]:
        """Return a page of the feeds of a slot, and whether it is the last."""
        numbers = self._of_slot.get(slot, [])
        first = 0 if after is None else bisect_right(numbers, number_of(after))
        page = [each for each in numbers[first : first + PAGE_FEEDS] if each not in self.exceptions]
        return page, first + PAGE_FEEDS >= len(numbers)


def number_of(feed_id: str) -> int:
    """Return the number of a feed by its id."""
    return int(feed_id.removeprefix("01JNE3T8"))


@dataclass(slots=True, kw_only=True)
class Shards:
    """Cursors and leases of a sweep."""

    counts: Counts
    shards: dict[int, SweepShard]

    @classmethod
    def of(cls, counts: Counts, number: int, swept_until: int) -> Shards:
        """Return `number` shards that were swept up to a time."""
        cursor = Cursor(due_at=swept_until, due_id="~")
        return cls(counts=counts, shards={shard: SweepShard(shard=shard, cursor=cursor) for shard in range(number)})

    def read(self) -> Sequence[SweepShard]:
        """Return all shards, by one query."""
        self.counts.queries += 1
        return list(self.shards.values())

    def take(self, seen: SweepShard, holder: str, until: int) -> SweepShard | None:
        """Take a lease, if the shard is unchanged."""
        return self._write(seen, replace(seen, rev=seen.rev + 1, holder=holder, lease_until=until))

    def move(
        self, held: SweepShard, cursor: Cursor | None, busy: Mapping[str, int], lease_until: int
    ) -> SweepShard | None:
        """Move a cursor, if the shard is unchanged."""
        return self._write(held, replace(held, rev=held.rev + 1, cursor=cursor, busy=busy, lease_until=lease_until))

    def _write(self, seen: SweepShard, new: SweepShard) -> SweepShard | None:
        self.counts.cursor_units += 1
        if self.shards[seen.shard].rev != seen.rev:
            return None
        self.shards[seen.shard] = new
        return new


@dataclass(slots=True, kw_only=True)
class CountedSlots:
    """Implements SlotStore over the directory of the day."""

    directory: Directory
    counts: Counts
    cursors: Shards

    def within(self, _: Deadline) -> CountedSlots:
        """Return itself: calls take no time here."""
        return self

    def minutes(self) -> Sequence[SweepShard]:
        """Return the last sent minutes."""
        return self.cursors.read()

    def due(self, slot: Slot, *, after: Cursor | None, until: int) -> DuePage[DueFeed]:  # noqa: ARG002 - all count
        """Return a page of the feeds of a slot."""
        self.counts.queries += 1
        numbers, is_last = self.directory.in_slot(slot, after.due_id if after else None)
        self.counts.entries += len(numbers)
        return _page([self.directory.feed(each) for each in numbers], is_last=is_last)

    def take_lease(self, seen: SweepShard, *, holder: str, until: int) -> SweepShard | None:
        """Claim the minutes of a shard."""
        return self.cursors.take(seen, holder, until)

    def move_cursor(
        self, held: SweepShard, *, cursor: Cursor | None, busy: Mapping[str, int], lease_until: int
    ) -> SweepShard | None:
        """Store the cursor."""
        return self.cursors.move(held, cursor, busy, lease_until)


@dataclass(slots=True, kw_only=True)
class CountedExceptions:
    """Implements SweepStore over the directory of the day."""

    directory: Directory
    counts: Counts
    cursors: Shards

    def within(self, _: Deadline) -> CountedExceptions:
        """Return itself: calls take no time here."""
        return self

    def shards(self) -> Sequence[SweepShard]:
        """Return the cursor and lease of each shard."""
        return self.cursors.read()

    def due(self, shard: int, *, after: Cursor | None, until: int) -> DuePage[DueFeed]:
        """Return the feeds of a shard that are due by exception."""
        self.counts.queries += 1
        hosts = self.directory.hosts
        due = [
            self.directory.feed(number)
            for number, at in self.directory.exceptions.items()
            if at <= until and due_shard(hosts[number]) == shard
        ]
        due = [feed for feed in due if after is None or Cursor(due_at=feed.place.from_s, due_id=feed.feed_id) > after]
        self.counts.entries += len(due)
        return _page(sorted(due, key=lambda feed: (feed.place.from_s, feed.feed_id)), is_last=True)

    def take_lease(self, seen: SweepShard, *, holder: str, until: int) -> SweepShard | None:
        """Take the lease of a shard."""
        return self.cursors.take(seen, holder, until)

    def move_cursor(
        self, held: SweepShard, *, cursor: Cursor | None, busy: Mapping[str, int], lease_until: int
    ) -> SweepShard | None:
        """Store the cursor of a shard."""
        return self.cursors.move(held, cursor, busy, lease_until)

    def postpone(self, due_id: str, *, seen: int, to: int) -> bool:
        """Postpone a feed that is due by exception."""
        number = number_of(due_id)
        if self.directory.exceptions.get(number) != seen:
            return False
        return self._move(number, to)

    def reschedule(self, feed: DueFeed, to: int) -> bool:
        """Make a feed due by exception."""
        return self._move(number_of(feed.feed_id), to)

    def _move(self, number: int, to: int) -> bool:
        self.directory.exceptions[number] = to
        self.counts.feed_units += UNITS_A_CHANGE
        return True


@dataclass(slots=True, kw_only=True)
class CountedLoads:
    """Implements SlotLoads: each minute is one write."""

    counts: Counts
    by_minute: list[int] = field(default_factory=lambda: [0] * DAY_MIN)

    def within(self, _: Deadline) -> CountedLoads:
        """Return itself: calls take no time here."""
        return self

    def record(self, minute: int, feeds: int) -> None:
        """Store the number of feeds due at a minute."""
        self.counts.cursor_units += 1
        self.by_minute[minute % DAY_MIN] = feeds

    def read(self) -> MinuteLoads:
        """Return the loads of the day."""
        return MinuteLoads(self.by_minute)


@dataclass(slots=True, kw_only=True)
class CountedQueue:
    """Implements WorkQueue: the messages of the day, by the minute in which they can be read."""

    calls: int = 0
    messages: int = 0
    by_minute: dict[int, list[HealthMessage]] = field(default_factory=lambda: defaultdict(list))

    def within(self, _: Deadline) -> CountedQueue:
        """Return itself: calls take no time here."""
        return self

    def send_batch(self, messages: Sequence[Message]) -> Sequence[Message]:
        """Accept all messages, ten per call."""
        self.calls += -(-len(messages) // 10)
        self.messages += len(messages)
        for message in messages:
            if isinstance(message, HealthMessage):
                self.by_minute[message.sent_at // 60].append(message)
        return messages


def day_stores(directory: Directory, swept_until: int) -> tuple[Counts, CountedSlots, CountedExceptions, CountedLoads]:
    """Return the stores of a directory that was swept up to a minute, and their counters."""
    counts = Counts()
    slots = CountedSlots(directory=directory, counts=counts, cursors=Shards.of(counts, SLOT_SHARDS, swept_until))
    exceptions = CountedExceptions(
        directory=directory, counts=counts, cursors=Shards.of(counts, DUE_SHARDS, swept_until)
    )
    return counts, slots, exceptions, CountedLoads(counts=counts)


def busiest(requests: Iterable[tuple[str, int]]) -> int:
    """Return the maximum number of requests to one host in one minute; `requests` are pairs of host and minute."""
    return max(Counter(requests).values(), default=0)


def _page(feeds: Sequence[DueFeed], *, is_last: bool) -> DuePage[DueFeed]:
    places = tuple(Cursor(due_at=feed.place.from_s, due_id=feed.feed_id) for feed in feeds)
    return DuePage(due=tuple(feeds), places=places, end=places[-1] if places else None, is_last=is_last)
