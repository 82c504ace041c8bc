"""The wait that a Retry-After asks for (rule N8)."""

from __future__ import annotations

import pytest

from feedward.adapters.fetching.retry_after import retry_after_s

NOW = 1767225600.0  # 2026-01-01T00:00:00Z
WEEK_S = 7 * 24 * 3600


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
