"""What one feed's check says about its host, and what the host's other feeds say about the check (spec H6). Pure."""

from __future__ import annotations

from collections.abc import Iterable

from feedward.health.backoff import retry_after_floor_s
from feedward.health.check import Check
from feedward.health.next_check import RATE_LIMITED_LEAST_S
from feedward.model import FeedState, Outcome


def host_fails(others: Iterable[tuple[FeedState, int]]) -> bool:
    """Tell whether every other feed of the host fails too, given each one's state and failures in a row.

    Paused ones are not asked, so they say nothing; a host with no other feed is no host event.
    """
    failing = [failures > 0 for state, failures in others if state is not FeedState.PAUSED]
    return bool(failing) and all(failing)


def host_pause_until(check: Check, now: int) -> int | None:
    """Return until when (epoch seconds) none of the host's feeds should be asked, or None.

    A limit is the host's: 429 speaks for all its feeds, for an hour if it does not say how long; 503 only if it does.
    """
    if check.outcome is Outcome.RATE_LIMITED:
        return now + (retry_after_floor_s(429, check.retry_after_s) or RATE_LIMITED_LEAST_S)
    wait = retry_after_floor_s(check.status, check.retry_after_s)
    return now + wait if wait else None
