"""Where in its class a healthy feed's slot lies: just after the minute at which its items come. Pure.

A feed whose items come at no regular minute, or whose dates tell nothing, has a phase by the hash of its id
(rules S3 to S7, S12).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from math import ceil
from typing import Final, Self

from feedward.health.cadence import ITEMS, stated_at
from feedward.health.recent import Recent, RecentItem
from feedward.scheduling.jitter import stable_hash
from feedward.scheduling.slots import DAY_MIN, Slot

LEAST_TIMES: Final = 5
# A little too early costs a whole class: how far behind the learned minute a phase lies, and how far it is spread.
BEHIND_MIN: Final = 3
BEHIND_SHARE: Final = 0.05
SPREAD_SHARE: Final = 0.05
# A slot is moved only for a gain of this share of the class.
CLEAR_GAIN: Final = 0.15
# An item that came this much of a class after the check that should have seen it was a near miss.
NEAR_MISS: Final = 0.25
# A date that is older than this when we see the item is not the time at which it came, unless we see the feed for the
# first time.
LONGEST_LAG_S: Final = 26 * 3600
LONG_AGO_S: Final = 100 * 365 * DAY_MIN * 60
_FAIR_SHARE: Final = 1.3
_FEW: Final = 2


class MinuteLoads:
    """How many feeds are due at each minute of the day."""

    def __init__(self, by_minute: Sequence[int]) -> None:
        self._by_minute = list(by_minute)
        self._total = sum(self._by_minute)

    @classmethod
    def of(cls, slots: Iterable[Slot]) -> Self:
        """Return the loads of slots."""
        loads = cls([0] * DAY_MIN)
        for slot in slots:
            loads.add(slot)
        return loads

    def add(self, slot: Slot, feeds: int = 1) -> None:
        """Add feeds to a slot, or take them from it."""
        for minute in range(slot.phase, DAY_MIN, slot.every):
            self._by_minute[minute] += feeds
        self._total += feeds * (DAY_MIN // slot.every)

    def most(self, slot: Slot) -> int:
        """Return the feeds that are due at the fullest minute of a slot."""
        return max(self._by_minute[slot.phase :: slot.every])

    def has_room(self, slot: Slot) -> bool:
        """Tell whether each minute of a slot has less than its fair share, which a minute may exceed by a third."""
        return self.most(slot) < self._total / DAY_MIN * _FAIR_SHARE + _FEW


def seen_times(recent: Recent, every: int | None = None) -> list[int]:
    """Return when we could first see the items of `recent`, newest first; those whose dates tell nothing are left out.

    That is an item's own date, unless it is a midnight, in the future, shared with another item, or older at first
    sight than a check can be late. `every` is the class in which the items were found: one that the check before it
    narrowly missed came after that check (rules S3, S4).
    """
    dates = Counter(stated_at(each.item) for each in recent.items)
    at_first = min((each.first_seen_at for each in recent.items), default=0)
    found = [(each, at) for each in recent.items if (at := stated_at(each.item)) is not None and dates[at] == 1]
    longest_lag_s = LONGEST_LAG_S if every is None else int(every * 60 * (1 + NEAR_MISS))
    came = [
        _came_at(each, at, every)
        for each, at in found
        if _tells(at, each.first_seen_at, LONG_AGO_S if each.first_seen_at == at_first else longest_lag_s)
    ]
    return sorted(came, reverse=True)


def wanted_slot(
    feed_id: str,
    every: int,
    now: int,
    *,
    times: Sequence[int] | None,
    current: Slot | None,
    loads: MinuteLoads | None = None,
) -> Slot:
    """Return the slot of a feed with the class `every` that was checked at `now`.

    `times` are when we could first see its last items, newest first (seen_times); None where no document is at hand. A
    slot is kept, but for a clear gain. One that is not learned is due next between two thirds of the class and the
    class after `now`, so that no feed waits by exception, at minutes of the slot before where that is possible.
    """
    came = _CameAt(every, times or ())
    learned = came.learned(feed_id) if came.is_enough else None
    if current is not None and current.every == every:
        return current if learned is None else _moved(current, learned, came, loads)
    if learned is not None and every / 2 - came.delay_min(learned) >= CLEAR_GAIN * every:
        return _placed(every, learned, loads)
    kept = None if current is None else _kept(current, every, now)
    return kept or _placed(every, _by_hash(feed_id, every, now), loads)


def _came_at(each: RecentItem, at: int, every: int | None) -> int:
    """Its date; of an item that the check before narrowly missed, the time of that check."""
    checked_before = each.first_seen_at - (every or DAY_MIN) * 60
    is_near_miss = every is not None and 0 < checked_before - at <= NEAR_MISS * every * 60
    return checked_before if is_near_miss else at


def _tells(at: int, first_seen_at: int, longest_lag_s: int) -> bool:
    """Whether a date can be the time at which an item came."""
    return at % (DAY_MIN * 60) != 0 and 0 <= first_seen_at - at <= longest_lag_s


class _CameAt:
    """The times of the last items within a class: sorted seconds from its begin."""

    def __init__(self, every: int, times: Sequence[int]) -> None:
        self._every_s = every * 60
        self._seconds = sorted(at % self._every_s for at in islice(times, ITEMS))

    @property
    def is_enough(self) -> bool:
        """True if there are enough times to learn from."""
        return len(self._seconds) >= LEAST_TIMES

    def delay_min(self, phase: int) -> float:
        """Return how many minutes after an item a phase is due on average."""
        count = len(self._seconds)
        missed = count - bisect_right(self._seconds, phase * 60)
        return (phase * 60 + (self._every_s * missed - sum(self._seconds)) / count) / 60

    def learned(self, feed_id: str) -> int:
        """Return the phase behind the minute with the least mean delay, spread a little by hash."""
        every = self._every_s // 60
        best = min(sorted({-(-at // 60) % every for at in self._seconds}), key=self.delay_min)
        behind = BEHIND_MIN + ceil(every * BEHIND_SHARE)
        return (best + behind + stable_hash(feed_id) % (int(every * SPREAD_SHARE) + 1)) % every


def _moved(current: Slot, learned: int, came: _CameAt, loads: MinuteLoads | None) -> Slot:
    """The slot at the learned phase, if that gains enough even where it has room."""
    before, least = came.delay_min(current.phase), CLEAR_GAIN * current.every
    if before - came.delay_min(learned) < least:
        return current
    moved = _placed(current.every, learned, loads)
    return moved if before - came.delay_min(moved.phase) >= least else current


def _kept(current: Slot, every: int, now: int) -> Slot | None:
    """The slot of another class at a minute of the one before, if it is due in time."""
    due = (current.last_at(now) // 60 + every) if every > current.every else current.next_at(now + 1) // 60
    kept = Slot(every=every, phase=due % every)
    return kept if kept.next_at(now + 1) >= now + kept.least_s else None


def _by_hash(feed_id: str, every: int, now: int) -> int:
    """A phase that is due from two thirds of the class on, and at most the class after `now`."""
    first, last = -(-(now + every * 40) // 60), now // 60 + every
    return (first + stable_hash(feed_id) % (last - first + 1)) % every


def _placed(every: int, phase: int, loads: MinuteLoads | None) -> Slot:
    """The slot at a phase, or at the next one whose minutes have room; the emptiest where none has."""
    slots = [Slot(every=every, phase=(phase + further) % every) for further in range(every if loads else 1)]
    if loads is None:
        return slots[0]
    return next(filter(loads.has_room, slots), None) or min(slots, key=loads.most)
