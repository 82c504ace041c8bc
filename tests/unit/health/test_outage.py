"""Failures of our own network are not counted, or are revoked (rule H5)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from feedward.health.decision import Check
from feedward.health.outage import MinuteTotals, minute_of, remembered, totals_by_minute, without_ours
from feedward.health.outcomes import OUTCOMES
from feedward.health.state_machine import decide
from feedward.model import FeedState, Outcome
from tests.unit.health.times import DAY, FAILED, HOUR, MINUTE, NOW, OK, TIMEOUT, failing, healthy, last, replay

NETWORK = [outcome for outcome, row in OUTCOMES.items() if row.network]
THIS_MINUTE = frozenset({minute_of(NOW)})


@pytest.mark.parametrize(
    ("hosts", "failed", "is_outage"),
    [(19, 19, False), (20, 10, True), (20, 9, False), (41, 20, False), (41, 21, True), (38, 38, True), (0, 0, False)],
)
def test_an_outage_is_half_of_20_or_more_unrelated_hosts(hosts: int, failed: int, is_outage: bool) -> None:
    assert MinuteTotals(hosts=hosts, failed=failed).is_outage is is_outage


def test_feeds_of_one_domain_count_once_a_minute() -> None:
    checks = [(NOW, f"blog{n}.example.com", Outcome.TIMEOUT) for n in range(40)]
    assert totals_by_minute(checks) == {minute_of(NOW): MinuteTotals(hosts=1, failed=1)}


def test_a_domain_of_which_anything_was_reached_has_not_failed() -> None:
    checks = [(NOW, "a.example.com", Outcome.TIMEOUT), (NOW + 1, "b.example.com", Outcome.NOT_FOUND)]
    assert totals_by_minute(checks) == {minute_of(NOW): MinuteTotals(hosts=1, failed=0)}


def test_checks_are_totalled_by_minute_and_invocations_add_up() -> None:
    first = totals_by_minute([(NOW, "a.example", Outcome.OK), (NOW + 60, "a.example", Outcome.DNS_ERROR)])
    assert first == {
        minute_of(NOW): MinuteTotals(hosts=1, failed=0),
        minute_of(NOW) + 1: MinuteTotals(hosts=1, failed=1),
    }
    assert first[minute_of(NOW)] + MinuteTotals(hosts=2, failed=1) == MinuteTotals(hosts=3, failed=1)


def test_an_answer_of_any_kind_shows_that_we_are_on_the_net() -> None:
    assert set(NETWORK) == {
        Outcome.DNS_ERROR,
        Outcome.CONNECT_ERROR,
        Outcome.TIMEOUT,
        Outcome.CONNECTION_RESET,
        Outcome.TLS_ERROR,
        Outcome.TRUNCATED,
    }


@pytest.mark.parametrize("outcome", NETWORK)
@pytest.mark.parametrize("before", [0, 1, 7])
def test_a_failure_in_a_marked_minute_is_not_counted_and_retried_soon(outcome: Outcome, before: int) -> None:
    start = replay(healthy(), *failing(before, every=1, start=NOW - DAY))[-1].health if before else healthy()
    decision = decide(start, Check(outcome=outcome, outage_minutes=THIS_MINUTE), NOW)
    assert (decision.health.state, decision.health.consecutive_failures) == (start.state, before)
    assert decision.next_check_at is not None
    assert 30 <= decision.next_check_at - NOW <= 30 * MINUTE
    assert not decision.is_eventful


@pytest.mark.parametrize("outcome", [Outcome.NOT_FOUND, Outcome.SERVER_ERROR, Outcome.GONE, Outcome.NOT_FEED])
def test_an_answer_of_a_server_counts_in_a_marked_minute_too(outcome: Outcome) -> None:
    assert decide(healthy(), Check(outcome=outcome, outage_minutes=THIS_MINUTE), NOW).health.consecutive_failures == 1


def test_40_feeds_that_failed_with_us_are_as_before_after_the_next_check() -> None:
    feeds = [replace(healthy(), feed_id=f"{n:026d}") for n in range(40)]
    failed = [last(feed, (NOW + n, TIMEOUT)).health for n, feed in enumerate(feeds)]
    later = replace(FAILED, outage_minutes=THIS_MINUTE)
    assert {each.consecutive_failures for each in failed} == {1}
    assert {decide(each, later, NOW + HOUR).health.consecutive_failures for each in failed} == {1}
    assert {decide(each, replace(OK, outage_minutes=THIS_MINUTE), NOW + HOUR).health.state for each in failed} == {
        FeedState.HEALTHY
    }


def test_a_feed_without_a_failure_of_its_own_is_healthy_at_once() -> None:
    failed = last(replace(healthy(), last_news_at=2), (NOW, TIMEOUT)).health
    assert without_ours(failed, THIS_MINUTE) == replace(
        healthy(), last_news_at=2, last_attempt_at=NOW, last_outcome=Outcome.TIMEOUT
    )


def test_only_the_failures_of_the_marked_minutes_are_taken_back() -> None:
    failed = replay(healthy(), (NOW, FAILED), (NOW + HOUR, TIMEOUT), (NOW + 2 * HOUR, TIMEOUT))[-1].health
    left = without_ours(failed, frozenset({minute_of(NOW + HOUR)}))
    assert (left.state, left.consecutive_failures, left.first_failure_at) == (FeedState.DEGRADED, 2, NOW)
    assert left.network_failures == (minute_of(NOW + 2 * HOUR),)
    assert without_ours(left, frozenset({minute_of(NOW + HOUR)})) is left


def test_the_run_begins_with_the_first_failure_that_stays() -> None:
    failed = replay(healthy(), (NOW, TIMEOUT), (NOW + HOUR, TIMEOUT))[-1].health
    assert without_ours(failed, THIS_MINUTE).first_failure_at == NOW + HOUR
    mixed = replay(healthy(), (NOW, TIMEOUT), (NOW + HOUR, FAILED))[-1].health
    assert without_ours(mixed, THIS_MINUTE).first_failure_at == NOW


def test_a_feed_that_our_outage_made_unhealthy_is_not_after_its_next_check() -> None:
    entered = [*failing(7), (NOW + 4 * DAY, TIMEOUT)]
    unhealthy = last(healthy(), *entered)
    assert unhealthy.health.state is FeedState.UNHEALTHY
    assert unhealthy.next_check_at is not None
    marked = replace(FAILED, outage_minutes=frozenset({minute_of(NOW + 4 * DAY)}))
    back = without_ours(unhealthy.health, marked.outage_minutes)
    assert (back.state, back.consecutive_failures, back.unhealthy_since) == (FeedState.DEGRADED, 7, None)
    # Its next check is a day and jitter later, and the failure is still remembered by then.
    assert minute_of(NOW + 4 * DAY) in remembered(
        unhealthy.health.network_failures, unhealthy.next_check_at + 15 * MINUTE
    )


def test_a_long_dead_feed_stays_unhealthy_when_one_failure_is_taken_back() -> None:
    dead = replay(healthy(), *failing(20, TIMEOUT, every=DAY))[-1].health
    left = without_ours(dead, frozenset({minute_of(NOW + 19 * DAY)}))
    assert (left.state, left.consecutive_failures) == (FeedState.UNHEALTHY, 19)
    assert left.unhealthy_since == dead.unhealthy_since


def test_few_failures_are_remembered_and_none_from_before_yesterday() -> None:
    many = replay(healthy(), *failing(60, TIMEOUT, every=MINUTE))[-1].health
    assert len(many.network_failures) <= 10
    assert last(many, (NOW + 3 * DAY, TIMEOUT)).health.network_failures == (minute_of(NOW + 3 * DAY),)
