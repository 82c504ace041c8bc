"""The due times of a simulated feed: in its slot as built, or by the previous rule, for comparison."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from typing import Protocol

from bench.health_world.rhythms import START
from bench.health_world.tally import Tally
from bench.health_world.units import heartbeat_units, place_units
from feedward.health.cadence import ITEMS
from feedward.health.decision import Check, Decision
from feedward.health.feed_health import FeedHealth, unchanged
from feedward.health.next_check import Schedule, slot_place
from feedward.health.outage import minute_of
from feedward.health.outcomes import OUTCOMES
from feedward.health.phase import seen_times
from feedward.health.recent_items import Recent, RecentItem
from feedward.health.state_machine import decide
from feedward.model import FeedState, Item, Outcome
from feedward.scheduling.cooldown import rate_limit_s
from feedward.scheduling.heartbeat import is_heartbeat
from feedward.scheduling.jitter import jitter_s
from feedward.scheduling.slots import Place

# A check with news writes FEED anyway: only its indexes count here.
FEED_UNITS = 1
SHORTEST_S, LONGEST_S, UNKNOWN_S = 15 * 60, 24 * 3600, 3600
UNITS_BEFORE = 3


class RecentItems:
    """The last 20 items of a feed, newest first."""

    def __init__(self, history: tuple[int, ...]) -> None:
        self._items = deque((_item(at, START) for at in reversed(history)), maxlen=ITEMS)

    def add(self, published: list[int], now: int) -> None:
        """Add items that were first seen now."""
        self._items.extendleft(_item(at, now) for at in published)

    @property
    def dates(self) -> list[int]:
        """The publication dates."""
        return [each.item.published_at or 0 for each in self._items]

    def seen_times(self, every: int | None) -> list[int]:
        """The times when they could first be seen, derived from dates and first sight as in the product."""
        return seen_times(Recent(items=tuple(self._items)), every)


class Timetable(Protocol):
    """The due times of one feed. `awaits_check`: a push requested this check."""

    awaits_check: bool

    def first_due_at(self, health: FeedHealth) -> int:
        """Return when a new feed is due."""
        ...

    def decide(self, health: FeedHealth, check: Check, now: int) -> Decision:
        """Return the decision after a check."""
        ...

    def take_over(self, health: FeedHealth, decision: Decision, check: Check, now: int) -> None:
        """Store the decision, and count its writes."""
        ...

    def earliness(self, now: int, due_at: int) -> float | None:
        """Return how early a check before its time would be, for choosing feeds; None for a feed that must wait."""
        ...


class InSlots:
    """The feed's place by the product's own decisions."""

    def __init__(self, recent: RecentItems, tally: Tally) -> None:
        self._recent, self._tally = recent, tally
        self.place: Place | None = None
        self.awaits_check = False

    def first_due_at(self, health: FeedHealth) -> int:
        """Return when a new feed is due: in its slot."""
        self.place = slot_place(health, START, Schedule(times=self._recent.seen_times(None)))
        return self.place.next_at(START + 1)

    def decide(self, health: FeedHealth, check: Check, now: int) -> Decision:
        """Decide as the product does: the last items are read if there is a document, or the place changes."""
        decision = decide(health, check, now, self._schedule(has_items=check.outcome is Outcome.OK))
        if decision.place != self.place and decision.health.state is FeedState.HEALTHY:
            return decide(health, check, now, self._schedule(has_items=True))
        return decision

    def take_over(self, health: FeedHealth, decision: Decision, check: Check, now: int) -> None:
        """Store the place. A check with news, or of a failing feed, writes FEED anyway."""
        before, self.place = self.place, decision.place
        if not OUTCOMES[check.outcome].is_success or FeedState.HEALTHY not in (health.state, decision.health.state):
            return
        is_quiet = not check.new_items and health.state is decision.health.state
        self._tally.unchanged += is_quiet
        if before is None or decision.place is None:
            return
        if decision.place != before:
            units = place_units(_kind(before), _kind(decision.place, is_other=True))
            self._tally.units[_change(before, decision.place)] += units - (not is_quiet) * FEED_UNITS
        elif is_quiet and not unchanged(health, decision.health):
            self._tally.units["another change"] += place_units(_kind(before), _kind(before))
        elif is_quiet and before.slot is not None and is_heartbeat(health.feed_id, before.slot, now):
            self._tally.units["heartbeat"] += heartbeat_units(before.slot.every)

    def earliness(self, now: int, due_at: int) -> float | None:
        """Return the earliness as a part of the class; of a day for a feed by exception."""
        slot = self.place.slot if self.place else None
        return (due_at - now) / (slot.every_s if slot else LONGEST_S)

    def _schedule(self, *, has_items: bool) -> Schedule:
        slot = self.place.slot if self.place else None
        times = self._recent.seen_times(slot.every if slot else None) if has_items else None
        return Schedule(current=self.place, times=times)


class ByHalfGap:
    """The previous rule: half the median gap, half as long again after each check without news, and jitter.

    The interval grows up to 4 times and a day, and is never below the feed's hint. Each check wrote 3 units.
    """

    def __init__(self, _: RecentItems, tally: Tally) -> None:
        self._tally = tally
        self.awaits_check = False
        self._quiet = 0

    def first_due_at(self, health: FeedHealth) -> int:
        """Return when a new feed is due."""
        return _with_jitter(health, START, self._interval_s(health))

    def decide(self, health: FeedHealth, check: Check, now: int) -> Decision:
        """Decide as the product does, except on the due time of a healthy feed."""
        decision = decide(health, check, now)
        if decision.health.state is not FeedState.HEALTHY or _is_ours(check, now):
            return decision
        return replace(decision, next_check_at=self._due_after(decision.health, check, now))

    def take_over(self, health: FeedHealth, decision: Decision, check: Check, now: int) -> None:
        """Count quiet checks, and units."""
        if decision.health.state is FeedState.HEALTHY:
            self._quiet = self._quieter(check, now)
            is_unchanged = OUTCOMES[check.outcome].is_success and not check.new_items
            if is_unchanged and health.state is FeedState.HEALTHY:
                self._tally.unchanged += 1
                self._tally.units["each check"] += UNITS_BEFORE

    def earliness(self, now: int, due_at: int) -> float | None:
        """Return the seconds by which it is early: any feed was eligible."""
        return due_at - now

    def _quieter(self, check: Check, now: int) -> int:
        if check.new_items:
            return 0
        return self._quiet if _is_ours(check, now) else min(self._quiet + 1, 4)

    def _due_after(self, health: FeedHealth, check: Check, now: int) -> int:
        asked_s = rate_limit_s(check.outcome, check.status, check.retry_after_s)
        is_told = check.outcome is Outcome.RATE_LIMITED and check.retry_after_s is not None
        own_s = max(SHORTEST_S, health.hint_s or 0) if is_told else self._interval_s(health, self._quieter(check, now))
        return _with_jitter(health, now, max(own_s, asked_s))

    def _interval_s(self, health: FeedHealth, quiet: int = 0) -> int:
        half_gap = health.median_gap_s // 2 if health.median_gap_s else UNKNOWN_S
        shortest = max(half_gap, SHORTEST_S)
        lengthened = min(int(shortest * 1.5**quiet), shortest * 4)
        return min(max(lengthened, health.hint_s or 0), LONGEST_S)


def _item(at: int, first_seen_at: int) -> RecentItem:
    return RecentItem(item=Item(published_at=at), first_seen_at=first_seen_at)


def _kind(place: Place, *, is_other: bool = False) -> Place:
    """The place without its time: the cost of a write depends on the slots, and on whether the time changed."""
    return Place(from_s=int(is_other), slot=place.slot)


def _change(before: Place, after: Place) -> str:
    """The name of a change of place in the tables."""
    old, new = before.slot, after.slot
    if old is None or new is None:
        return "to a slot" if new else "by exception"
    return "class" if old.every != new.every else "phase"


def _is_ours(check: Check, now: int) -> bool:
    return minute_of(now) in check.outage_minutes and OUTCOMES[check.outcome].network


def _with_jitter(health: FeedHealth, now: int, interval_s: int) -> int:
    due_at = now + interval_s
    return due_at + jitter_s(health.feed_id, due_at, interval_s)
