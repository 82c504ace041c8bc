"""The meaning of a response, from status, headers and time (rules H1, N8 to N10, N16)."""

from __future__ import annotations

from email.utils import formatdate

import pytest

from feedward.adapters.fetching.outcomes import (
    outcome_of_body,
    outcome_of_head,
    retry_after_s,
    sendable_validators,
    validators_of,
)
from feedward.model import Outcome, Validators

NOW = 1767225600.0  # 2026-01-01T00:00:00Z
WEEK_S = 7 * 24 * 3600


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        *((status, "ok") for status in (200, 201, 202, 203, 226)),
        *((status, "empty_body") for status in (204, 205)),
        *((status, "unexpected_status") for status in (101, 206, 300, 302, 305, 306, 399)),
        *((status, "client_error") for status in (400, 402, 405, 406, 407, 409, 418, 421, 425, 499)),
        *((status, "server_error") for status in (500, 502, 503, 504, 520, 530, 599)),
        *((status, "bad_response") for status in (600, 999)),
        (401, "unauthorized"),
        (403, "forbidden"),
        (404, "not_found"),
        (408, "timeout_status"),
        (410, "gone"),
        (429, "rate_limited"),
        (451, "legal"),
        (304, "unexpected_304"),
    ],
)
def test_every_status_has_one_outcome(status: int, outcome: str) -> None:
    assert outcome_of_head(status, {}, conditional=False) == outcome


def test_304_is_not_modified_only_if_it_was_asked_for() -> None:
    assert outcome_of_head(304, {}, conditional=True) is Outcome.NOT_MODIFIED


@pytest.mark.parametrize(
    ("status", "headers", "outcome"),
    [
        (403, {"cf-mitigated": "challenge"}, "challenge"),
        (429, {"x-vercel-mitigated": "challenge"}, "challenge"),
        (202, {"x-amzn-waf-action": "challenge"}, "challenge"),
        (405, {"x-amzn-waf-action": "captcha"}, "challenge"),
        (403, {"x-datadome": "protected"}, "challenge"),
        (200, {"x-datadome": "protected"}, "ok"),
        (200, {"cf-mitigated": "challenge"}, "challenge"),
        (200, {"x-amzn-waf-action": "captcha"}, "challenge"),
        (429, {"x-kpsdk-ct": "0a"}, "challenge"),
        (200, {"x-kpsdk-ct": "0a"}, "ok"),
        (429, {}, "rate_limited"),
        (403, {"server": "cloudflare"}, "forbidden"),
        (404, {"cf-mitigated": "none"}, "not_found"),
    ],
)
def test_bot_wall_is_told_by_its_own_header(status: int, headers: dict[str, str], outcome: str) -> None:
    assert outcome_of_head(status, headers, conditional=False) == outcome


@pytest.mark.parametrize("body", [b"", b" \r\n\t", b"\xef\xbb\xbf\n", b"\0\0"])
def test_white_space_is_an_empty_body(body: bytes) -> None:
    assert outcome_of_body(body) is Outcome.EMPTY_BODY


