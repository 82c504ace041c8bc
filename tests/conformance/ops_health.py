"""Conformance op of the health: a feed and its checks -> the decision after each. No logic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from feedward.health.decision import Check, Reading
from feedward.health.feed_health import FeedHealth
from feedward.health.outage import minute_of
from feedward.health.state_machine import decide
from feedward.model import FeedState, Outcome, RejectionReason

__all__ = ["health_replay"]


def health_replay(feed: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Run one case; minutes of our own outages stay marked for the checks that follow."""
    health = FeedHealth(
        feed_id=feed.get("feed_id", "01JNE3T8000000000000000000"),
        state=FeedState(feed["state"]),
        consecutive_failures=feed["consecutive_failures"],
        median_gap_s=feed["median_gap_s"],
    )
    outages: frozenset[int] = frozenset()
    replayed = []
    for event in events:
        at = int(datetime.fromisoformat(event["at"]).timestamp())
        outages |= {minute_of(at)} if event.get("own_outage") else set()
        decision = decide(health, _check(event, health, outages), at)
        health = decision.health
        replayed.append(
            {
                "state": health.state.value,
                "consecutive_failures": health.consecutive_failures,
                "next_in_s": None if decision.next_check_at is None else decision.next_check_at - at,
                "revive": decision.revival is not None,
            }
        )
    return replayed


def _check(event: Mapping[str, Any], health: FeedHealth, outages: frozenset[int]) -> Check:
    outcome = Outcome(event["outcome"])
    return Check(
        outcome=outcome,
        status=event.get("status"),
        reason=RejectionReason(event["reason"]) if "reason" in event else None,
        retry_after_s=event.get("retry_after_s"),
        new_items=event.get("new_items", 0),
        reading=Reading(median_gap_s=health.median_gap_s, hint_s=event.get("hint_s", health.hint_s)),
        outage_minutes=outages,
    )
