"""When a feed is checked next, by its state (rules H3, I4). Pure.

The interval of the state, within its cap, is raised to the server's Retry-After. Jitter is added last.
"""

from __future__ import annotations

from feedward.health.decision import Check
from feedward.health.interval import SHORTEST_INTERVAL_S, healthy_interval_s
from feedward.health.record import FeedHealth
from feedward.model import FeedState, Outcome
from feedward.scheduling.backoff import (
    LONGEST_RETRY_AFTER_S,
    degraded_interval_s,
    unhealthy_interval_s,
)
from feedward.scheduling.cooldown import rate_limit_s
from feedward.scheduling.jitter import jitter_s
from feedward.scheduling.lateness import LEAST_AHEAD_S

# After our own outage feeds are checked soon, but not all at once.
AFTER_OUTAGE_S = 5 * 60
AFTER_OUTAGE_SPREAD_S = 10 * 60


def next_check_at(health: FeedHealth, now: int) -> int | None:
    """Return when a feed is due by its state alone, in epoch seconds, or None for a paused feed."""
    return None if health.state is FeedState.PAUSED else _slot(health, now, interval_s(health, now))


def next_check_after(health: FeedHealth, check: Check, now: int) -> int:
    """Return when a feed that is not paused is due after `check`, not before the server's Retry-After.

    A healthy feed that is refused with 429 and a Retry-After, even of 0, was told when to come: it waits no longer than
    that and the shortest interval of any feed.
    """
    is_told = check.outcome is Outcome.RATE_LIMITED and check.retry_after_s is not None
    is_soon = is_told and health.state is FeedState.HEALTHY
    own_s = healthy_interval_s(SHORTEST_INTERVAL_S, health.hint_s) if is_soon else interval_s(health, now)
    return _slot(health, now, max(own_s, _asked_s(check)))


def next_check_after_outage(health: FeedHealth, now: int) -> int:
    """Return when a feed is due whose check failed in our own outage: in 5 to 15 minutes, with jitter (rule H5)."""
    return now + AFTER_OUTAGE_S + jitter_s(health.feed_id, now, AFTER_OUTAGE_SPREAD_S * 10)


def next_check_after_pause(health: FeedHealth, until: int, now: int) -> int:
    """Return when a feed is due that was skipped because its host is in cooldown until `until`: then, plus jitter.

    The feed was not checked, so its health does not change.
    """
    return _slot(health, now, min(until - now, LONGEST_RETRY_AFTER_S))


def interval_s(health: FeedHealth, now: int) -> int:
    """Return the interval of the feed's state in seconds, within the state's cap, before Retry-After and jitter."""
    if health.state is FeedState.DEGRADED:
        return degraded_interval_s(health.consecutive_failures)
    if health.state is FeedState.UNHEALTHY:
        return unhealthy_interval_s(0 if health.unhealthy_since is None else now - health.unhealthy_since)
    return healthy_interval_s(health.median_gap_s, health.hint_s, health.quiet_checks)


def _asked_s(check: Check) -> int:
    return rate_limit_s(check.outcome, check.status, check.retry_after_s)


def _slot(health: FeedHealth, now: int, wait_s: int) -> int:
    slot = now + max(wait_s, LEAST_AHEAD_S)
    return slot + jitter_s(health.feed_id, slot, slot - now)
