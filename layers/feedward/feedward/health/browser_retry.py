"""Selects the feeds that are requested with browser headers first: their hosts refuse robots (rule D4). Pure.

The finding is stored with the feed and tested again every week. Without it each check of such a feed would send two
requests, and the first would be refused.
"""

from __future__ import annotations

from typing import Final

from feedward.health.outcomes import OUTCOMES
from feedward.model import REFUSING_STATUSES, FetchResult, Outcome

REFUSALS: Final = frozenset({Outcome.FORBIDDEN, Outcome.CHALLENGE})
PLAINLY_AGAIN_AFTER_S: Final = 7 * 24 * 3600


def is_asked_as_browser(as_browser_at: int | None, now: int) -> bool:
    """Return whether the first request uses browser headers.

    `as_browser_at` is the epoch second at which only a request with browser headers was answered, or None.
    """
    return as_browser_at is not None and now - as_browser_at < PLAINLY_AGAIN_AFTER_S


def answered(fetch: FetchResult) -> Outcome:
    """Return the outcome that counts here: `forbidden` for each status that refuses as 403 does (rule H1).

    A wall with 503 gets no immediate second request (rule D4).
    """
    if fetch.status == 503 and fetch.outcome is Outcome.CHALLENGE:
        return Outcome.SERVER_ERROR
    return Outcome.FORBIDDEN if fetch.status in REFUSING_STATUSES else fetch.outcome


def learned(before: int | None, *, plain: Outcome | None, browser: Outcome | None, now: int) -> int | None:
    """Return `as_browser_at` after a check, given the outcome of each kind of request; None for one that was not sent.

    An answered plain request clears it, and so do refusals of both requests. A network failure does not change it.
    """
    if plain is None:
        return before
    if plain in REFUSALS and browser is not None and browser not in REFUSALS:
        return before if OUTCOMES[browser].network else now
    return before if OUTCOMES[plain].network else None
