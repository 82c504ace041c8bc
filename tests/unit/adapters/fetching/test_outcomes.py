"""The meaning of a response, from status, headers and time (rules H1, N9, N10, N16)."""

from __future__ import annotations

from email.utils import formatdate

import pytest

from feedward.adapters.fetching.outcomes import outcome_of_body, outcome_of_head, sendable_validators, validators_of
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
