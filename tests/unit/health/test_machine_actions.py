"""The effect of people's actions, and of a new URL, on a feed's health (rule H2)."""

from __future__ import annotations

import pytest

from feedward.health.decision import Check, StateChange
from feedward.health.state_machine import pause, relocated, resume
from feedward.model import FeedState
from tests.unit.health.times import DAY, FAILED, GONE, HOUR, NOW, OK, failing, healthy, last

HEALTHY, DEGRADED, UNHEALTHY, PAUSED = FeedState.HEALTHY, FeedState.DEGRADED, FeedState.UNHEALTHY, FeedState.PAUSED
HISTORIES = [
    ([(NOW, OK)], HEALTHY, DAY),
    (failing(3), DEGRADED, 12 * HOUR),
    (failing(9), UNHEALTHY, 7 * DAY),
    ([(NOW, GONE), (NOW + 2 * DAY, GONE)], UNHEALTHY, 7 * DAY),
]


@pytest.mark.parametrize(("events", "state", "cap"), HISTORIES)
def test_a_paused_feed_is_due_never_and_resumes_where_it_was(
    events: list[tuple[int, Check]], state: FeedState, cap: int
) -> None:
    before = last(healthy(), *events).health
    paused = pause(before)
    assert (paused.health.state, paused.next_check_at) == (PAUSED, None)
    assert paused.state_change == StateChange(before=state, after=PAUSED, reason="paused")
    resumed = resume(paused.health, NOW + 9 * DAY)
    assert resumed.health == before
    assert resumed.state_change == StateChange(before=PAUSED, after=state, reason="resumed")
    assert resumed.next_check_at is not None
    assert NOW + 9 * DAY + 60 <= resumed.next_check_at <= NOW + 9 * DAY + cap * 1.1


def test_doing_it_twice_changes_and_tells_nothing() -> None:
    paused = pause(healthy()).health
    assert pause(paused).health is paused
    assert not pause(paused).is_eventful
    assert resume(healthy(), NOW).state_change is None


def test_a_relocation_to_a_proven_url_is_a_success() -> None:
    decision = relocated(last(healthy(), *failing(9)).health, NOW + 9 * DAY)
    assert (decision.health.state, decision.health.consecutive_failures) == (HEALTHY, 0)
    assert decision.state_change == StateChange(before=UNHEALTHY, after=HEALTHY, reason="relocated")


def test_a_relocation_does_not_wake_a_paused_feed() -> None:
    decision = relocated(pause(last(healthy(), (NOW, FAILED)).health).health, NOW)
    assert (decision.health.state, decision.next_check_at, decision.state_change) == (PAUSED, None, None)
    assert resume(decision.health, NOW).health.state is HEALTHY
