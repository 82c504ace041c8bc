"""The cadence of a feed: its median gap, the interval it asks for, and its staleness (rules H3, H4). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import islice, pairwise

from feedward.model import Feed, Item

STALE_GAPS = 5
STALE_LEAST_S = 30 * 24 * 3600


class Freshness(StrEnum):
    """Whether new items can be expected. UNKNOWN ranks below FRESH: the feed has never shown an item."""

    FRESH = "fresh"
    STALE = "stale"
    UNKNOWN = "unknown"


def freshness(latest_item_at: int | None, median_gap_s: int | None, now: int) -> Freshness:
    """Return STALE if no item was published for 5 median gaps and at least 30 days, UNKNOWN if there never was one."""
    if latest_item_at is None:
        return Freshness.UNKNOWN
    allowed = max(STALE_GAPS * (median_gap_s or 0), STALE_LEAST_S)
    return Freshness.STALE if now - latest_item_at >= allowed else Freshness.FRESH


def effective_at(item: Item, first_seen_at: int) -> int:
    """Return an item's effective date: its own date, at most `first_seen_at`; an undated item has `first_seen_at`."""
    own = stated_at(item)
    return first_seen_at if own is None else min(own, first_seen_at)


def stated_at(item: Item) -> int | None:
    """Return the item's own date: its publication date, else its update date, else None."""
    return item.updated_at if item.published_at is None else item.published_at


def rhythm_times(items: Iterable[tuple[Item, int]]) -> list[int]:
    """Return the times that a feed's cadence is computed from, newest first, given pairs of (item, first seen at).

    Undated items that were found by the same check count once: their time is that of the check, and with gaps of zero
    the feed would be checked every 15 minutes.
    """
    dated, found = [], set()
    for item, first_seen_at in items:
        if stated_at(item) is None:
            found.add(first_seen_at)
        else:
            dated.append(effective_at(item, first_seen_at))
    return sorted([*dated, *found], reverse=True)


ITEMS = 20
LONGEST_HINT_S = 24 * 3600
_PERIODS_S = {"hourly": 3600, "daily": 86_400, "weekly": 7 * 86_400, "monthly": 30 * 86_400, "yearly": 365 * 86_400}
_MAX_AGE = re.compile(r"(?:^|[,\s])max-age\s*=\s*\"?(\d+)", re.IGNORECASE)


def published_times(items: Sequence[Item], now: int) -> list[int]:
    """Return the items' own dates in epoch seconds, newest first; a date in the future counts as `now` (rule H4)."""
    dates = (stated_at(item) for item in items)
    return sorted((min(at, now) for at in dates if at is not None), reverse=True)


def median_gap_s(times: Sequence[int]) -> int | None:
    """Return the median gap in seconds of the last 20 of `times` (newest first), or None for fewer than two times.

    A feed may publish several items at once, or state one date for all: if most gaps are 0, they do not count.
    """
    gaps = sorted(later - earlier for later, earlier in pairwise(islice(times, ITEMS)))
    return _median(gaps) or _median([gap for gap in gaps if gap]) or None


def _median(gaps: Sequence[int]) -> int:
    """Return the median of sorted gaps; 0 for none. Importing statistics.median would slow the cold start."""
    return (gaps[len(gaps) // 2] + gaps[~(len(gaps) // 2)]) // 2 if gaps else 0


def hint_s(feed: Feed, headers: Mapping[str, str]) -> int | None:
    """Return the longest interval in seconds that the feed asks for (ttl, sy:, max-age), at most 24 h, or None.

    `headers` are the response headers, with names in lower case.
    """
    asked = (_ttl_s(feed), _syndication_s(feed), _max_age_s(headers))
    return max((min(each, LONGEST_HINT_S) for each in asked if each), default=None)


def _ttl_s(feed: Feed) -> int | None:
    minutes = _whole_number(feed.ttl)
    return minutes and minutes * 60


def _syndication_s(feed: Feed) -> int | None:
    """Return sy:updatePeriod divided by sy:updateFrequency. If one is missing, it defaults to `daily` or 1."""
    if feed.update_period is None and feed.update_frequency is None:
        return None
    period = _PERIODS_S.get((feed.update_period or "daily").strip().lower())
    return period and period // (_whole_number(feed.update_frequency) or 1)


def _max_age_s(headers: Mapping[str, str]) -> int | None:
    """Return how long the response stays fresh: max-age minus Age, its time in caches (RFC 9111, 4.2)."""
    found = _MAX_AGE.search(headers.get("cache-control", ""))
    max_age = _whole_number(found[1]) if found else None
    return max_age and max(0, max_age - (_whole_number(headers.get("age")) or 0))


def _whole_number(text: str | None) -> int | None:
    text = (text or "").strip()
    return min(int(text[:19]), 10**9) if text.isascii() and text.isdigit() else None
