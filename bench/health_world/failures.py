"""The failures of feeds: every failing outcome, from minutes to permanent; moves; outages of platforms and of our own.

Rates are per feed and year, lengths lognormal around a median. No published data has them per outcome: they are set so
that a living feed answers about 98 % of the time, and that each outcome occurs. Dead at the start are 9 % of all feeds,
the share that a survey of subscribed feeds found deleted or unreachable (2,653 of 28,774, Vogels 2004).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from random import Random

from bench.health_world.rhythms import DAY, END, START, YEAR, Rhythm
from feedward.model import Outcome, RejectionReason

MINUTE, HOUR = 60, 3600
FOREVER = END + YEAR
DEAD_AT_START = 0.09 / 0.35  # all of them are silent ones
MOVING, REDIRECTED = 0.04, 0.6


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The result of a check's fetch: the outcome and its data."""

    outcome: Outcome
    status: int | None = None
    retry_after_s: int | None = None
    reason: RejectionReason | None = None
    moved: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Failing:
    """A period in which a feed, or our own network, answers like this. Seconds of the virtual clock, `end` excluded."""

    begin: int
    end: int
    answer: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A feed's new address: from `at` on the old one redirects until `redirects_until`, then answers `after`."""

    at: int
    redirects_until: int
    after: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class _Passing:
    per_year: float
    median_s: int
    spread: float = 1.0


PASSING = {
    Outcome.SERVER_ERROR: _Passing(per_year=2.0, median_s=40 * MINUTE, spread=1.3),
    Outcome.TIMEOUT: _Passing(per_year=1.5, median_s=20 * MINUTE, spread=1.3),
    Outcome.CONNECT_ERROR: _Passing(per_year=0.8, median_s=HOUR, spread=1.3),
    Outcome.CONNECTION_RESET: _Passing(per_year=0.5, median_s=15 * MINUTE),
    Outcome.DNS_ERROR: _Passing(per_year=0.3, median_s=2 * HOUR, spread=1.3),
    Outcome.RATE_LIMITED: _Passing(per_year=0.4, median_s=3 * HOUR),
    Outcome.NOT_FOUND: _Passing(per_year=0.2, median_s=2 * HOUR),
    Outcome.NOT_FEED: _Passing(per_year=0.2, median_s=3 * HOUR),
    Outcome.TRUNCATED: _Passing(per_year=0.2, median_s=30 * MINUTE),
    Outcome.EMPTY_BODY: _Passing(per_year=0.2, median_s=HOUR),
    Outcome.TLS_ERROR: _Passing(per_year=0.1, median_s=30 * HOUR),
    Outcome.CHALLENGE: _Passing(per_year=0.1, median_s=3 * DAY),
    Outcome.FORBIDDEN: _Passing(per_year=0.1, median_s=2 * DAY),
    Outcome.GENERATOR_ERROR: _Passing(per_year=0.1, median_s=6 * HOUR),
    Outcome.TIMEOUT_STATUS: _Passing(per_year=0.1, median_s=20 * MINUTE),
    Outcome.BAD_RESPONSE: _Passing(per_year=0.1, median_s=20 * MINUTE),
    Outcome.UNAUTHORIZED: _Passing(per_year=0.05, median_s=DAY),
    Outcome.UNEXPECTED_304: _Passing(per_year=0.05, median_s=2 * HOUR),
    Outcome.CLIENT_ERROR: _Passing(per_year=0.05, median_s=6 * HOUR),
    Outcome.UNEXPECTED_STATUS: _Passing(per_year=0.05, median_s=2 * HOUR),
    Outcome.GONE: _Passing(per_year=0.03, median_s=3 * HOUR, spread=1.5),
    Outcome.REDIRECT_LOOP: _Passing(per_year=0.03, median_s=6 * HOUR),
    Outcome.BAD_REDIRECT: _Passing(per_year=0.03, median_s=6 * HOUR),
    Outcome.BAD_ENCODING: _Passing(per_year=0.03, median_s=6 * HOUR),
    Outcome.TOO_MANY_REDIRECTS: _Passing(per_year=0.02, median_s=6 * HOUR),
    Outcome.BLOCKED: _Passing(per_year=0.02, median_s=5 * HOUR),
    Outcome.TOO_LARGE: _Passing(per_year=0.02, median_s=2 * DAY),
    Outcome.LEGAL: _Passing(per_year=0.01, median_s=30 * DAY),
    Outcome.BAD_URL: _Passing(per_year=0.01, median_s=DAY),
}
# The answers at the address of a deleted feed, in percent.
LASTING = {
    Outcome.NOT_FOUND: 38,
    Outcome.DNS_ERROR: 20,
    Outcome.NOT_FEED: 15,
    Outcome.CONNECT_ERROR: 8,
    Outcome.GONE: 8,
    Outcome.FORBIDDEN: 5,
    Outcome.TLS_ERROR: 4,
    Outcome.CHALLENGE: 2,
}
RETRY_AFTER_S = (None, 60, 600, HOUR, 6 * HOUR, DAY)
NO_NETWORK = (Outcome.DNS_ERROR, Outcome.TIMEOUT, Outcome.CONNECT_ERROR)
# Outages of a platform with many feeds, per year, and their longest.
PLATFORM_OUTAGES, PLATFORM_OUTAGE_MINUTES = 4, 300
# Outages of our own per year: their number, and shortest and longest minutes.
OWN_OUTAGES = ((8, 2, 15), (5, 20, 90), (2, 180, 480))


