"""The answers to a hub's verification (rules W7 to W10)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.push.callback_token import Credentials, is_token
from feedward.push.hub_signature import METHODS, is_signed, signature
from feedward.push.lease import LONGEST_S, SHORTEST_S, believed_lease_s, renew_at
from feedward.push.push_record import Former, PushRecord, SubscriptionState
from feedward.push.verification import Question, is_challenge, judge

NOW = 1_790_000_000
OWN = Credentials.new()
TOPIC = "https://example.com/feed"
DAY_S = 86_400


def record(**members: Any) -> PushRecord:
    given_members: dict[str, Any] = {"state": SubscriptionState.ASKED, "asked_at": NOW - 5, **members}
    return PushRecord(
        feed_id="01A", hub="https://hub.example/", topic=TOPIC, token_hash=OWN.token_hash, sealed="s",
        state_since=NOW - 5, **given_members,
    )  # fmt: skip


def asked(**members: str | None) -> Question:
    said: dict[str, str | None] = {"mode": "subscribe", "topic": TOPIC, "challenge": "c", "lease_seconds": "864000"}
    return Question(**{**said, **members})


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        (None, 5 * DAY_S),
        ("", 5 * DAY_S),
        ("864000", 10 * DAY_S),
        ("9" * 40, LONGEST_S),
        ("99999999", LONGEST_S),
        ("172800", SHORTEST_S),
        ("172799", None),
        ("0", None),
        ("-1", None),
        ("1.5", None),
        ("٣٠٠٠٠٠", None),
        ("864000000", LONGEST_S),  # in milliseconds
    ],
)
def test_the_lease_that_is_believed(said: str | None, expected: int | None) -> None:
    assert believed_lease_s(said) == expected


@given(st.text(max_size=30), st.integers(min_value=SHORTEST_S, max_value=LONGEST_S))
def test_a_renewal_lies_in_the_second_half_of_its_lease(feed_id: str, lease_s: int) -> None:
    at = renew_at(feed_id, NOW, lease_s)

    assert NOW + lease_s // 2 <= at <= NOW + 3 * lease_s // 4
    assert at == renew_at(feed_id, NOW, lease_s)


def test_only_the_first_answer_to_a_request_sets_the_lease() -> None:
    first = judge(record(), OWN.token, asked(), NOW).after
    assert first is not None
    again = judge(first, OWN.token, asked(lease_seconds="1209600"), NOW + 60)

    assert (first.lease_until, first.asked_at) == (NOW + 10 * DAY_S, None)
    assert (again.is_yes, again.after) == (True, None)


def test_an_ended_subscription_is_confirmed_for_a_day() -> None:
    ended = record(state=SubscriptionState.ENDED, asked_at=None)

    assert judge(ended, OWN.token, asked(mode="unsubscribe"), NOW).is_yes
    assert not judge(ended, OWN.token, asked(), NOW).is_yes
    assert not judge(ended, OWN.token, asked(mode="unsubscribe"), NOW + DAY_S).is_yes


@pytest.mark.parametrize("mode", ["unsubscribe", "denied"])
def test_the_hub_of_an_abandoned_subscription_may_end_that_one_only(mode: str) -> None:
    old = Former(token_hash=Credentials.new().token_hash, hub="https://old.example/", topic=f"{TOPIC}/", until=NOW + 9)
    mine = Credentials.new()
    ours = record(former=(replace(old, token_hash=mine.token_hash), old))
    answers = {topic: judge(ours, mine.token, asked(mode=mode, topic=topic), NOW) for topic in (TOPIC, f"{TOPIC}/")}
    assert [each.is_yes for each in answers.values()] == [False, True]
    assert [each.after for each in answers.values()] == [None, None]
    assert not judge(ours, mine.token, asked(mode=mode, topic=f"{TOPIC}/"), NOW + 9).is_yes
    assert not judge(ours, mine.token, asked(topic=f"{TOPIC}/"), NOW).is_yes


@pytest.mark.parametrize("state", [SubscriptionState.FAILED, SubscriptionState.DENIED, SubscriptionState.WANTED])
def test_an_unrequested_subscription_is_not_confirmed(state: SubscriptionState) -> None:
    assert not judge(record(state=state, asked_at=None), OWN.token, asked(), NOW).is_yes


@given(st.text(max_size=60))
def test_no_challenge_that_is_echoed_could_be_markup(text: str) -> None:
    if is_challenge(text):
        assert text.isascii()
        assert text.isprintable()
        assert not set(text) & set(" <>\"'&`")


@given(st.text(max_size=200))
def test_no_query_raises_and_none_without_the_topic_is_confirmed(query: str) -> None:
    verdict = judge(record(), OWN.token, Question.of(query), NOW)

    assert not verdict.is_yes


@given(st.text(max_size=80), st.binary(max_size=200))
def test_no_header_but_a_signature_is_one(header: str, body: bytes) -> None:
    assert not is_signed(header, body, OWN.secret)


@given(st.binary(max_size=500), st.sampled_from(sorted(METHODS)), st.binary(min_size=1, max_size=5))
def test_a_signature_is_of_its_bytes_and_its_secret(body: bytes, method: str, more: bytes) -> None:
    signed = signature(method, body, OWN.secret)

    assert is_signed(signed, body, OWN.secret)
    assert is_signed(signed.upper(), body, OWN.secret)
    assert not is_signed(signed, body + more, OWN.secret)
    assert not is_signed(signed, body, OWN.secret + "0")


def test_credentials_are_random_and_packed_as_one() -> None:
    other = Credentials.new()

    assert Credentials.unpacked(other.packed()) == other
    assert other.token != OWN.token
    assert is_token(other.token)
    assert other.secret not in repr(other)
    assert other.token not in repr(other)
