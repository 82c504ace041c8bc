"""The interval between checks of a healthy feed, and the time of a new feed's first check (rule H3). Pure."""

from __future__ import annotations

from feedward.scheduling.jitter import jitter_s

SHORTEST_INTERVAL_S = 15 * 60
LONGEST_INTERVAL_S = 24 * 3600
UNKNOWN_CADENCE_INTERVAL_S = 3600
LONGEST_LENGTHENING = 4
QUIET_CHECKS = 4  # 1.5 to the power of 4 exceeds the limit, so more need not be counted


def first_check_at(feed_id: str, now: int, *, median_gap_s: int | None = None, hint_s: int | None = None) -> int:
    """Return the time of a new feed's first check in epoch seconds: a healthy feed's interval from `now`, plus jitter.

    `median_gap_s` is the median gap of its items, or None if unknown. `hint_s` is the interval that the feed asks for
    (ttl, sy:, max-age). The check is at least 15 min and at most 24 h plus 10 % ahead (rule H3).
    """
    slot = now + healthy_interval_s(median_gap_s, hint_s)
    return slot + jitter_s(feed_id, slot, slot - now)


def healthy_interval_s(median_gap_s: int | None, hint_s: int | None = None, quiet_checks: int = 0) -> int:
    """Return the seconds between checks of a healthy feed, before jitter: half the median gap, 15 min to 24 h.

    Each of `quiet_checks`, the consecutive checks without new items, lengthens it by half, up to 4 times and 24 h. It
    is never below `hint_s`, the interval that the feed asks for.
    """
    half_gap = median_gap_s // 2 if median_gap_s else UNKNOWN_CADENCE_INTERVAL_S
    shortest = max(half_gap, SHORTEST_INTERVAL_S)
    quiet = min(quiet_checks, QUIET_CHECKS)
    lengthened = min(int(shortest * 1.5**quiet), shortest * LONGEST_LENGTHENING)
    return min(max(lengthened, hint_s or 0), LONGEST_INTERVAL_S)
