"""The retry times of a failed delivery: ten attempts in 75 hours (rules K7, K14). Pure; times are seconds."""

from __future__ import annotations

from typing import Final

from feedward.scheduling.jitter import stable_hash

STEPS_S: Final = (5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400)
"""The waits after the first to the ninth failed attempt."""
ATTEMPTS: Final = len(STEPS_S) + 1
BLOCKED_STEPS: Final = 2
"""The steps that are skipped for a blocked receiver: it is retried after 30 minutes at the earliest."""
RETRY_AFTER_MORE_S: Final = 7200
"""A Retry-After lengthens a wait by at most this much."""


def retry_at(
    delivery_id: str, attempts: int, now: int, *, retry_after_s: int | None = None, is_blocked: bool = False
) -> int | None:
    """Return the epoch second of the next attempt after this many failed ones; None if that was the last.

    Jitter adds up to 20 %, always the same for one delivery and attempt.
    """
    step = attempts - 1 + (BLOCKED_STEPS if is_blocked else 0)
    if step >= len(STEPS_S):
        return None
    wait_s = STEPS_S[step]
    asked_s = min(retry_after_s or 0, wait_s + RETRY_AFTER_MORE_S)
    jitter_s = stable_hash(f"{delivery_id}\n{attempts}") % (wait_s // 5 + 1)
    return now + max(wait_s + jitter_s, asked_s)
