"""Words for times and checks that the tests of the health share."""

from __future__ import annotations

from feedward.health.decision import Check, Decision
from feedward.health.feed_health import FeedHealth
from feedward.health.state_machine import decide
from feedward.model import Outcome, RejectionReason

NOW = 1_772_323_200  # 2026-03-01T00:00:00Z, a whole minute
MINUTE = 60
HOUR = 3600
DAY = 24 * HOUR
FEED_ID = "01JNE3T8000000000000000000"

OK = Check(outcome=Outcome.OK, status=200)
NEWS = Check(outcome=Outcome.OK, status=200, new_items=1)
UNCHANGED = Check(outcome=Outcome.NOT_MODIFIED, status=304)
FAILED = Check(outcome=Outcome.SERVER_ERROR, status=500)
NOT_FOUND = Check(outcome=Outcome.NOT_FOUND, status=404)
GONE = Check(outcome=Outcome.GONE, status=410)
TIMEOUT = Check(outcome=Outcome.TIMEOUT)
LIMITED = Check(outcome=Outcome.RATE_LIMITED, status=429)
HTML = Check(outcome=Outcome.NOT_FEED, status=200, reason=RejectionReason.HTML)


def healthy(median_gap_s: int | None = 2 * HOUR, hint_s: int | None = None) -> FeedHealth:
    return FeedHealth(feed_id=FEED_ID, median_gap_s=median_gap_s, hint_s=hint_s)


def replay(health: FeedHealth, *events: tuple[int, Check]) -> list[Decision]:
    """Decide on each (epoch second, check) in turn."""
    decisions = []
    for at, check in events:
        decisions.append(decide(health, check, at))
        health = decisions[-1].health
    return decisions


def last(health: FeedHealth, *events: tuple[int, Check]) -> Decision:
    return replay(health, *events)[-1]


def failing(count: int, check: Check = FAILED, *, every: int = 12 * HOUR, start: int = NOW) -> list[tuple[int, Check]]:
    return [(start + n * every, check) for n in range(count)]
