"""The publication times of feeds: classes of rhythm with their share of a directory, over a virtual year.

The shares follow known data. Of 12,611 feeds watched for 8 months, 8,155 published at all, and 17 % of those made 97 %
of the items, 32 a day each (Travers et al., RSS feeds behavior analysis, 2014): so 11 % news and 35 % silent. The rest
is spread as the median gaps of real documents are (121 feeds with 8 dated items or more and a median gap over two
hours: 11 % under a day, 10 % under two, 43 % under 14 days, 17 % under 30, 20 % beyond).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from random import Random
from zoneinfo import ZoneInfo

DAY = 86_400
YEAR = 365 * DAY
# A Monday, 2026-01-05T00:00Z.
START = 1_767_571_200
END = START + YEAR

# Shares of a day's items by hour, local time of the publisher.
NEWSROOM_HOURS = (1, 1, 1, 1, 2, 4, 8, 10, 11, 11, 10, 10, 10, 10, 10, 10, 10, 9, 8, 7, 6, 4, 3, 2)
OFFICE_HOURS = (0, 0, 0, 0, 0, 0, 1, 3, 8, 10, 10, 8, 6, 8, 10, 10, 8, 5, 3, 2, 2, 2, 1, 0)

# The publishers' time zones: most have summer time.
ZONES = ("Europe/Berlin", "America/New_York", "UTC", "Europe/Berlin", "America/New_York")

Times = Callable[[Random, int, int], Iterator[int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """A class of feeds: its share of all feeds, and its publication times between two epoch seconds, in no order.

    `history_days` is the length of its history before the year; `vanishing` the share that goes offline permanently.
    """

    name: str
    share: float
    times: Times
    history_days: int = 400
    vanishing: float = 0.03


def published(rhythm: Rhythm, rng: Random) -> array[int]:
    """Return all publication times of one feed, ascending, from before the year (its history) to the year's end."""
    begin = START - rhythm.history_days * DAY
    return array("q", sorted(at for at in rhythm.times(rng, begin, END) if begin <= at < END))


def _news(rng: Random, begin: int, end: int) -> Iterator[int]:
    """A newsroom: about an item an hour over the day, few at night, fewer at weekends."""
    per_day = min(max(rng.lognormvariate(math.log(24), 0.75), 10.0), 150.0)
    yield from _through_days(rng, begin, end, per_day=per_day, weekend=0.6, hours=NEWSROOM_HOURS)


def _several_a_day(rng: Random, begin: int, end: int) -> Iterator[int]:
    per_day = min(max(rng.lognormvariate(math.log(3.5), 0.4), 1.5), 9.0)
    yield from _through_days(rng, begin, end, per_day=per_day, weekend=0.4, hours=OFFICE_HOURS)


def _daily(rng: Random, begin: int, end: int) -> Iterator[int]:
    """One item a day at about the same hour, sometimes none, at weekends often none."""
    hour = rng.randrange(24)
    clock = _clock(hour)
    for midnight in range(begin, end, DAY):
        if rng.random() < (0.45 if _is_weekend(midnight) else 0.92):
            yield clock(midnight) + hour * 3600 + int(rng.gauss(0, 3600))


def _weekly(rng: Random, begin: int, end: int) -> Iterator[int]:
    """An item every week, or every second, on its weekday."""
    hour, weekday, every = rng.randrange(24), rng.randrange(7), rng.choice((7, 7, 14))
    clock = _clock(hour)
    for midnight in range(begin + weekday * DAY, end, every * DAY):
        if rng.random() < 0.9:
            yield clock(midnight) + hour * 3600 + int(rng.gauss(0, 3 * 3600))


def _monthly(rng: Random, begin: int, end: int) -> Iterator[int]:
    at = begin + rng.randrange(30 * DAY)
    while at < end:
        yield at
        at += max(int(rng.gauss(30 * DAY, 6 * DAY)), DAY)


def _releases(rng: Random, begin: int, end: int) -> Iterator[int]:
    """A release and the fixes that follow it within hours and days, then nothing for weeks."""
    pause = rng.lognormvariate(math.log(25 * DAY), 0.6)
    at = float(begin)
    while (at := at + rng.expovariate(1 / pause)) < end:
        yield int(at)
        while rng.random() < 0.6:
            at += rng.lognormvariate(math.log(10 * 3600), 1.2)
            yield int(at)


def _sporadic(rng: Random, begin: int, end: int) -> Iterator[int]:
    """A blog whose gaps run from days to many months."""
    gap = rng.lognormvariate(math.log(15 * DAY), 0.6)
    at = float(begin)
    while (at := at + rng.lognormvariate(math.log(gap), 1.2)) < end:
        yield int(at)


def _dying(rng: Random, begin: int, end: int) -> Iterator[int]:
    """A blog that stops during the year."""
    last = START + rng.randrange(YEAR)
    yield from rng.choices((_daily, _weekly, _sporadic), (1, 3, 2))[0](rng, begin, min(last, end))


def _silent(rng: Random, begin: int, end: int) -> Iterator[int]:
    """Nothing all year: it stopped before, or never had an item."""
    if rng.random() < 0.2:
        return
    former = rng.choices(PUBLISHING, [rhythm.share for rhythm in PUBLISHING])[0]
    yield from former.times(rng, begin, min(START - rng.randrange(30 * DAY, 300 * DAY), end))


def _through_days(
    rng: Random, begin: int, end: int, *, per_day: float, weekend: float, hours: tuple[int, ...]
) -> Iterator[int]:
    """Random items through each day, more at some hours than at others; weekends have `weekend` times as many."""
    zone = rng.randrange(24)
    lives_at, clock = zone * 3600, _clock(zone)
    for midnight in range(begin, end, DAY):
        count = _poisson(rng, per_day * (weekend if _is_weekend(midnight) else 1.0))
        day = clock(midnight) + lives_at
        for hour in rng.choices(range(24), hours, k=count):
            yield day + hour * 3600 + int(rng.random() * 3600)


def _clock(hour: int) -> Callable[[int], int]:
    """Return a clock for a publisher's hour: the start of a day there, an hour earlier in summer (rule S5)."""
    zone = ZoneInfo(ZONES[hour % len(ZONES)])

    def day_begins(midnight: int) -> int:
        summer = datetime.fromtimestamp(midnight, zone).dst()
        return midnight - int(summer.total_seconds() if summer else 0)

    return day_begins


def _poisson(rng: Random, mean: float) -> int:
    count, passed = 0, rng.expovariate(1.0)
    while passed < mean:
        count += 1
        passed += rng.expovariate(1.0)
    return count


def _is_weekend(midnight: int) -> bool:
    return (midnight - START) // DAY % 7 >= 5


PUBLISHING = (
    Rhythm(name="news, hourly", share=0.11, times=_news, history_days=30, vanishing=0.01),
    Rhythm(name="several a day", share=0.06, times=_several_a_day, history_days=60),
    Rhythm(name="daily", share=0.06, times=_daily),
    Rhythm(name="weekly", share=0.16, times=_weekly),
    Rhythm(name="monthly", share=0.08, times=_monthly, history_days=900),
    Rhythm(name="releases, in bursts", share=0.05, times=_releases),
    Rhythm(name="sporadic blog", share=0.08, times=_sporadic, history_days=900),
)
RHYTHMS = (
    *PUBLISHING,
    Rhythm(name="dying mid-year", share=0.05, times=_dying, vanishing=0.5),
    Rhythm(name="silent all year", share=0.35, times=_silent, vanishing=0.05),
)
