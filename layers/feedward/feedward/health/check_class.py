"""The class of a healthy feed, which is its check interval (rules H3, S5, S8). Pure.

The suitable interval follows from the feed's median gap and from the time since its last item. The feed gets the
nearest class. It keeps its current class while that is about right, to prevent flapping.
"""

from __future__ import annotations

from math import log
from typing import Final

from feedward.health.cadence import LONGEST_HINT_S
from feedward.health.feed_health import FeedHealth
from feedward.scheduling.slots import CLASSES, DAY_MIN, class_at_least

GAPS_AN_INTERVAL: Final = 1.12
UNKNOWN_CADENCE_MIN: Final = 60
LONGEST_LENGTHENING: Final = 3
# Silence lengthens the interval once it has lasted for this number of intervals.
QUIET_INTERVALS: Final = 3.8
SILENT_S: Final = 30 * 86_400
# For a feed with about one item a day, a class of a day would cost a day if its publishing time jumps or drifts.
DAILY_GAP_S: Final = 36 * 3600
DAILY_NEWS_WITHIN_S: Final = 5 * 86_400
DAILY_MOST_MIN: Final = 480
# A class is kept while the interval is between these multiples of it.
KEPT_FROM: Final = 0.55
KEPT_UPTO: Final = 2.4
# A slot lasts this long before its feed gets a longer class, and half as long if the feed had news in it: a shorter
# class that it got in the morning may end at night.
LEAST_STAY_S: Final = 24 * 3600
STAY_AFTER_NEWS_S: Final = 12 * 3600


def wanted_class(health: FeedHealth, now: int, *, current: int | None, since: int | None = None) -> int:
    """Return the class of a healthy feed from `now` on, in minutes: one of CLASSES.

    `current` is its present class, None for a new feed; `since` is when it got its slot, None if unknown. The class is
    never below the feed's hint, nor below `push_every`. A shorter class applies immediately, a longer one at most once
    a day (rule S8).
    """
    own = _own_class(health, now, current)
    if current is not None and own > current and _is_young(health, since, now):
        own = current
    return max(own, hint_class(health), health.push_every or 0)


def _is_young(health: FeedHealth, since: int | None, now: int) -> bool:
    """Return whether the feed has had its slot for less than a day, or less than half a day if it had news since."""
    if since is None:
        return False
    had_news = health.last_news_at is not None and health.last_news_at >= since
    return now - since < (STAY_AFTER_NEWS_S if had_news else LEAST_STAY_S)


def hint_class(health: FeedHealth) -> int:
    """Return the shortest class that the feed's hint allows: a hint is a floor, at most a day."""
    return class_at_least(min(health.hint_s or 0, LONGEST_HINT_S) / 60)


def interval_min(health: FeedHealth, now: int) -> float:
    """Return the minutes between checks that suit a healthy feed, from 15 min to 24 h, before hints and classes."""
    gap_s, silence_s = health.median_gap_s, _silence_s(health, now)
    if silence_s is not None and silence_s >= SILENT_S:
        return DAY_MIN
    shortest = max(gap_s / 60 * GAPS_AN_INTERVAL, CLASSES[0]) if gap_s else UNKNOWN_CADENCE_MIN
    quiet = (silence_s or 0) / 60 / QUIET_INTERVALS
    most = shortest * LONGEST_LENGTHENING if gap_s else DAY_MIN
    lengthened = min(max(shortest, quiet), most, DAY_MIN)
    return min(lengthened, DAILY_MOST_MIN) if _is_daily(gap_s, silence_s) else lengthened


def _own_class(health: FeedHealth, now: int, current: int | None) -> int:
    if current is not None and health.median_gap_s is None and _silence_s(health, now) is None:
        # It has never shown an item: each day it gets the next longer class.
        return class_at_least(current + 1)
    interval = interval_min(health, now)
    if current is not None and KEPT_FROM * current <= interval <= KEPT_UPTO * current:
        return current
    return min(CLASSES, key=lambda every: abs(log(every / interval)))


def _silence_s(health: FeedHealth, now: int) -> int | None:
    """Return the time since the last item; None if there never was one."""
    latest = health.latest_item_published_at if health.last_news_at is None else health.last_news_at
    return None if latest is None else max(now - latest, 0)


def _is_daily(gap_s: int | None, silence_s: int | None) -> bool:
    return gap_s is not None and 0 < gap_s <= DAILY_GAP_S and (silence_s or 0) <= DAILY_NEWS_WITHIN_S
