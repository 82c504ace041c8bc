"""Leases and retry times (rules W10, W11). Pure; times are epoch seconds."""

from __future__ import annotations

from typing import Final

from feedward.scheduling.backoff import DAY_S
from feedward.scheduling.jitter import stable_hash

WISH_S: Final = 10 * DAY_S
LONGEST_S: Final = 14 * DAY_S
SHORTEST_S: Final = 2 * DAY_S
UNSAID_S: Final = 5 * DAY_S
REFUSED_FOR_S: Final = 7 * DAY_S
TRIES_S: Final = (3600, 4 * 3600, 12 * 3600, DAY_S)
_DIGITS_AT_MOST: Final = 15


def believed_lease_s(said: str | None) -> int | None:
    """Return the lease that a hub grants: at most 14 days, 5 days if it names none.

    None if it is not a whole number, or too short to be renewed in time.
    """
    if said is None or not said.strip():
        return UNSAID_S
    text = said.strip()
    if not (text.isascii() and text.isdecimal()):
        return None
    lease_s = LONGEST_S if len(text) > _DIGITS_AT_MOST else min(int(text), LONGEST_S)
    return lease_s if lease_s >= SHORTEST_S else None


def renew_at(feed_id: str, now: int, lease_s: int) -> int:
    """Return when a lease is renewed: between one half and three quarters of it, by the feed's id."""
    return now + lease_s // 2 + stable_hash(f"renew\n{feed_id}") % (lease_s // 4)


def try_again_at(tries: int, now: int, *, retry_after_s: int | None = None) -> int:
    """Return when a hub is asked again after this many failed attempts in a row."""
    waits = TRIES_S[min(max(tries, 1), len(TRIES_S)) - 1]
    return now + max(waits, min(retry_after_s or 0, REFUSED_FOR_S))
