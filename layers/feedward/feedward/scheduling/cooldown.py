"""The cooldown of a host that answered 429, or 503 with Retry-After (rules H3, I9). Pure; epoch seconds.

The cooldown is the host's, not the feed's: it holds for every scheduled request to the host that answered.
"""

from __future__ import annotations

from typing import Final

from feedward.model import FetchResult, Outcome
from feedward.scheduling.backoff import retry_after_floor_s

RATE_LIMITED_LEAST_S: Final = 3600
"""The cooldown after a 429 without Retry-After."""


def rate_limit_s(outcome: Outcome, status: int | None, retry_after_s: int | None) -> int:
    """Return the cooldown that a response requests, in seconds; 0 without one."""
    if outcome is Outcome.RATE_LIMITED:
        return RATE_LIMITED_LEAST_S if retry_after_s is None else retry_after_floor_s(429, retry_after_s)
    return retry_after_floor_s(status, retry_after_s)


def cooldown_until(fetch: FetchResult, now: int) -> int | None:
    """Return the end of the cooldown that a response requests, or None.

    An unsent request has none.
    """
    if fetch.held_back_until is not None:
        return None
    wait_s = rate_limit_s(fetch.outcome, fetch.status, fetch.retry_after_s)
    return now + wait_s if wait_s else None
