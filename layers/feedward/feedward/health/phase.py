"""The phase of a healthy feed's slot in its class: just after the minute at which its items appear. Pure.

A feed whose items appear at no regular minute, or whose dates are unusable, has a phase by the hash of its id
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
from feedward.health.recent_items import Recent, RecentItem
from feedward.scheduling.jitter import stable_hash
from feedward.scheduling.slots import DAY_MIN, Slot

LEAST_TIMES: Final = 5
# How far a phase lies after the learned minute, and how far it is spread: a phase a little too early costs a class.
BEHIND_MIN: Final = 3
BEHIND_SHARE: Final = 0.05
SPREAD_SHARE: Final = 0.05
MOST_SPREAD_MIN: Final = 10
# A slot is moved only for a gain of this share of the class.
CLEAR_GAIN: Final = 0.12
BY_EXCEPTION_FROM_MIN: Final = 480
# An item dated at most this share of a class before a check that did not see it was a near miss.
NEAR_MISS: Final = 0.25
# A date that is older than this when we see the item is not the time at which it appeared, unless we see the feed for
# the first time.
LONGEST_LAG_S: Final = 26 * 3600
LONG_AGO_S: Final = 100 * 365 * DAY_MIN * 60
_FAIR_SHARE: Final = 1.3
_FEW: Final = 2


class MinuteLoads:
    """The number of feeds due at each minute of the day."""

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
        """Add feeds to a slot, or remove them (a negative number)."""
        for minute in range(slot.phase, DAY_MIN, slot.every):
            self._by_minute[minute] += feeds
        self._total += feeds * (DAY_MIN // slot.every)

    def most(self, slot: Slot) -> int:
        """Return the number of feeds due at the fullest minute of a slot."""
        return max(self._by_minute[slot.phase :: slot.every])

    def has_room(self, slot: Slot) -> bool:
        """Tell whether each minute of a slot has less than its fair share, which a minute may exceed by a third."""
        return self.most(slot) < self._total / DAY_MIN * _FAIR_SHARE + _FEW


def seen_times(recent: Recent, every: int | None = None) -> list[int]:
    """Return when we could first see the items of `recent`, newest first, without items whose dates are unusable.

    That is an item's own date, unless it is a midnight, in the future, shared with another item, or older at first
    sight than a check can be late. `every` is the class in which the items were found: an item that the previous check
    narrowly missed counts as published at that check (rules S3, S4).
    """
    dated = [(each, stated_at(each.item)) for each in recent.items]
    dates = Counter([at for _, at in dated])
    at_first = min([each.first_seen_at for each in recent.items], default=0)
    found = [(each, at) for each, at in dated if at is not None and dates[at] == 1]
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

    `times` are when we could first see its last items, newest first (seen_times); None if they are unknown. A slot is
    kept unless another one is a clear gain. A new slot is due between two thirds of the class and the class after
    `now`, so no feed waits by exception: a learned minute that is too near is approached in steps. Without a learned
    minute the slot is at a minute of the previous slot if possible, else at one by hash. In a class of 8 h or a day
    each step would take days, so such a feed waits by exception.
    """
    came, reach = _CameAt(every, times or ()), _Reach(every, now, loads)
    before = None if current is None or current.every != every else reach.nearest_to(current)
    if (learned := came.learned(feed_id)) is not None:
        nearest = reach.from_phase(learned)
        if before is None or came.delay_min(before.phase) - came.delay_min(nearest.phase) >= CLEAR_GAIN * every:
            return nearest if before is None or reach.has_room(nearest) else before
    return before or _aligned(current, reach) or reach.by_hash(feed_id)


def _came_at(each: RecentItem, at: int, every: int | None) -> int:
    """Return the item's date; for an item that the previous check narrowly missed, the time of that check."""
    checked_before = each.first_seen_at - (every or DAY_MIN) * 60
    is_near_miss = every is not None and 0 < checked_before - at <= NEAR_MISS * every * 60
    return checked_before if is_near_miss else at


def _tells(at: int, first_seen_at: int, longest_lag_s: int) -> bool:
    """Return whether a date can be the time at which an item appeared."""
    return at % (DAY_MIN * 60) != 0 and 0 <= first_seen_at - at <= longest_lag_s


