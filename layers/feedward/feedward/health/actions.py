"""What a person does to a feed's health: pause and resume; and what a new URL does to it (spec H2, H6). Pure.

Resuming, swapping and undoing are followed by a check at once, which is a message: the time given here is within the
state's cap and only the net below it (design section 3).
"""

from __future__ import annotations

from dataclasses import replace

from feedward.health.decision import Decision, state_change
from feedward.health.next_check import next_check_at
from feedward.health.outage import without_failures
from feedward.health.record import FeedHealth
from feedward.model import FeedState


def pause(health: FeedHealth) -> Decision:
    """Stop checking the feed until a person says otherwise. What is known of its failures is kept."""
    return _become(health, replace(health, state=FeedState.PAUSED), None, "paused")


def resume(health: FeedHealth, now: int) -> Decision:
    """Check a paused feed again, in the state that it had; another one is only due as it would be anyway."""
    after = replace(health, state=_state_by_failures(health)) if health.state is FeedState.PAUSED else health
    return _become(health, after, next_check_at(after, now), "resumed")


def swapped(health: FeedHealth, now: int) -> Decision:
    """The feed has another URL that was just fetched and found valid: a success. A paused one stays paused."""
    after = without_failures(health)
    if health.state is FeedState.PAUSED:
        after = replace(after, state=FeedState.PAUSED)
    return _become(health, after, next_check_at(after, now), "swapped")


def _state_by_failures(health: FeedHealth) -> FeedState:
    if health.unhealthy_since is not None:
        return FeedState.UNHEALTHY
    return FeedState.DEGRADED if health.consecutive_failures else FeedState.HEALTHY


def _become(before: FeedHealth, after: FeedHealth, due: int | None, reason: str) -> Decision:
    change = state_change(before.state, after.state, reason)
    return Decision(health=before if after == before else after, next_check_at=due, state_change=change)
