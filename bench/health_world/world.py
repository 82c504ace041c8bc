"""The feeds of the simulated world, and the result of checking one of them at a moment."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from bench.health_world.failures import (
    Answer,
    Failing,
    Move,
    failures_of,
    gone_for_good_at,
    move_of,
    own_outages,
    platform_outages,
)
from bench.health_world.rhythms import RHYTHMS, START, Rhythm, published
from feedward.health.cadence import ITEMS
from feedward.model import Outcome

# The hints of feeds by ttl and sy:, in the 250 real documents: seconds and their number.
HINTS_S = {None: 188, 3600: 37, 1800: 6, 86_400: 6, 600: 5, 300: 3, 900: 2, 18_000: 1, 43_200: 1, 21_600: 1}

# Hosts of many feeds, with their share of all feeds: like the three largest of a directory of 904 feeds.
PLATFORMS = {"platform-a.example": 0.10, "platform-b.example": 0.04, "platform-c.example": 0.03}

FOUND, UNCHANGED = Answer(outcome=Outcome.OK), Answer(outcome=Outcome.NOT_MODIFIED)
REDIRECTED = Answer(outcome=Outcome.OK, moved=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedFeed:
    """One feed: its items in the year and the last 20 before it, its failures, and its move."""

    id: str
    host: str
    rhythm: str
    published: array[int]
    history: tuple[int, ...]
    hint_s: int | None
    failures: tuple[Failing, ...]
    move: Move | None


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """All feeds, and the outages of our own network, which affect every check."""

    feeds: tuple[SimulatedFeed, ...]
    outages: tuple[Failing, ...]


class Address:
    """A feed from the view of one poller: it is visited with rising `now`, and learns of a move or not."""

    __slots__ = ("_failure", "_outage", "_outages", "cut_off", "feed", "moved", "seen")

    def __init__(self, feed: SimulatedFeed, outages: Sequence[Failing]) -> None:
        self.feed = feed
        self.moved = False
        self.cut_off = False
        self.seen = 0
        self._outages = outages
        self._failure = self._outage = 0

    def visit(self, now: int) -> Answer:
        """Return the answer to a check at `now`; `cut_off` then shows whether our own network caused it."""
        self._outage = _passed(self._outages, self._outage, now)
        self.cut_off = _is_in(self._outages, self._outage, now)
        return self._outages[self._outage].answer if self.cut_off else self.own_answer(now)

    def own_answer(self, now: int) -> Answer:
        """Return the feed's own answer, without outages of our network."""
        feed = self.feed
        self._failure = _passed(feed.failures, self._failure, now)
        if _is_in(feed.failures, self._failure, now):
            return feed.failures[self._failure].answer
        if feed.move and not self.moved and now >= feed.move.at:
            return REDIRECTED if now < feed.move.redirects_until else feed.move.after
        times, seen = feed.published, self.seen
        return FOUND if seen < len(times) and times[seen] <= now else UNCHANGED

    def is_elsewhere(self, now: int) -> bool:
        """Whether the feed has moved to an address that the poller does not know, and answers there."""
        feed = self.feed
        fails = _is_in(feed.failures, _passed(feed.failures, self._failure, now), now)
        return feed.move is not None and not self.moved and now >= feed.move.at and not fails

    def take_new(self, now: int) -> array[int]:
        """Return the publication times of items new to the poller, after a successful answer."""
        times = self.feed.published
        upto = bisect_right(times, now, self.seen)
        new = times[self.seen : upto]
        self.seen = upto
        return new


def make_world(count: int, *, seed: int = 1) -> World:
    """Return a world of `count` feeds, always the same for the same seed, with each class's share of feeds."""
    of_hosts = {host: platform_outages(Random(f"{seed} {host}")) for host in PLATFORMS}
    drawn = [
        (rhythm, Random(f"{seed} {rhythm.name} {nth}"))
        for rhythm, number in zip(RHYTHMS, _shared_out(count), strict=True)
        for nth in range(number)
    ]
    feeds = tuple(_make_feed(nth, rhythm, rng, of_hosts) for nth, (rhythm, rng) in enumerate(drawn))
    return World(feeds=feeds, outages=own_outages(Random(f"{seed} outages")))


def moment_of(feed: SimulatedFeed, within_s: int) -> int:
    """Return the feed's own moment in a time span, in seconds, so that feeds are not due all together."""
    return Random(feed.id).randrange(max(within_s, 1))


def _make_feed(nth: int, rhythm: Rhythm, rng: Random, of_hosts: Mapping[str, Sequence[Failing]]) -> SimulatedFeed:
    times = published(rhythm, rng)
    alone = 1 - sum(PLATFORMS.values())
    host = rng.choices((f"host-{nth}.example", *PLATFORMS), (alone, *PLATFORMS.values()))[0]
    failures = failures_of(rhythm, rng, of_host=of_hosts.get(host, ()))
    begin, end = bisect_left(times, START), bisect_left(times, gone_for_good_at(failures))
    return SimulatedFeed(
        id=f"feed-{nth}",
        host=host,
        rhythm=rhythm.name,
        published=times[begin:end],
        history=tuple(times[max(begin - ITEMS, 0) : begin]),
        hint_s=rng.choices(tuple(HINTS_S), tuple(HINTS_S.values()))[0],
        failures=failures,
        move=move_of(rng),
    )


def _shared_out(count: int) -> list[int]:
    """The number of feeds of each class out of `count`: by its share, with the rest to the largest remainders."""
    exact = [rhythm.share * count for rhythm in RHYTHMS]
    numbers = [int(share) for share in exact]
    by_remainder = sorted(range(len(exact)), key=lambda nth: numbers[nth] - exact[nth])
    for nth in by_remainder[: count - sum(numbers)]:
        numbers[nth] += 1
    return numbers


def _passed(failures: Sequence[Failing], nth: int, now: int) -> int:
    while nth < len(failures) and failures[nth].end <= now:
        nth += 1
    return nth


def _is_in(failures: Sequence[Failing], nth: int, now: int) -> bool:
    return nth < len(failures) and failures[nth].begin <= now
