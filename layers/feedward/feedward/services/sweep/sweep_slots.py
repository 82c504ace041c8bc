"""Sends the feeds that are due in their slots, on the engine of the sweep (rules M1, S2, S11).

Its two shards are the short and the long classes. A shard's cursor is a minute and a place in it: each minute is
claimed and sent, then the cursor moves on. After a pause the sweep sends the minutes that it missed.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from feedward.deadline import Deadline
from feedward.errors import FeedwardError
from feedward.health.due_feed import DueFeed
from feedward.ports import Clock, SlotLoads, SlotStore, SweepStore, WorkQueue
from feedward.scheduling.slots import Slot, due_slots
from feedward.scheduling.sweep_cursors import Cursor, DuePage, SweepShard
from feedward.services.sweep.sweep import DEFAULT_S, FEED_PACE, SweepReport, sweep, sweep_due

_PAGE_FEEDS: Final = 500
_PAGE_SLOTS: Final = 300
# Sorts after every feed of a minute.
_END: Final = "~"


# The part of the time that the slots may take, so that entries due by exception always get time.
_SLOTS_PART: Final = 0.7


def sweep_feeds(
    *,
    slots: SlotStore,
    store: SweepStore,
    loads: SlotLoads,
    queue: WorkQueue,
    clock: Clock,
    within_s: float = DEFAULT_S,
) -> SweepReport:
    """Send every feed that is due now and was not sent yet: those in their slots, then those by exception.

    Ends within `within_s` seconds. A shard that fails is left to the next sweep. The number of feeds due in the current
    minute is stored in `loads` (rule S6). Raises the errors of the store if the shards cannot be read.
    """
    began, minute = clock.monotonic(), clock.now() // 60
    dues = SlotDues(slots=slots, sweeps=store)
    busy: dict[str, int] = {}
    in_slots = sweep_due(FEED_PACE, store=dues, queue=queue, clock=clock, within_s=within_s * _SLOTS_PART, busy=busy)
    left_s = within_s - (clock.monotonic() - began)
    if dues.found[minute]:
        with contextlib.suppress(FeedwardError):  # only the spreading of feeds depends on it
            loads.within(Deadline.after(left_s)).record(minute, dues.found[minute])
    return in_slots.with_more(sweep(store=store, queue=queue, clock=clock, within_s=left_s, busy=busy))


@dataclass(slots=True, kw_only=True)
class SlotDues:
    """Implements DueStore over the slots: a position is a minute, and in it the slot's class and the feed.

    `sweeps` gets the feeds that exceed the messages of their minute: they are due by exception. `found` counts the
    feeds that were read, by minute.
    """

    slots: SlotStore
    sweeps: SweepStore
    found: Counter[int] = field(default_factory=Counter)
    _page: dict[str, DueFeed] = field(default_factory=dict)

    def within(self, deadline: Deadline) -> SlotDues:
        """Return the same with stores that keep to the deadline; both share the read data."""
        return replace(self, slots=self.slots.within(deadline), sweeps=self.sweeps.within(deadline))

    def shards(self) -> Sequence[SweepShard]:
        """Return the cursors and leases of the short and of the long classes."""
        return self.slots.minutes()

    def due(self, shard: int, *, after: Cursor | None, until: int) -> DuePage[DueFeed]:
        """Return a page of the feeds that are due in minutes after the cursor, up to `until`.

        A page ends after 500 feeds, or after 300 slots: the missed slots of a day are sent in steps.
        """
        self._page.clear()
        places: list[Cursor] = []
        unreadable = 0
        looked = 0
        for minute, slot in due_slots(shard, after.due_at // 60 if after else None, until // 60):
            if after is not None and _is_behind(minute, slot, after):
                continue
            looked += 1
            for page in self._pages(minute, slot, after):
                unreadable += page.unreadable
                self.found[minute] += len(page.due)
                for place, feed in zip(page.places, page.due, strict=True):
                    places.append(_place(minute, slot, place))
                    self._page[places[-1].due_id] = replace(feed, minute=minute)
                if len(places) >= _PAGE_FEEDS:
                    return self._as_page(places, places[-1], unreadable, is_last=False)
            if looked >= _PAGE_SLOTS:
                return self._as_page(places, _end_of(minute, slot), unreadable, is_last=False)
        end = Cursor(due_at=until // 60 * 60, due_id=_END)
        is_new = after is None or end > after
        return self._as_page(places, end if is_new else None, unreadable, is_last=True)

    def take_lease(self, seen: SweepShard, *, holder: str, until: int) -> SweepShard | None:
        """Claim the minutes of a shard. Returns None if another sweep was faster."""
        return self.slots.take_lease(seen, holder=holder, until=until)

    def move_cursor(
        self, held: SweepShard, *, cursor: Cursor | None, busy: Mapping[str, int], lease_until: int
    ) -> SweepShard | None:
        """Store the cursor. Returns None if the claim was lost."""
        return self.slots.move_cursor(held, cursor=cursor, busy=busy, lease_until=lease_until)

    def postpone(self, due_id: str, *, seen: int, to: int) -> bool:  # noqa: ARG002 - the page knows the feed's place
        """Make a feed of the last page due by exception at `to`. Returns False if it left its slot meanwhile."""
        return self.sweeps.reschedule(self._page[due_id], to)

    def _pages(self, minute: int, slot: Slot, after: Cursor | None) -> Iterator[DuePage[DueFeed]]:
        inner = _inner(after) if after is not None and _is_inside(minute, slot, after) else None
        while True:
            page = self.slots.due(slot, after=inner, until=minute * 60)
            yield page
            if page.is_last:
                return
            inner = page.end

    def _as_page(
        self, places: Sequence[Cursor], end: Cursor | None, unreadable: int, *, is_last: bool
    ) -> DuePage[DueFeed]:
        due = tuple(self._page[place.due_id] for place in places)
        return DuePage(due=due, places=tuple(places), end=end, is_last=is_last, unreadable=unreadable)


def _place(minute: int, slot: Slot, place: Cursor) -> Cursor:
    return Cursor(due_at=minute * 60, due_id=f"{slot.every:04d}#{place.due_at:011d}#{place.due_id}")


def _end_of(minute: int, slot: Slot) -> Cursor:
    """The position after the slot's feeds in this minute."""
    return Cursor(due_at=minute * 60, due_id=f"{slot.every:04d}{_END}")


def _inner(after: Cursor) -> Cursor:
    _, from_s, feed_id = after.due_id.split("#", 2)
    return Cursor(due_at=int(from_s), due_id=feed_id)


def _is_inside(minute: int, slot: Slot, after: Cursor) -> bool:
    return (after.due_at // 60, after.due_id[:4]) == (minute, f"{slot.every:04d}") and "#" in after.due_id


def _is_behind(minute: int, slot: Slot, after: Cursor) -> bool:
    """Return whether all of the slot's feeds in this minute were sent."""
    is_behind = after.due_id[:4] > f"{slot.every:04d}" or after == _end_of(minute, slot)
    return after.due_at // 60 == minute and is_behind
