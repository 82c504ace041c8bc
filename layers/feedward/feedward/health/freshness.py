"""When did a feed's items come, and is it too long ago (spec H4)? Pure; times are epoch seconds."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from feedward.model import Item

STALE_GAPS = 5
STALE_LEAST_S = 30 * 24 * 3600


class Freshness(StrEnum):
    """Whether new items can still be expected. UNKNOWN ranks below FRESH: nothing shows that anything ever came."""

    FRESH = "fresh"
    STALE = "stale"
    UNKNOWN = "unknown"


def freshness(latest_item_at: int | None, median_gap_s: int | None, now: int) -> Freshness:
    """Tell whether no item came for 5 times the median gap and at least 30 days; unknown where no item ever came."""
    if latest_item_at is None:
        return Freshness.UNKNOWN
    allowed = max(STALE_GAPS * (median_gap_s or 0), STALE_LEAST_S)
    return Freshness.STALE if now - latest_item_at >= allowed else Freshness.FRESH


def effective_at(item: Item, first_seen_at: int) -> int:
    """Return when an item came: its own date, but never later than it was first seen; undated: when first seen."""
    own = stated_at(item)
    return first_seen_at if own is None else min(own, first_seen_at)


def stated_at(item: Item) -> int | None:
    """Return the item's own date: when it was published, else when it was updated, else None."""
    return item.updated_at if item.published_at is None else item.published_at


def rhythm_times(items: Iterable[tuple[Item, int]]) -> list[int]:
    """Return the times to take a feed's rhythm from, newest first: (item, first seen at) to when it came.

    Undated items that were found together count once: the moment says when somebody looked, not how far apart they
    were, and a gap of nothing would have them checked every 15 minutes.
    """
    dated, found = [], set()
    for item, first_seen_at in items:
        if stated_at(item) is None:
            found.add(first_seen_at)
        else:
            dated.append(effective_at(item, first_seen_at))
    return sorted([*dated, *found], reverse=True)
