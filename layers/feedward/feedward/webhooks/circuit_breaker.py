"""The standing of a receiver: its circuit breaker, and reasons to disable it (rules K8, K9, K10). Pure; seconds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

FAILURES_TO_HOLD: Final = 5
FIRST_HOLD_S: Final = 60
LONGEST_HOLD_S: Final = 30 * 60
PROBE_S: Final = 40
"""The time limit of a probe, after which another one may start: longer than an attempt and its writes.

It is so much shorter than a hold that attempts which were under way at the hold's start are told from a probe.
"""
DAY_S: Final = 24 * 3600
DISABLED_AFTER_S: Final = 5 * DAY_S
FAILED_DAYS: Final = 3
FAILED_ATTEMPTS: Final = 10
SLOW_S: Final = 3.0
"""A failure that took longer delays the worker that waits for it."""
_NOTED_EVERY_S: Final = 3600
"""The time of the last success is written at most this often."""


class DisabledBecause(StrEnum):
    """Why a webhook was disabled: its receiver answered 410, had no success for days, or its owner disabled it."""

    GONE = "gone"
    FAILING = "failing"
    OWNER = "owner"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The last answers of a receiver, over all its deliveries.

    - failures: failed attempts in a row; five open the breaker
    - held_until, holds: the end of the hold, during which only probes are sent; the number of holds in a row
    - is_slow: the last failure was slow, so that only scheduled calls send to the receiver until it answers
    - last_success_at; since it: failing_since, failed (attempts), failed_days, last_failed_day (days with failures)
    - rev: grows with each write
    """

    failures: int = 0
    held_until: int | None = None
    holds: int = 0
    is_slow: bool = False
    last_success_at: int | None = None
    failing_since: int | None = None
    failed: int = 0
    failed_days: int = 0
    last_failed_day: int | None = None
    rev: int = 0

    def is_held(self, now: int) -> bool:
        """Return whether nothing may be sent now."""
        return self.held_until is not None and now < self.held_until

    def needs_probe(self, now: int) -> bool:
        """Return whether one delivery may be sent now as a probe."""
        return self.held_until is not None and now >= self.held_until


def after_success(before: Standing, now: int) -> Standing:
    """Return the standing after a 2xx; `before` itself if no write is needed."""
    is_clean = before.failures == 0 and before.failed == 0 and before.held_until is None
    if is_clean and before.last_success_at is not None and now - before.last_success_at < _NOTED_EVERY_S:
        return before
    return Standing(last_success_at=max(now, before.last_success_at or 0), rev=before.rev)


def after_failure(before: Standing, now: int, *, retry_after_s: int = 0, took_s: float = 0.0) -> Standing:
    """Return the standing after a failed attempt. Five in a row, or a failed probe, put the receiver on hold."""
    day = now // DAY_S
    counted = replace(
        before,
        failures=before.failures + 1,
        is_slow=took_s > SLOW_S,
        failed=before.failed + 1,
        failing_since=before.failing_since if before.failing_since is not None else now,
        failed_days=before.failed_days + (day != before.last_failed_day),
        last_failed_day=day,
    )
    if counted.failures < FAILURES_TO_HOLD or _has_other_hold(before, now):
        return counted
    hold_s = min(FIRST_HOLD_S << min(before.holds, 10), LONGEST_HOLD_S)
    wait_s = max(hold_s, min(retry_after_s, LONGEST_HOLD_S))
    return replace(counted, held_until=now + wait_s, holds=before.holds + 1)


def _has_other_hold(before: Standing, now: int) -> bool:
    """True if an attempt that started before the hold failed after it: the hold is unchanged."""
    return before.held_until is not None and before.held_until - now > PROBE_S


def begin_probe(before: Standing, now: int) -> Standing:
    """Return the standing during a probe. The first caller to write it may send."""
    return replace(before, held_until=now + PROBE_S)


def disabled_because(after: Standing, status: int | None, now: int) -> DisabledBecause | None:
    """Return why the receiver is disabled after a failed attempt with this status, or None."""
    if status == 410:
        return DisabledBecause.GONE
    since = after.last_success_at if after.last_success_at is not None else after.failing_since
    is_long = since is not None and now - since >= DISABLED_AFTER_S
    if is_long and after.failed_days >= FAILED_DAYS and after.failed >= FAILED_ATTEMPTS:
        return DisabledBecause.FAILING
    return None
