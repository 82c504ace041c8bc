"""The place of a feed in the schedule: in its slot, or by exception at one time (rules H3, S10, S11). Pure.

Feeds are due by exception if they fail, were resumed or told to wait, or if their message was lost; so are healthy
feeds on the way to another slot. A feed is never checked sooner than two thirds of its class after its last check, nor
later than the class.
"""

from __future__ import annotations

from dataclasses import dataclass

from feedward.scheduling.slots import Slot


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
