"""When a row that failed is asked again (spec F3). Pure.

As a feed that fails: 5 minutes, then twice as long each time, never sooner than the server asks for, with a jitter that
only adds and is the same for the same row and time.
"""

from __future__ import annotations

from feedward.health.backoff import LONGEST_RETRY_AFTER_S, degraded_interval_s
from feedward.health.schedule import jitter_s


def retry_at(row_id: str, attempts: int, now: int, *, retry_after_s: int | None = None) -> int:
    """Return the epoch second of the next try after `attempts` failures in a row.

    `retry_after_s` is what the server asked for: a floor, at most 7 days.
    """
    floor_s = min(max(retry_after_s or 0, 0), LONGEST_RETRY_AFTER_S)
    interval_s = max(degraded_interval_s(attempts), floor_s)
    slot = now + interval_s
    return slot + jitter_s(row_id, slot, interval_s)