class _CameAt:
    """The times of the last items within a class: sorted seconds from its start."""

    def __init__(self, every: int, times: Sequence[int]) -> None:
        self._every_s = every * 60
        self._seconds = sorted(at % self._every_s for at in islice(times, ITEMS))

    def delay_min(self, phase: int) -> float:
        """Return the mean delay in minutes from an item to the phase."""
        count = len(self._seconds)
        missed = count - bisect_right(self._seconds, phase * 60)
        return (phase * 60 + (self._every_s * missed - sum(self._seconds)) / count) / 60

    def learned(self, feed_id: str) -> int | None:
        """Return the phase after the minute at which items appear, spread a little by hash.

        The minute is chosen by the least mean delay, at half the distance of the phase: so a few late items do not
        make all others wait. None for too few items, or if the phase is hardly better than any other.
        """
        if len(self._seconds) < LEAST_TIMES:
            return None
        every = self._every_s // 60
        behind = BEHIND_MIN + ceil(every * BEHIND_SHARE)
        minutes = sorted({-(-at // 60) for at in self._seconds})
        best = min(minutes, key=lambda minute: self.delay_min((minute + behind // 2) % every))
        spread = min(int(every * SPREAD_SHARE), MOST_SPREAD_MIN) + 1
        learned = (best + behind + stable_hash(feed_id) % spread) % every
        return learned if self.delay_min(learned) <= (0.5 - CLEAR_GAIN) * every else None


class _Reach:
    """The minutes of a class at which a feed that was checked at `now` may be due next."""

    def __init__(self, every: int, now: int, loads: MinuteLoads | None) -> None:
        self.every, self.now = every, now
        self._first, self._last = -(-(now + every * 40) // 60), now // 60 + every
        self._loads = loads

    def has(self, phase: int) -> bool:
        """Tell whether a phase is due within reach."""
        return (phase - self._first) % self.every <= self._last - self._first

    def nearest_to(self, slot: Slot) -> Slot:
        """Return a slot of this class, or after an early check the nearest slot within reach."""
        if self.has(slot.phase):
            return slot
        ahead = (slot.phase - self._last) % self.every
        return self._slot(self._last if 2 * ahead < self._first - self.now // 60 else self._first)

    def from_phase(self, phase: int) -> Slot:
        """Return the slot at a phase, or the soonest within reach if that is too near; its minutes have room."""
        due = self._first + (phase - self._first) % self.every
        if due <= self._last:
            return self._with_room(range(due, self._last + 1))
        if self.every >= BY_EXCEPTION_FROM_MIN:
            return self._with_room(range(due, due + self.every))
        return self._with_room(range(self._first, self._last + 1))

    def by_hash(self, feed_id: str) -> Slot:
        """Return a slot within reach by the hash of the feed's id; its minutes have room."""
        minutes = range(self._first, self._last + 1)
        offset = stable_hash(feed_id) % len(minutes)
        return self._with_room([*minutes[offset:], *minutes[:offset]])

    def has_room(self, slot: Slot) -> bool:
        """Tell whether the minutes of a slot have room; without loads, they always have."""
        return self._loads is None or self._loads.has_room(slot)

    def _with_room(self, minutes: Sequence[int]) -> Slot:
        """Return the slot at the first minute with room, or the emptiest slot if none has room."""
        if self._loads is None:
            return self._slot(minutes[0])
        slots = list(map(self._slot, minutes))
        return next(filter(self.has_room, slots), None) or min(slots, key=self._loads.most)

    def _slot(self, minute: int) -> Slot:
        return Slot(every=self.every, phase=minute % self.every)


def _aligned(current: Slot | None, reach: _Reach) -> Slot | None:
    """Return the slot of another class at minutes of the previous slot, if they are within reach."""
    if current is None or current.every == reach.every:
        return None
    is_longer = reach.every > current.every
    minute = current.last_at(reach.now) // 60 if is_longer else current.phase
    return Slot(every=reach.every, phase=minute % reach.every) if reach.has(minute) else None
