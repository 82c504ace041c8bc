"""Fixed hourly polling, computed without simulation: each feed at its own minute of every hour, after any answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from bench.health_world.failures import FOREVER
from bench.health_world.rhythms import END, START
from bench.health_world.tally import Tally, tallies_of
from bench.health_world.world import SimulatedFeed, World, moment_of

HOUR = 3600


def poll_hourly(world: World) -> dict[str, Tally]:
    """Return the tally of each rhythm under hourly polling."""
    tallies = tallies_of((feed.rhythm, len(feed.published)) for feed in world.feeds)
    for feed in world.feeds:
        tally = tallies[feed.rhythm]
        first = START + moment_of(feed, HOUR // 60) * 60
        tally.polls += (END - first + HOUR - 1) // HOUR
        tally.late_by.update((seen_at - at) // 60 for at, seen_at in _seen(feed, first, _unanswered(feed, world)))
    return tallies


def _seen(feed: SimulatedFeed, first: int, unanswered: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield each seen item: its publication time, and the poll that saw it."""
    nth = 0
    for at in feed.published:
        while nth < len(unanswered) and unanswered[nth][1] <= at:
            nth += 1
        poll = _next_poll(first, at)
        for begin, end in islice(unanswered, nth, None):
            if poll < begin:
                break
            poll = max(poll, _next_poll(first, end))
        if poll < END:
            yield at, poll


def _next_poll(first: int, at: int) -> int:
    """The first poll at or after this moment."""
    return max(first, first - (first - at) // HOUR * HOUR)


def _unanswered(feed: SimulatedFeed, world: World) -> list[tuple[int, int]]:
    """The periods without an answer, merged: the feed's failures, our outages, an old address without a redirect."""
    times = [(failing.begin, failing.end) for failing in (*feed.failures, *world.outages)]
    if feed.move:
        times.append((feed.move.redirects_until, FOREVER))
    merged: list[tuple[int, int]] = []
    for begin, end in sorted(times):
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((begin, end))
    return merged
