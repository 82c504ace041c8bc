"""A host that refuses robots is asked as a browser first, until a plain request is answered again (rule D4)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from feedward.health.browser_retry import REFUSALS, answered, is_asked_as_browser, learned
from feedward.health.decision import Check
from feedward.health.outcomes import OUTCOMES
from feedward.health.state_machine import decide
from feedward.model import FetchResult, Outcome
from tests.unit.health.times import DAY, FAILED, NOW, OK, healthy

BEFORE = NOW - DAY
NETWORK = [outcome for outcome, row in OUTCOMES.items() if row.network]
ANSWERS = [outcome for outcome, row in OUTCOMES.items() if not row.network and outcome not in REFUSALS]


@pytest.mark.parametrize(("as_browser_at", "is_asked"), [(None, False), (NOW, True), (NOW - 7 * DAY + 1, True)])
def test_a_feed_is_asked_as_a_browser_for_a_week(as_browser_at: int | None, is_asked: bool) -> None:
    assert is_asked_as_browser(as_browser_at, NOW) is is_asked


def test_after_a_week_it_is_asked_plainly_again() -> None:
    assert not is_asked_as_browser(NOW - 7 * DAY, NOW)


@pytest.mark.parametrize(("status", "is_asked_again"), [(200, True), (403, True), (503, False)])
def test_a_wall_is_asked_again_unless_it_says_to_be_out_of_service(status: int, is_asked_again: bool) -> None:
    wall = FetchResult(outcome=Outcome.CHALLENGE, url="https://a.example/", status=status)
    assert (answered(wall) in REFUSALS) is is_asked_again


@pytest.mark.parametrize("refused", sorted(REFUSALS))
@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("before", [None, BEFORE])
def test_a_feed_that_answers_browsers_only_is_remembered(before: int | None, refused: Outcome, answer: Outcome) -> None:
    assert learned(before, plain=refused, browser=answer, now=NOW) == NOW


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize("browser", [None, Outcome.FORBIDDEN])
def test_a_plain_request_that_is_answered_forgets_it(answer: Outcome, browser: Outcome | None) -> None:
    assert learned(BEFORE, plain=answer, browser=browser, now=NOW) is None


@pytest.mark.parametrize("browser", [None, *sorted(REFUSALS)])
def test_a_refusal_both_ways_forgets_it(browser: Outcome | None) -> None:
    assert learned(BEFORE, plain=Outcome.FORBIDDEN, browser=browser, now=NOW) is None


@pytest.mark.parametrize("nothing", NETWORK)
@pytest.mark.parametrize("before", [None, BEFORE])
def test_a_check_that_reached_no_server_learned_nothing(before: int | None, nothing: Outcome) -> None:
    assert learned(before, plain=nothing, browser=None, now=NOW) == before
    assert learned(before, plain=Outcome.FORBIDDEN, browser=nothing, now=NOW) == before
    assert learned(before, plain=None, browser=nothing, now=NOW) == before


@pytest.mark.parametrize("check", [OK, FAILED])
def test_neither_success_nor_failure_resets_the_time_of_the_browser_header(check: Check) -> None:
    decision = decide(healthy(), replace(check, as_browser_at=BEFORE), NOW)
    assert decision.health.as_browser_at == BEFORE
