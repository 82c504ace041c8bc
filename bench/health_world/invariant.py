"""Rules I4 and H3, checked from outside.

Every feed that is not paused is due within its state's cap, and in the future. A feed in a slot is due no sooner than
two thirds of its class after its check, and no later than its class. The caps are the rules' own numbers, not the
code's, so that a change of the code cannot loosen them.
"""

from __future__ import annotations

from bench.health_world.failures import Answer
from feedward.health.decision import Decision
from feedward.model import FeedState, Outcome

CAPS_S = {FeedState.HEALTHY: 24 * 3600, FeedState.DEGRADED: 12 * 3600, FeedState.UNHEALTHY: 7 * 86_400}
RETRY_AFTER_CAP_S = 7 * 86_400


class I4BrokenError(AssertionError):
    """A feed has no next check, one in the past, or one beyond its cap."""


class H3BrokenError(AssertionError):
    """A feed in a slot is due too soon after its check, or too late."""


def hold_i4(decision: Decision, answer: Answer, now: int) -> int:
    """Return when the feed is due; raise I4BrokenError if a feed that is not paused violates rule I4."""
    feed, due = decision.health.feed_id, decision.next_check_at
    if due is None or decision.health.state is FeedState.PAUSED:
        raise I4BrokenError(f"{feed} is {decision.health.state} and due at {due}, though it is not paused")
    if due <= now:
        raise I4BrokenError(f"{feed} is due {now - due} s ago, after {answer.outcome}")
    cap = CAPS_S[decision.health.state]
    if answer.outcome is Outcome.RATE_LIMITED or answer.status == 503:
        cap = max(cap, min(answer.retry_after_s or 0, RETRY_AFTER_CAP_S))
    if due - now > cap + cap // 10:
        raise I4BrokenError(f"{feed} is {decision.health.state} and due in {due - now} s, beyond {cap} s and jitter")
    return due


def hold_h3(decision: Decision, due: int, now: int) -> None:
    """Raise H3BrokenError if a feed in a slot is due sooner or later than rule H3 allows."""
    slot = decision.place.slot if decision.place and decision.next_check_at == decision.place.next_at(now + 1) else None
    if slot and not slot.every * 40 <= due - now <= slot.every * 60:
        raise H3BrokenError(f"{decision.health.feed_id} is due {due - now} s after its check, every {slot.every} min")
