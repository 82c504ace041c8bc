"""The conditions of a revival (rule H6)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from feedward.health.decision import Check, RevivalReason
from feedward.health.outage import minute_of
from feedward.health.state_machine import decide
from feedward.model import Outcome, RejectionReason
from tests.unit.health.times import (
    DAY,
    FAILED,
    GONE,
    HOUR,
    HTML,
    LIMITED,
    NOT_FOUND,
    NOW,
    OK,
    TIMEOUT,
    failing,
    healthy,
    last,
    replay,
)

FORBIDDEN = Check(outcome=Outcome.FORBIDDEN, status=403)
BLOCKED = Check(outcome=Outcome.BLOCKED)
CHALLENGE = Check(outcome=Outcome.CHALLENGE, status=403)
CHALLENGE_202 = Check(outcome=Outcome.CHALLENGE, status=202)
BUSY = Check(outcome=Outcome.SERVER_ERROR, status=503)
REFUSING = [Check(outcome=Outcome.CLIENT_ERROR, status=status) for status in (402, 406, 418)]
REFUSING += [Check(outcome=Outcome.BAD_RESPONSE, status=999)]


def revivals(*events: tuple[int, Check]) -> list[RevivalReason | None]:
    return [each.revival for each in replay(healthy(), *events)]


@pytest.mark.parametrize(
    ("checks", "asked"),
    [
        ([GONE], [RevivalReason.GONE]),
        ([NOT_FOUND], [None]),
        ([NOT_FOUND, NOT_FOUND], [None, RevivalReason.NOT_FOUND]),
        ([NOT_FOUND, FAILED, NOT_FOUND], [None, None, RevivalReason.NOT_FOUND]),
        ([NOT_FOUND, LIMITED, NOT_FOUND], [None, None, RevivalReason.NOT_FOUND]),
        ([NOT_FOUND, OK, NOT_FOUND], [None, None, None]),
        ([FAILED, NOT_FOUND], [None, None]),
        ([HTML], [RevivalReason.NOT_FEED]),
        ([replace(HTML, reason=RejectionReason.NOT_A_FEED)], [RevivalReason.NOT_FEED]),
        ([replace(HTML, reason=RejectionReason.MALFORMED)], [None]),
        ([replace(HTML, reason=RejectionReason.EMPTY)], [None]),
        ([replace(HTML, reason=None)], [None]),
        ([FAILED, TIMEOUT], [None, None]),
    ],
)
def test_an_outcome_of_a_feed_that_is_elsewhere_requests_a_revival(
    checks: list[Check], asked: list[RevivalReason | None]
) -> None:
    assert revivals(*((NOW + n, check) for n, check in enumerate(checks))) == asked


@pytest.mark.parametrize("check", [FAILED, TIMEOUT, Check(outcome=Outcome.UNAUTHORIZED, status=401)])
def test_entering_unhealthy_asks_once(check: Check) -> None:
    assert revivals(*failing(20, check)) == [None] * 7 + [RevivalReason.UNHEALTHY] + [None] * 12


@pytest.mark.parametrize("check", [FORBIDDEN, BLOCKED, CHALLENGE, CHALLENGE_202, LIMITED, BUSY, *REFUSING])
def test_a_refusing_feed_is_not_searched(check: Check) -> None:
    assert revivals(*failing(30, check)) == [None] * 30


def test_it_is_asked_for_at_most_once_a_day_and_again_while_it_lasts() -> None:
    events = [(NOW, GONE), (NOW + HOUR, GONE), (NOW + DAY - 1, GONE), (NOW + DAY, GONE), (NOW + DAY + 1, GONE)]
    assert revivals(*events) == [RevivalReason.GONE, None, None, RevivalReason.GONE, None]


def test_a_success_between_does_not_make_it_twice_a_day() -> None:
    assert revivals((NOW, GONE), (NOW + HOUR, OK), (NOW + 2 * HOUR, GONE)) == [RevivalReason.GONE, None, None]
    assert revivals((NOW, GONE), (NOW + DAY, OK), (NOW + DAY + 1, GONE))[-1] is RevivalReason.GONE


def test_it_is_not_asked_for_while_the_whole_host_fails() -> None:
    decision = decide(healthy(), replace(GONE, host_fails=True), NOW)
    assert decision.revival is None
    assert decision.health.last_revival_at is None
    assert decide(decision.health, GONE, NOW + HOUR).revival is RevivalReason.GONE


def test_a_feed_that_became_unhealthy_with_its_host_is_revived_when_it_fails_alone() -> None:
    host_fails = replace(TIMEOUT, host_fails=True)
    events = [*failing(9, host_fails), (NOW + 5 * DAY, FORBIDDEN), (NOW + 6 * DAY, TIMEOUT), (NOW + 7 * DAY, TIMEOUT)]
    assert revivals(*events) == [None] * 10 + [RevivalReason.UNHEALTHY, None]


def test_a_revival_that_had_to_wait_for_a_day_to_pass_comes_then() -> None:
    events = [*failing(6), (NOW + 80 * HOUR, HTML), (NOW + 90 * HOUR, FAILED), (NOW + 110 * HOUR, FAILED)]
    assert revivals(*events)[-3:] == [RevivalReason.NOT_FEED, None, RevivalReason.UNHEALTHY]


def test_after_a_success_no_revival_is_due() -> None:
    events = [*failing(8, replace(FAILED, host_fails=True)), (NOW + 5 * DAY, OK)]
    assert last(healthy(), *events).health.revival_due is False


def test_a_consent_page_that_one_is_sent_to_is_no_reason_to_look_elsewhere() -> None:
    assert decide(healthy(), replace(HTML, sent_elsewhere=True), NOW).revival is None


def test_our_own_outage_asks_for_nothing() -> None:
    start = replay(healthy(), *failing(7))[-1].health
    at = NOW + 5 * DAY
    decision = decide(start, replace(TIMEOUT, outage_minutes=frozenset({minute_of(at)})), at)
    assert (decision.revival, decision.health.revival_due) == (None, False)


def test_a_decision_made_again_for_the_host_differs_in_nothing_but_the_revival() -> None:
    alone, together = decide(healthy(), GONE, NOW), decide(healthy(), replace(GONE, host_fails=True), NOW)
    assert replace(alone, revival=None, health=replace(alone.health, last_revival_at=None)) == together
