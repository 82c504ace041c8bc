"""Backoff of failing feeds and rows, and the floor that Retry-After sets (rules H3, H5). Pure; times are seconds."""

from __future__ import annotations

from feedward.model import LONGEST_RETRY_AFTER_S
from feedward.scheduling.jitter import jitter_s

DAY_S = 24 * 3600
FIRST_RETRY_S = 5 * 60
LONGEST_RETRY_S = 12 * 3600
UNHEALTHY_INTERVAL_S = DAY_S
LONG_UNHEALTHY_INTERVAL_S = 7 * DAY_S
LONG_UNHEALTHY_AFTER_S = 30 * DAY_S

_DOUBLINGS = 20  # far beyond the cap; keeps the shift small
_RETRY_AFTER_STATUSES = frozenset({429, 503})


def degraded_interval_s(failures: int) -> int:
    """Return the wait after the n-th failure in a row: 5 min x 2^(n-1), at most 12 h."""
    doublings = min(max(failures - 1, 0), _DOUBLINGS)
    return min(FIRST_RETRY_S << doublings, LONGEST_RETRY_S)


def unhealthy_interval_s(unhealthy_for_s: int) -> int:
    """Return the interval of an unhealthy feed: daily for 30 days, then weekly."""
    return UNHEALTHY_INTERVAL_S if unhealthy_for_s < LONG_UNHEALTHY_AFTER_S else LONG_UNHEALTHY_INTERVAL_S


def retry_after_floor_s(status: int | None, retry_after_s: int | None) -> int:
    """Return the floor that a server's Retry-After sets: for 429 and 503 only, at most 7 days; 0 for none."""
    if status not in _RETRY_AFTER_STATUSES:
        return 0
    return min(max(retry_after_s or 0, 0), LONGEST_RETRY_AFTER_S)


def retry_at(row_id: str, attempts: int, now: int, *, retry_after_s: int | None = None) -> int:
    """Return the epoch second of the next attempt after `attempts` failures in a row, with jitter.

    `retry_after_s` is the server's Retry-After: a floor, at most 7 days.
    """
    floor_s = min(max(retry_after_s or 0, 0), LONGEST_RETRY_AFTER_S)
    interval_s = max(degraded_interval_s(attempts), floor_s)
    slot = now + interval_s
    return slot + jitter_s(row_id, slot, interval_s)
