"""How often a feed publishes, and how often it asks to be fetched (spec H3). Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice, pairwise

from feedward.health.freshness import stated_at
from feedward.model import Feed, Item

ITEMS = 20
LONGEST_HINT_S = 24 * 3600
_PERIODS_S = {"hourly": 3600, "daily": 86_400, "weekly": 7 * 86_400, "monthly": 30 * 86_400, "yearly": 365 * 86_400}
_MAX_AGE = re.compile(r"(?:^|[,\s])max-age\s*=\s*\"?(\d+)", re.IGNORECASE)


def published_times(items: Sequence[Item], now: int) -> list[int]:
    """Return when the dated items came, newest first, in epoch seconds; a date in the future counts as `now` (H4)."""
    dates = (stated_at(item) for item in items)
    return sorted((min(at, now) for at in dates if at is not None), reverse=True)


def median_gap_s(times: Sequence[int]) -> int | None:
    """Return the median gap in seconds of the last 20 of `times` (newest first), or None for fewer than two."""
    gaps = sorted(later - earlier for later, earlier in pairwise(islice(times, ITEMS)))
    # The statistics module has it too, at the price of what it imports.
    return (gaps[len(gaps) // 2] + gaps[~(len(gaps) // 2)]) // 2 if gaps else None


def hint_s(feed: Feed, headers: Mapping[str, str]) -> int | None:
    """Return the longest interval in seconds that the feed asks for: ttl, sy: or max-age, at most 24 h; None for none.

    `headers` are those of the answer, with names in lower case.
    """
    asked = (_ttl_s(feed), _syndication_s(feed), _max_age_s(headers))
    return max((min(each, LONGEST_HINT_S) for each in asked if each), default=None)


def _ttl_s(feed: Feed) -> int | None:
    minutes = _whole_number(feed.ttl)
    return minutes and minutes * 60


def _syndication_s(feed: Feed) -> int | None:
    """sy:updatePeriod over sy:updateFrequency; what is not given is `daily` and 1, if the other one is."""
    if feed.update_period is None and feed.update_frequency is None:
        return None
    period = _PERIODS_S.get((feed.update_period or "daily").strip().lower())
    return period and period // (_whole_number(feed.update_frequency) or 1)


def _max_age_s(headers: Mapping[str, str]) -> int | None:
    """How long the answer stays fresh: max-age, less the time that it lay in a cache (RFC 9111, 4.2)."""
    found = _MAX_AGE.search(headers.get("cache-control", ""))
    max_age = _whole_number(found[1]) if found else None
    return max_age and max(0, max_age - (_whole_number(headers.get("age")) or 0))


def _whole_number(text: str | None) -> int | None:
    text = (text or "").strip()
    return min(int(text[:19]), 10**9) if text.isascii() and text.isdigit() else None
