"""Slots: the due times of a healthy feed, computed without any write (rules S1, S10). Pure.

A slot is a class (an interval in minutes) and a phase in it. Its feed is due at each minute t, counted in UTC since the
epoch, with t mod class = phase. All classes divide a day, so a slot has the same minutes every day.

A feed has a place in the schedule: in its slot, or by exception at one time. Feeds are due by exception if they fail,
were resumed or told to wait, or if their message was lost; so are healthy feeds on the way to another slot. A feed is
never checked sooner than two thirds of its class after its last check, nor later than the class (rules H3, S11).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Self

from feedward.errors import InvalidInput

CLASSES: Final = (15, 30, 60, 120, 240, 480, 1440)
"""The classes: the possible intervals of a feed's checks, in minutes."""
LONG_CLASS: Final = 240
"""From this class on, a missed slot is sent late; a shorter one waits for its next slot."""
DAY_MIN: Final = 1440
SHORT_MADE_UP_MIN: Final = 15
"""A slot of a short class is sent at most this many minutes late."""
SLOT_SHARDS: Final = 2
"""The sweep sends short and long classes separately: after a pause the long ones have more to send."""
_PREFIX: Final = "slot"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Slot:
    """A class in minutes, one of CLASSES, and a phase from 0 to class - 1."""

    every: int
    phase: int

    @property
    def key(self) -> str:
        """The partition of the slot in the index `slots`: `slot#60#17`."""
        return f"{_PREFIX}#{self.every}#{self.phase}"

    @classmethod
    def from_key(cls, key: object) -> Self:
        """Read a key. Raises InvalidInput."""
        parts = key.split("#") if isinstance(key, str) else []
        if len(parts) != 3 or parts[0] != _PREFIX or not (parts[1].isdecimal() and parts[2].isdecimal()):
            raise InvalidInput("slot", "expected slot#<class>#<phase>")
        every, phase = int(parts[1]), int(parts[2])
        if every not in CLASSES or phase >= every:
            raise InvalidInput("slot", "expected a slot such as slot#60#17")
        return cls(every=every, phase=phase)

    @property
    def every_s(self) -> int:
        """The class in seconds."""
        return self.every * 60

    @property
    def least_s(self) -> int:
        """Two thirds of the class in seconds: the minimum time between two checks (rule H3)."""
        return self.every * 40

    def is_due_at(self, minute: int) -> bool:
        """Return whether the slot is due at a minute since the epoch."""
        return minute % self.every == self.phase

    def next_at(self, from_s: int) -> int:
        """Return the first time at or after `from_s` at which the slot is due; both in epoch seconds."""
        minute = -(-from_s // 60)
        return (minute + (self.phase - minute) % self.every) * 60

    def last_at(self, until_s: int) -> int:
        """Return the last time at or before `until_s` at which the slot was due; both in epoch seconds."""
        minute = until_s // 60
        return (minute - (minute - self.phase) % self.every) * 60


def slots_of(minute: int) -> Iterator[Slot]:
    """Yield the slot of each class that is due at a minute since the epoch."""
    return (Slot(every=every, phase=minute % every) for every in CLASSES)


def due_slots(shard: int, after: int | None, until: int) -> Iterator[tuple[int, Slot]]:
    """Yield the slots of a shard to send, with their minutes, in order: those after the minute `after` up to `until`.

    The minute `after` itself is included: the sweep may have ended within it. None means that nothing was sent before,
    or that the first sweep died; then the last 15 minutes are included. A missed slot is sent late if its next minute
    is at least two thirds of the class away; a daily slot always is, since its feeds must be checked daily (rules I4,
    S11).
    """
    first = until - SHORT_MADE_UP_MIN if after is None else max(after, until - DAY_MIN + 1)
    for minute in range(first, until + 1):
        for slot in slots_of(minute):
            if (slot.every >= LONG_CLASS) == bool(shard) and until - minute <= _made_up_min(slot.every):
                yield minute, slot


def _made_up_min(every: int) -> int:
    if every == DAY_MIN:
        return DAY_MIN
    return every // 3 if every >= LONG_CLASS else min(every // 3, SHORT_MADE_UP_MIN)


def class_at_least(minutes: float) -> int:
    """Return the smallest class of at least this many minutes; the longest class if there is none."""
    return next((every for every in CLASSES if every >= minutes), CLASSES[-1])


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The due time of a feed. Times are epoch seconds.

    - from_s: in a slot, the time from which the slot counts; by exception, the time at which the feed is due
    - slot: None by exception
    """

    from_s: int
    slot: Slot | None = None

    @property
    def since(self) -> int | None:
        """The time when the feed got its slot, which counts from two thirds of its class on; None by exception."""
        return None if self.slot is None else self.from_s - self.slot.least_s

    def next_at(self, now: int) -> int:
        """Return when the feed is due next: in a slot, at its first minute from `now` on that counts."""
        return self.from_s if self.slot is None else self.slot.next_at(max(self.from_s, now))


def place_after(slot: Slot, now: int, *, current: Place | None = None) -> Place:
    """Return the place of a healthy feed that was checked at `now` and whose slot is `slot`.

    A feed that stays in its slot keeps its `current` place, so nothing is written. While the slot's next minute is
    nearer than two thirds of the class, the feed is due by exception after two thirds.
    """
    nearest = slot.next_at(now + 1)
    if nearest < now + slot.least_s:
        return Place(from_s=now + slot.least_s)
    if current is not None and current.slot == slot and current.from_s <= nearest:
        return current
    return Place(from_s=now + slot.least_s, slot=slot)