def failures_of(rhythm: Rhythm, rng: Random, *, of_host: Sequence[Failing] = ()) -> tuple[Failing, ...]:
    """Return a feed's failures over the year, its own and its host's, in order without overlap."""
    return tuple(_apart([*_passing(rng), *_vanishing(rhythm, rng), *of_host]))


def gone_for_good_at(failures: Sequence[Failing]) -> int:
    """Return when a feed ends: after that it publishes nothing. FOREVER for one that stays."""
    return next((failing.begin for failing in failures if failing.end == FOREVER), FOREVER)


def move_of(rng: Random) -> Move | None:
    """Return the feed's move in the year, if any: with a redirect, or with an error only."""
    if rng.random() >= MOVING:
        return None
    at = START + rng.randrange(YEAR)
    told_for = rng.choice((30, 90, 400)) * DAY if rng.random() < REDIRECTED else 0
    after = rng.choice((Outcome.NOT_FOUND, Outcome.NOT_FOUND, Outcome.GONE, Outcome.NOT_FEED))
    return Move(at=at, redirects_until=at + told_for, after=_answer(after, rng))


def own_outages(rng: Random) -> tuple[Failing, ...]:
    """Return the outages of our own network in the year, in order."""
    drawn = [
        _outage(rng, shortest, longest, rng.choice(NO_NETWORK))
        for count, shortest, longest in OWN_OUTAGES
        for _ in range(count)
    ]
    return tuple(_apart(drawn))


def platform_outages(rng: Random) -> tuple[Failing, ...]:
    """Return the outages of a host with many feeds, in order."""
    outcomes = (Outcome.SERVER_ERROR, Outcome.TIMEOUT, Outcome.CONNECT_ERROR, Outcome.DNS_ERROR)
    drawn = [_outage(rng, 10, PLATFORM_OUTAGE_MINUTES, rng.choice(outcomes)) for _ in range(PLATFORM_OUTAGES)]
    return tuple(_apart(drawn))


def _outage(rng: Random, shortest_min: int, longest_min: int, outcome: Outcome) -> Failing:
    begin = START + rng.randrange(YEAR)
    length = rng.randrange(shortest_min * MINUTE, longest_min * MINUTE)
    return Failing(begin=begin, end=begin + length, answer=Answer(outcome=outcome))


def _passing(rng: Random) -> Iterator[Failing]:
    for outcome, kind in PASSING.items():
        at = START + rng.expovariate(kind.per_year / YEAR)
        while at < END:
            length = max(rng.lognormvariate(math.log(kind.median_s), kind.spread), MINUTE)
            yield Failing(begin=int(at), end=int(at + length), answer=_answer(outcome, rng))
            at += length + rng.expovariate(kind.per_year / YEAR)


def _vanishing(rhythm: Rhythm, rng: Random) -> Iterator[Failing]:
    at = None
    if rhythm.name.startswith("silent") and rng.random() < DEAD_AT_START:
        at = START
    elif rng.random() < rhythm.vanishing:
        at = START + rng.randrange(YEAR)
    if at is not None:
        outcome = rng.choices(tuple(LASTING), tuple(LASTING.values()))[0]
        yield Failing(begin=at, end=FOREVER, answer=_answer(outcome, rng))


def _answer(outcome: Outcome, rng: Random) -> Answer:
    status, retry_after_s, reason = None, None, None
    if outcome is Outcome.RATE_LIMITED:
        status, retry_after_s = 429, rng.choice(RETRY_AFTER_S)
    elif outcome is Outcome.SERVER_ERROR:
        status, retry_after_s = rng.choice(((500, None), (502, None), (503, None), (503, rng.choice(RETRY_AFTER_S))))
    elif outcome is Outcome.NOT_FEED:
        reason = rng.choice((RejectionReason.HTML, RejectionReason.HTML, RejectionReason.MALFORMED))
    return Answer(outcome=outcome, status=status, retry_after_s=retry_after_s, reason=reason)


def _apart(drawn: Sequence[Failing]) -> Iterator[Failing]:
    """Order the failures and cut overlaps: each ends where the next begins, and a permanent one is the last."""
    ordered = sorted(drawn, key=lambda failing: (failing.begin, failing.end))
    for failing, after in zip_longest(ordered, ordered[1:]):
        end = failing.end if after is None or failing.end == FOREVER else min(failing.end, after.begin)
        if end > failing.begin:
            yield Failing(begin=failing.begin, end=end, answer=failing.answer)
        if failing.end == FOREVER:
            return
