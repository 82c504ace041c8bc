"""The feeds that name a hub, with push: announced news is checked immediately, in addition to audits in the slot.

Hubs of real documents: 17 of 238 feeds name one. Here each of them announces all news half a minute later. A feed is
trusted once two pieces of news came by push first; then its class is a day. A check that a push requested changes no
slot (rule W20).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bench.health_world.failures import Answer
from bench.health_world.feedward_polling import Simulation, WatchedFeed
from bench.health_world.tally import Tally
from bench.health_world.timetables import InSlots, RecentItems
from bench.health_world.world import SimulatedFeed, World
from feedward.health.decision import Check, Decision
from feedward.health.feed_health import FeedHealth
from feedward.model import FeedState
from feedward.scheduling.slots import DAY_MIN

EVERY_NTH_HAS_A_HUB = 14
HUB_S = 30
TOLD_FIRST = 2


def with_hubs(world: World) -> World:
    """Return the feeds of a world that have a hub: each 14th."""
    return World(feeds=world.feeds[::EVERY_NTH_HAS_A_HUB], outages=world.outages)


class Pushed(InSlots):
    """A feed's place while its hub announces news."""

    def __init__(self, recent: RecentItems, tally: Tally) -> None:
        super().__init__(recent, tally)
        self.due_at = 0
        self.told = 0

    def first_due_at(self, health: FeedHealth) -> int:
        """Return when a new feed is due."""
        self.due_at = super().first_due_at(health)
        return self.due_at

    def decide(self, health: FeedHealth, check: Check, now: int) -> Decision:
        """Decide as the product does; a check that a push requested leaves a healthy feed in its slot."""
        decision = super().decide(self._trusted(health), check, now)
        is_healthy = health.state is decision.health.state is FeedState.HEALTHY
        if not (self.awaits_check and is_healthy and self.place):
            return decision
        return replace(decision, place=self.place, next_check_at=self.place.next_at(now + 1))

    def take_over(self, health: FeedHealth, decision: Decision, check: Check, now: int) -> None:
        """Count news that came by push first."""
        super().take_over(health, decision, check, now)
        self.told += self.awaits_check and check.new_items > 0

    def _trusted(self, health: FeedHealth) -> FeedHealth:
        return replace(health, push_every=DAY_MIN) if self.told >= TOLD_FIRST else health


class PushedSimulation(Simulation):
    """A year of feeds whose hubs announce news."""

    def __init__(self, world: World) -> None:
        super().__init__(world, Pushed)

    def _apply(self, watched: WatchedFeed, answer: Answer, now: int) -> int:
        """Decide about a feed, and let the hub announce its next news if that comes before the feed is due."""
        timetable = watched.timetable
        if not isinstance(timetable, Pushed):
            return super()._apply(watched, answer, now)
        timetable.awaits_check = now < timetable.due_at
        timetable.due_at = super()._apply(watched, answer, now)
        return min((timetable.due_at, *_told_at(watched.address.feed, watched.address.seen, now)))


def _told_at(feed: SimulatedFeed, seen: int, now: int) -> Iterable[int]:
    """The time of the hub's next announcement; empty if it was already made."""
    return (at + HUB_S for at in feed.published[seen : seen + 1] if at + HUB_S > now)
