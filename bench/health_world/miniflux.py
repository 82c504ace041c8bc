"""Polling by the entry-frequency rule of miniflux, with its defaults: factor 1, 5 minutes to 24 hours, 3 errors.

The interval is a week over the week's entries, counted as a rate between the first and the last of them. A 429 adds its
Retry-After, a changed document its ttl, as floors. Every error counts, our own outages too; at the limit the feed is
not polled again until a person resets it, which does not happen here. Its timer (a batch each hour by default) is left
out: only the rule is compared.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence

from bench.health_world.clock import play
from bench.health_world.rhythms import DAY, START
from bench.health_world.tally import Tally, tallies_of
from bench.health_world.world import Address, SimulatedFeed, World, moment_of
from feedward.health.outcomes import OUTCOMES
from feedward.model import Outcome

SHORTEST_MIN, LONGEST_MIN = 5, 1440
WEEK = 7 * DAY
ERROR_LIMIT = 3


class Subscription:
    """One feed as stored by miniflux."""

    __slots__ = ("address", "errors")

    def __init__(self, address: Address) -> None:
        self.address = address
        self.errors = 0

    def weekly_count(self, now: int) -> int:
        """Return the week's rate of the known entries: 0 for fewer than two, or for two of the same moment."""
        feed, seen, since = self.address.feed, self.address.seen, now - WEEK
        begin = bisect_left(feed.published, since, 0, seen)
        earlier = [at for at in feed.history if at >= since] if begin == 0 else []
        count = seen - begin + len(earlier)
        if count < 2:
            return 0
        first = earlier[0] if earlier else feed.published[begin]
        last = feed.published[seen - 1] if seen else earlier[-1]
        return math.ceil(WEEK * (count - 1) / (last - first)) if last > first else 0


def interval_s(weekly_count: int, floor_s: int = 0) -> int:
    """Return the seconds to the next check: by the rate, at least the floor, within 5 minutes and 24 hours."""
    minutes = LONGEST_MIN if weekly_count <= 0 else round(WEEK / 60 / weekly_count)
    minutes = max(min(minutes, LONGEST_MIN), SHORTEST_MIN)
    return 60 * min(max(minutes, floor_s // 60), LONGEST_MIN)


def poll_by_entry_frequency(world: World, *, error_limit: int = ERROR_LIMIT) -> dict[str, Tally]:
    """Return the tally of each rhythm; with an `error_limit` of 0 no feed is given up, as in miniflux."""
    tallies = tallies_of((feed.rhythm, len(feed.published)) for feed in world.feeds)
    kept = [Subscription(Address(feed, world.outages)) for feed in world.feeds]

    def tick(due: Sequence[int], now: int) -> dict[int, int | None]:
        return {nth: _refresh(kept[nth], now, tallies[kept[nth].address.feed.rhythm], error_limit) for nth in due}

    play([_first_check_at(feed) for feed in world.feeds], tick)
    return tallies


def _first_check_at(feed: SimulatedFeed) -> int:
    """A random moment in the interval that the feed had when the year began."""
    within = interval_s(Subscription(Address(feed, ())).weekly_count(START))
    return START + moment_of(feed, within)


def _refresh(kept: Subscription, now: int, tally: Tally, error_limit: int) -> int | None:
    """Check one feed and return when it is due again, or None for never."""
    weekly, floor_s = kept.weekly_count(now), 0
    answer = kept.address.visit(now)
    tally.polls += 1
    if OUTCOMES[answer.outcome].is_success:
        kept.errors = 0
        tally.hops += answer.moved
        kept.address.moved |= answer.moved
        if new := kept.address.take_new(now):
            tally.found(new, now)
        if answer.outcome is Outcome.OK:
            floor_s = kept.address.feed.hint_s or 0
    else:
        kept.errors += 1
        if answer.outcome is Outcome.RATE_LIMITED:
            floor_s = answer.retry_after_s or 0
    if error_limit and kept.errors >= error_limit:
        return None
    return now + interval_s(weekly, floor_s)
