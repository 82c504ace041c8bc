"""The state of a feed after each check (rules H2 to H4)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from feedward.health.decision import Check, Reading, StateChange
from feedward.health.outcomes import OUTCOMES
from feedward.health.state_machine import decide
from feedward.model import FeedState, Outcome
from tests.unit.health.times import (
    DAY,
    FAILED,
    GONE,
    HOUR,
    LIMITED,
    MINUTE,
    NEWS,
    NOT_FOUND,
    NOW,
    OK,
    TIMEOUT,
    UNCHANGED,
    failing,
    healthy,
    last,
    replay,
)

HEALTHY, DEGRADED, UNHEALTHY, PAUSED = FeedState.HEALTHY, FeedState.DEGRADED, FeedState.UNHEALTHY, FeedState.PAUSED
FAILURES = [outcome for outcome, row in OUTCOMES.items() if row.counts_as_failure]


@pytest.mark.parametrize("outcome", FAILURES)
def test_the_first_counted_failure_degrades_for_five_minutes(outcome: Outcome) -> None:
    decision = decide(healthy(), Check(outcome=outcome), NOW)
    assert (decision.health.state, decision.health.consecutive_failures) == (DEGRADED, 1)
    assert decision.next_check_at is not None
    assert 300 <= decision.next_check_at - NOW <= 330
    assert decision.state_change == StateChange(before=HEALTHY, after=DEGRADED, reason=outcome.value)


@pytest.mark.parametrize("success", [OK, NEWS, UNCHANGED])
@pytest.mark.parametrize("failures", [1, 7, 12])
def test_any_success_heals_with_nothing_left_of_the_failures(success: Check, failures: int) -> None:
    decision = last(healthy(), *failing(failures, TIMEOUT), (NOW + 10 * DAY, success))
    assert decision.health.state is HEALTHY
    assert decision.health == replace(
        healthy(),
        last_news_at=decision.health.last_news_at,
        last_attempt_at=NOW + 10 * DAY,
        last_success_at=NOW + 10 * DAY,
        last_outcome=success.outcome,
        last_http_status=success.status,
    )


def test_304_between_errors_starts_the_count_again() -> None:
    decisions = replay(healthy(), (NOW, FAILED), (NOW + 1, UNCHANGED), (NOW + 2, FAILED), (NOW + 3, UNCHANGED))
    assert [each.health.consecutive_failures for each in decisions] == [1, 0, 1, 0]


def test_outcome_and_status_belong_to_one_check() -> None:
    decisions = replay(healthy(), (NOW, FAILED), (NOW + 1, TIMEOUT), (NOW + 2, UNCHANGED))
    assert [(each.health.last_outcome, each.health.last_http_status) for each in decisions] == [
        (Outcome.SERVER_ERROR, 500),
        (Outcome.TIMEOUT, None),
        (Outcome.NOT_MODIFIED, 304),
    ]


def test_a_valid_feed_without_items_stays_healthy_for_ever() -> None:
    empty = Check(outcome=Outcome.OK, status=200, reading=Reading())
    decision = last(healthy(None), *failing(120, empty))
    assert (decision.health.state, decision.health.stale) == (HEALTHY, False)


@pytest.mark.parametrize(
    ("events", "state"),
    [
        (failing(7), DEGRADED),
        (failing(8), UNHEALTHY),
        (failing(8, every=10 * HOUR), DEGRADED),  # 70 hours
        ([*failing(7, every=1), (NOW + 3 * DAY - 1, FAILED)], DEGRADED),
        ([*failing(7, every=1), (NOW + 3 * DAY, FAILED)], UNHEALTHY),
        (failing(50, every=MINUTE), DEGRADED),
        ([(NOW, GONE), (NOW + DAY - 1, GONE)], DEGRADED),
        ([(NOW, GONE), (NOW + DAY, GONE)], UNHEALTHY),
        ([(NOW, GONE), (NOW + HOUR, FAILED), (NOW + DAY, GONE)], UNHEALTHY),
        ([(NOW, GONE), (NOW + HOUR, GONE), (NOW + DAY, GONE)], UNHEALTHY),
        ([(NOW, GONE), (NOW + HOUR, OK), (NOW + DAY, GONE)], DEGRADED),
        ([(NOW, GONE), (NOW + 2 * DAY, NOT_FOUND)], DEGRADED),
        ([(NOW, NOT_FOUND), (NOW + 2 * DAY, GONE)], DEGRADED),
        ([*failing(8), (NOW + 5 * DAY, LIMITED)], UNHEALTHY),
        ([*failing(8), (NOW + 5 * DAY, LIMITED), (NOW + 6 * DAY, FAILED)], UNHEALTHY),
    ],
)
def test_unhealthy_is_8_failures_over_3_days_or_a_confirmed_410(
    events: list[tuple[int, Check]], state: FeedState
) -> None:
    assert last(healthy(), *events).health.state is state


def test_the_410_that_confirms_is_the_reason_told() -> None:
    decision = last(healthy(), (NOW, GONE), (NOW + 2 * DAY, GONE))
    assert decision.state_change == StateChange(before=DEGRADED, after=UNHEALTHY, reason="gone")


@pytest.mark.parametrize(("days_later", "wait"), [(1, DAY), (29, DAY), (30, 7 * DAY), (400, 7 * DAY), (4000, 7 * DAY)])
def test_unhealthy_feeds_are_checked_daily_for_30_days_then_weekly_for_ever(days_later: int, wait: int) -> None:
    entered = failing(8)
    at = entered[-1][0] + days_later * DAY
    due = last(healthy(), *entered, (at, NOT_FOUND)).next_check_at
    assert due is not None
    assert wait <= due - at <= wait * 1.1


def test_not_found_for_months_comes_back_with_the_first_answer() -> None:
    decision = last(healthy(), *failing(30, NOT_FOUND, every=7 * DAY), (NOW + 300 * DAY, OK))
    assert (decision.health.state, decision.health.consecutive_failures) == (HEALTHY, 0)


@pytest.mark.parametrize("before", [[], failing(3), failing(9)])
def test_429_neither_counts_nor_heals(before: list[tuple[int, Check]]) -> None:
    start = replay(healthy(), *before)[-1].health if before else healthy()
    decision = decide(start, LIMITED, NOW + 10 * DAY)
    assert (decision.health.state, decision.health.consecutive_failures) == (start.state, start.consecutive_failures)
    assert decision.state_change is None
    assert decision.health.last_success_at == start.last_success_at


@pytest.mark.parametrize("check", [OK, FAILED, GONE, LIMITED, UNCHANGED])
def test_a_check_that_was_under_way_changes_nothing_of_a_paused_feed(check: Check) -> None:
    paused = replace(healthy(), state=PAUSED, consecutive_failures=3)
    decision = decide(paused, check, NOW)
    assert decision.health is paused
    assert decision.next_check_at is None
    assert not decision.is_eventful


def test_a_read_document_replaces_rhythm_and_hint_and_an_unread_one_leaves_them() -> None:
    reading = Reading(median_gap_s=DAY, hint_s=None, latest_item_published_at=NOW)
    read = decide(healthy(HOUR, hint_s=HOUR), replace(NEWS, reading=reading), NOW).health
    assert (read.median_gap_s, read.hint_s, read.latest_item_published_at) == (DAY, None, NOW)
    unread = decide(read, UNCHANGED, NOW + 1).health
    assert (unread.median_gap_s, unread.hint_s, unread.latest_item_published_at) == (DAY, None, NOW)


@pytest.mark.parametrize("latest", [None, NOW - DAY])
def test_a_document_that_lost_items_does_not_make_the_newest_one_older(latest: int | None) -> None:
    start = replace(healthy(), latest_item_published_at=NOW)
    check = replace(OK, reading=Reading(latest_item_published_at=latest))
    assert decide(start, check, NOW + 1).health.latest_item_published_at == NOW


@pytest.mark.parametrize("check", [UNCHANGED, FAILED, LIMITED])
def test_a_feed_turns_stale_at_a_check_of_any_outcome_and_fresh_with_an_item(check: Check) -> None:
    start = replace(healthy(), latest_item_published_at=NOW)
    fresh = decide(start, check, NOW + 30 * DAY - 1)
    assert (fresh.health.stale, fresh.became_stale) == (False, False)
    stale = decide(fresh.health, check, NOW + 30 * DAY)
    assert (stale.health.stale, stale.became_stale, stale.is_eventful) == (True, True, True)
    still = decide(stale.health, check, NOW + 31 * DAY)
    assert (still.health.stale, still.became_stale) == (True, False)
    news = replace(NEWS, reading=Reading(latest_item_published_at=NOW + 32 * DAY))
    again = decide(still.health, news, NOW + 32 * DAY)
    assert (again.health.stale, again.became_stale) == (False, False)


def test_a_stale_feed_is_healthy_all_the_same() -> None:
    start = replace(healthy(), latest_item_published_at=NOW - 1000 * DAY)
    assert decide(start, UNCHANGED, NOW).health.state is HEALTHY


def test_an_unchanged_check_sends_no_event() -> None:
    assert not decide(healthy(), UNCHANGED, NOW).is_eventful


def test_without_news_a_hint_only_rises_so_that_a_caches_age_moves_no_feed() -> None:
    def read(hint_s: int, new_items: int) -> Check:
        return Check(outcome=Outcome.OK, status=200, new_items=new_items, reading=Reading(hint_s=hint_s))

    hints = [3600, 1800, 900, 7200, 600]
    quiet = replay(healthy(), *((NOW + n * HOUR, read(hint, 0)) for n, hint in enumerate(hints)))
    assert [each.health.hint_s for each in quiet] == [3600, 3600, 3600, 7200, 7200]
    assert last(quiet[-1].health, (NOW + 9 * HOUR, read(600, 1))).health.hint_s == 600