@pytest.mark.parametrize(
    ("value", "wait_s"),
    [
        ("120", 120),
        (" 120 ", 120),
        ("Thu, 01 Jan 2026 00:10:00 GMT", 600),
        ("Thursday, 01-Jan-26 00:01:00 GMT", 60),
        ("Thu Jan  1 00:01:00 2026", 60),
        ("8640000", WEEK_S),
        ("9" * 5000, WEEK_S),
        ("Fri, 16 Nov 2040 08:00:00 GMT", WEEK_S),
        ("0", 0),
        ("0.0", 0),
        ("00", 0),
        ("0.5", 1),
        ("1.5", 2),
        ("292.052427053", 293),
        ("120.0", 120),
        ("120.", 120),
        ('"120"', 120),
        ("'120'", 120),
        ("120;", 120),
        ("120, 120", 120),
        ("60, 120, 1", 60),
        ("60 seconds", 60),
        ("1 day", 86400),
        ("500ms", 1),
        ("30000 ms", 30),
        ("30,", 30),
        ("30s", 30),
        ("30S", 30),
        ("1 Second", 1),
        ("2 minutes", 120),
        ("0.5 h", 1800),
        ("9" * 5000 + "s", WEEK_S),
        ("1" + "0" * 400 + ".5 hours", WEEK_S),
        ("999 hours", WEEK_S),
        ("-5", None),
        ("+5", None),
        ("1e9", None),
        ("nan", None),
        ("inf", None),
        ("0x10", None),
        ("12 parsecs", None),
        ("120; soon", None),
        ("120 121", None),
        (".5", None),
        ("1.2.3", None),
        ("2026-01-01T00:10:00Z", None),
        ("\u0661\u0662", None),
        ("soon", None),
        ("", None),
        ("Wed, 21 Oct 2015 07:28:00 GMT", None),
        ("Thu, 99 Foo 2026 00:00:00 GMT", None),
    ],
)
def test_retry_after_is_a_wait_ahead_capped_at_a_week(value: str, wait_s: int | None) -> None:
    assert retry_after_s(429, {"retry-after": value}, NOW) == wait_s


@pytest.mark.parametrize("form", ["{}", "{}.0", "{}.", "{}000", '"{}"'])
@pytest.mark.parametrize(("ahead", "wait_s"), [(60, 60), (-60, None), (-90 * WEEK_S, None), (WEEK_S + 9, WEEK_S)])
def test_retry_after_may_be_a_time_since_1970(form: str, ahead: int, wait_s: int | None) -> None:
    value = form.format(int(NOW) + ahead)
    assert retry_after_s(429, {"retry-after": value}, NOW) == wait_s


def test_retry_after_with_leading_zeros_or_fewer_digits_is_a_wait() -> None:
    waits = {"0000000030": 30, "0000000030.5": 31, "999999999": WEEK_S, "1" * 11: WEEK_S}
    assert {value: retry_after_s(429, {"retry-after": value}, NOW) for value in waits} == waits


@pytest.mark.parametrize(("status", "wait_s"), [(429, 60), (503, 60), (200, None), (301, None), (500, None)])
def test_retry_after_counts_on_429_and_503_only(status: int, wait_s: int | None) -> None:
    assert retry_after_s(status, {"retry-after": "60"}, NOW) == wait_s


@pytest.mark.parametrize("etag", ['"abc-gzip"', 'W/"abc"', "unquoted", '""'])
def test_validators_are_kept_verbatim(etag: str) -> None:
    date = "Sat, 05 Apr 2025 11:10:00 GMT"
    stored = validators_of({"etag": etag, "last-modified": date}, NOW)
    assert stored == Validators(etag=etag, last_modified=date)
    assert sendable_validators(stored) == {"If-None-Match": etag, "If-Modified-Since": date}


@pytest.mark.parametrize("value", ["", " ", "\u00e9", '"a\r\nX: 1"', "a" * 1025, "a\0"])
def test_validator_that_cannot_be_replayed_safely_is_neither_kept_nor_sent(value: str) -> None:
    assert validators_of({"etag": value, "last-modified": value}, NOW) == Validators()
    assert sendable_validators(Validators(etag=value, last_modified=value)) == {}


@pytest.mark.parametrize(("ahead_s", "kept"), [(-1, True), (3600, True), (2 * 24 * 3600, False)])
def test_last_modified_in_the_future_is_not_kept(ahead_s: int, kept: bool) -> None:
    stored = validators_of({"last-modified": formatdate(NOW + ahead_s, usegmt=True), "etag": '"1"'}, NOW)
    assert (stored.last_modified is not None) is kept
    assert stored.etag == '"1"'


def test_without_validators_no_conditional_header_is_sent() -> None:
    assert sendable_validators(None) == sendable_validators(Validators()) == {}
