"""For any events, a feed is due again in time, and only a success or a person changes its state back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from feedward.health.decision import Check, Decision, Reading
from feedward.health.feed_health import FeedHealth
from feedward.health.outage import minute_of
from feedward.health.outcomes import OUTCOMES
from feedward.health.state_machine import decide, pause, relocated, resume
from feedward.model import FeedState, Outcome, RejectionReason

START = 1_772_323_200
HOUR, DAY = 3600, 86_400
CAPS = {FeedState.HEALTHY: DAY, FeedState.DEGRADED: 12 * HOUR, FeedState.UNHEALTHY: 7 * DAY}
LONGEST_RETRY_AFTER = 7 * DAY
NEVER_REVIVE = {Outcome.FORBIDDEN, Outcome.CHALLENGE, Outcome.RATE_LIMITED, Outcome.BLOCKED}


@dataclass(frozen=True)
class Event:
    """An event `after` seconds: a check, or `pause`, `resume`, `relocate`. `ours`: in an outage of our own."""

    after: int
    what: Check | str
    ours: bool = False


numbers = st.none() | st.integers(-5, 400 * DAY)
readings = st.builds(
    Reading,
    median_gap_s=st.none() | st.integers(0, 400 * DAY),
    hint_s=st.none() | st.integers(1, DAY),
    latest_item_published_at=st.none() | st.integers(START - 400 * DAY, START),
)
checks = st.builds(
    Check,
    outcome=st.sampled_from(Outcome),
    status=st.none() | st.sampled_from([200, 304, 403, 404, 410, 429, 500, 503]),
    reason=st.none() | st.sampled_from(RejectionReason),
    retry_after_s=numbers,
    new_items=st.integers(0, 3),
    reading=st.none() | readings,
    sent_elsewhere=st.booleans(),
    host_fails=st.booleans(),
)
dull_checks = st.sampled_from([Outcome.TIMEOUT, Outcome.GONE, Outcome.NOT_FOUND, Outcome.FORBIDDEN]).map(
    lambda outcome: Check(outcome=outcome)
)
waits = st.sampled_from([0, 1, 59, 300, HOUR, 12 * HOUR, DAY, 7 * DAY]) | st.integers(0, 40 * DAY)
events = st.builds(Event, waits, checks | dull_checks | st.sampled_from(["pause", "resume", "relocate"]), st.booleans())
# One failure again and again, hours apart: how feeds come to be unhealthy, or nearly.
runs = st.sampled_from([Outcome.TIMEOUT, Outcome.SERVER_ERROR, Outcome.GONE, *sorted(NEVER_REVIVE)]).flatmap(
    lambda outcome: st.lists(
        st.builds(Event, st.sampled_from([300, HOUR, 8 * HOUR, 10 * HOUR, DAY]), st.just(Check(outcome=outcome))),
        min_size=7,
        max_size=11,
    )
)
few = st.lists(events, max_size=6)
histories = few | st.tuples(few, runs, few).map(lambda parts: [*parts[0], *parts[1], *parts[2]])


@dataclass(frozen=True)
class Step:
    at: int
    event: Event
    before: FeedHealth
    decision: Decision


def play(history: list[Event]) -> list[Step]:
    health, at = FeedHealth(feed_id="01JNE3T8000000000000000000"), START
    outages: frozenset[int] = frozenset()
    steps = []
    for event in history:
        at += event.after
        outages |= {minute_of(at)} if event.ours else set()
        decision = happen(health, event, at, outages)
        steps.append(Step(at, event, health, decision))
        health = decision.health
    return steps


def happen(health: FeedHealth, event: Event, at: int, outages: frozenset[int]) -> Decision:
    if isinstance(event.what, Check):
        return decide(health, replace(event.what, outage_minutes=outages), at)
    if event.what == "pause":
        return pause(health)
    return resume(health, at) if event.what == "resume" else relocated(health, at)


def outcome_of(step: Step) -> Outcome | None:
    return step.event.what.outcome if isinstance(step.event.what, Check) else None


@given(histories)
def test_every_feed_that_is_not_paused_is_due_within_the_cap_of_its_state(history: list[Event]) -> None:
    for step in play(history):
        state, due = step.decision.health.state, step.decision.next_check_at
        if state is FeedState.PAUSED:
            assert due is None
            continue
        asked = isinstance(step.event.what, Check) and step.event.what.retry_after_s is not None
        cap = max(CAPS[state], LONGEST_RETRY_AFTER) if asked else CAPS[state]
        assert due is not None
        assert step.at + 60 <= due <= step.at + cap * 1.1


@given(histories)
def test_paused_is_left_and_entered_by_a_person_alone(history: list[Event]) -> None:
    for step in play(history):
        was, is_now = step.before.state is FeedState.PAUSED, step.decision.health.state is FeedState.PAUSED
        assert was == is_now or step.event.what == ("resume" if was else "pause")
        if was and isinstance(step.event.what, Check):
            assert step.decision.health is step.before


@given(histories)
def test_a_success_always_ends_in_healthy_with_nothing_counted(history: list[Event]) -> None:
    for step in play(history):
        outcome = outcome_of(step)
        if outcome and OUTCOMES[outcome].is_success and step.before.state is not FeedState.PAUSED:
            assert step.decision.health.state is FeedState.HEALTHY
            assert step.decision.health.consecutive_failures == 0


@given(histories)
def test_state_and_counter_agree(history: list[Event]) -> None:
    for step in play(history):
        health = step.decision.health
        if health.state is FeedState.HEALTHY:
            assert (health.consecutive_failures, health.first_failure_at, health.network_failures) == (0, None, ())
            assert (health.unhealthy_since, health.first_gone_at, health.not_founds) == (None, None, 0)
        elif health.state is not FeedState.PAUSED:
            assert health.consecutive_failures > 0
            assert (health.unhealthy_since is not None) == (health.state is FeedState.UNHEALTHY)
            assert health.first_failure_at is not None
            assert health.first_failure_at <= step.at


@given(histories)
def test_unhealthy_is_never_entered_by_fewer_than_8_failures_or_within_3_days_but_by_410(history: list[Event]) -> None:
    for step in play(history):
        health = step.decision.health
        entered = health.state is FeedState.UNHEALTHY and health.unhealthy_since == step.at
        if entered and step.before.state is FeedState.DEGRADED and outcome_of(step) is not Outcome.GONE:
            assert health.consecutive_failures >= 8
            assert health.first_failure_at is not None
            assert step.at - health.first_failure_at >= 3 * DAY


@given(histories)
def test_a_refusing_feed_is_never_revived_and_no_feed_twice_a_day(history: list[Event]) -> None:
    asked = [step for step in play(history) if step.decision.revival]
    assert not {outcome_of(step) for step in asked} & NEVER_REVIVE
    assert all(later.at - earlier.at >= DAY for earlier, later in pairwise(asked))
    for step in asked:
        assert isinstance(step.event.what, Check)
        assert not step.event.what.host_fails
        assert not OUTCOMES[step.event.what.outcome].is_success


@given(st.lists(st.builds(Event, waits, st.just(Check(outcome=Outcome.TIMEOUT)), st.just(value=True)), max_size=40))
def test_no_feed_leaves_healthy_because_of_our_own_outage(history: list[Event]) -> None:
    assert all(step.decision.health.state is FeedState.HEALTHY for step in play(history))


@given(histories, st.integers(1, 12 * HOUR), st.sampled_from([Outcome.SERVER_ERROR, Outcome.RATE_LIMITED]))
def test_failures_that_turn_out_to_be_ours_leave_nothing_behind(
    history: list[Event], after: int, outcome: Outcome
) -> None:
    """The same feed, once with a network failure that is marked as ours too late, once without it."""
    steps = play(history)
    start = steps[-1].decision.health if steps else FeedHealth(feed_id="01JNE3T8000000000000000000")
    at = (steps[-1].at if steps else START) + DAY
    failed = decide(start, Check(outcome=Outcome.TIMEOUT, host_fails=True), at).health
    later = Check(outcome=outcome, host_fails=True, outage_minutes=frozenset({minute_of(at)}))
    taken_back, never_failed = decide(failed, later, at + after), decide(start, later, at + after)
    for each in ("state", "consecutive_failures", "first_gone_at", "not_founds", "last_news_at"):
        assert getattr(taken_back.health, each) == getattr(never_failed.health, each)


@given(histories)
def test_the_same_events_give_the_same_result_and_every_change_is_told(history: list[Event]) -> None:
    steps = play(history)
    assert steps == play(history)
    for step in steps:
        change = step.decision.state_change
        told = (change.before, change.after) if change else None
        states = (step.before.state, step.decision.health.state)
        assert told == (None if states[0] is states[1] else states)
        assert step.decision.became_stale == (step.decision.health.stale and not step.before.stale)
