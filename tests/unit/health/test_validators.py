"""Validators are kept verbatim, of complete answers only, and doubted after a week of 304 (rule H7)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from feedward.health.feed_health import FeedHealth
from feedward.health.outcomes import OUTCOMES
from feedward.health.state_machine import decide
from feedward.health.validators import (
    Question,
    StoredValidators,
    after_check,
    can_believe_304,
    caught_lying,
    question,
)
from feedward.model import FetchResult, Outcome, Validators
from tests.unit.health.times import DAY, FAILED, HOUR, NOW, OK, UNCHANGED, healthy

URL = "https://example.com/feed"
WEAK = Validators(etag='W/"abc-gzip"', last_modified="Sat, 5 Apr 2025 11:10:00 GMT")
STORED = StoredValidators(etag='"1"', last_modified="whenever", validators_url=URL, validators_at=NOW)


def answer(validators: Validators = WEAK, status: int | None = 200, url: str = URL) -> FetchResult:
    return FetchResult(outcome=Outcome.OK, url=url, status=status, validators=validators)


def test_a_repeated_request_gets_exactly_the_first_answer() -> None:
    stored = after_check(StoredValidators(), answer(), Outcome.OK, NOW)
    assert stored == StoredValidators(
        etag=WEAK.etag, last_modified=WEAK.last_modified, validators_url=URL, validators_at=NOW
    )
    assert question(stored, NOW + HOUR) == Question(validators=WEAK)


def test_validators_belong_to_the_answer_not_to_the_items() -> None:
    newer = after_check(STORED, answer(Validators(etag='W/"2"')), Outcome.OK, NOW + 1)
    assert (newer.etag, newer.last_modified, newer.validators_at) == ('W/"2"', None, NOW + 1)
    assert after_check(STORED, answer(Validators()), Outcome.OK, NOW + 1) == StoredValidators()


@pytest.mark.parametrize("outcome", [each for each in Outcome if each is not Outcome.OK])
def test_nothing_else_than_a_feed_changes_them(outcome: Outcome) -> None:
    assert after_check(STORED, answer(), outcome, NOW + 1) is STORED
    assert not OUTCOMES[outcome].stores_validators


@pytest.mark.parametrize("status", [201, 203, 206, 226, None])
def test_only_a_200_is_complete(status: int | None) -> None:
    assert after_check(STORED, answer(status=status), Outcome.OK, NOW + 1) is STORED


def test_a_304_counts_only_from_the_url_that_sent_the_validators() -> None:
    proxied = after_check(STORED, answer(url="https://proxy.example/x"), Outcome.OK, NOW)
    assert can_believe_304(proxied, "https://proxy.example/x")
    assert not can_believe_304(proxied, URL)
    assert can_believe_304(StoredValidators(etag='"1"'), URL)


@pytest.mark.parametrize(
    ("stored", "later", "expected"),
    [
        (STORED, 7 * DAY - 1, Question(validators=Validators(etag='"1"', last_modified="whenever"))),
        (STORED, 7 * DAY, Question(is_probe=True)),
        (StoredValidators(), 7 * DAY, Question()),
        (StoredValidators(validators_at=NOW), 7 * DAY, Question()),
        (replace(STORED, validators_untrusted=True), HOUR, Question()),
        (replace(STORED, validators_at=None), 99 * DAY, question(STORED, NOW)),
    ],
)
def test_after_a_week_without_a_document_one_is_asked_for(
    stored: StoredValidators, later: int, expected: Question
) -> None:
    assert question(stored, NOW + later) == expected


def test_validators_of_unknown_age_get_one_with_the_first_304() -> None:
    undated = replace(STORED, validators_at=None)
    dated = after_check(undated, answer(status=304), Outcome.NOT_MODIFIED, NOW)
    assert dated == STORED
    assert question(dated, NOW + 7 * DAY).is_probe


def a_week_of_304(until: int = NOW + 7 * DAY - HOUR) -> FeedHealth:
    health = decide(healthy(), OK, NOW).health
    for at in range(NOW + DAY, until + 1, DAY):
        health = decide(health, UNCHANGED, at).health
    return decide(health, UNCHANGED, until).health


def test_a_server_that_says_304_for_ever_is_found_out_and_never_asked_so_again() -> None:
    at = NOW + 7 * DAY
    asked = question(STORED, at)
    lies = caught_lying(asked, STORED, a_week_of_304(), changed=True, now=at)
    assert lies
    stored = after_check(STORED, answer(), Outcome.OK, at, untrusted=lies)
    assert stored == StoredValidators(validators_untrusted=True)
    for later in (HOUR, 8 * DAY, 99 * DAY):
        assert question(stored, at + later) == Question()
        assert after_check(stored, answer(), Outcome.OK, at + later) == stored


def test_an_honest_server_is_asked_as_before_after_the_probe() -> None:
    at = NOW + 7 * DAY
    assert not caught_lying(question(STORED, at), STORED, a_week_of_304(), changed=False, now=at)
    stored = after_check(STORED, answer(), Outcome.OK, at)
    assert question(stored, at + DAY).validators == WEAK
    assert question(stored, at + 7 * DAY).is_probe


def test_a_change_during_a_failure_or_a_pause_is_not_held_against_validators() -> None:
    at = NOW + 7 * DAY
    failed = decide(a_week_of_304(), FAILED, at - 60).health
    assert not caught_lying(Question(is_probe=True), STORED, failed, changed=True, now=at)
    assert not caught_lying(Question(is_probe=True), STORED, a_week_of_304(NOW + 2 * DAY), changed=True, now=at)
    never_304 = decide(healthy(), OK, NOW).health
    assert not caught_lying(Question(is_probe=True), STORED, never_304, changed=True, now=NOW + DAY)


def test_a_change_that_a_conditional_request_tells_is_no_lie() -> None:
    assert not caught_lying(question(STORED, NOW + DAY), STORED, a_week_of_304(), changed=True, now=NOW + DAY)
