"""Quotas: names, limits and spans, when there is room again (rule QT2), and slots for work in flight (rule QT8)."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest

from feedward.errors import InvalidInput
from feedward.quotas.quota import (
    CHARGED,
    DAY_S,
    DEFAULT_LIMITS,
    MINUTE_S,
    Quota,
    Span,
    Window,
    Work,
    carried,
    limits_of,
    opens_at,
    places_of,
    read_limits,
    span_at,
)
from tests.template.translation import source


def test_each_quota_has_the_window_that_its_name_says() -> None:
    assert {quota: quota.window for quota in Quota} == {
        Quota.SUBSCRIPTIONS: Window.TOTAL,
        Quota.DISCOVERIES_PER_MINUTE: Window.MINUTE,
        Quota.DISCOVERIES_PER_DAY: Window.DAY,
        Quota.CANONICALIZATIONS_PER_MINUTE: Window.MINUTE,
        Quota.CANONICALIZATIONS_PER_DAY: Window.DAY,
        Quota.PAGES_PER_DAY: Window.DAY,
        Quota.IMPORTS_PER_DAY: Window.DAY,
        Quota.BODY_BYTES_PER_DAY: Window.DAY,
        Quota.DELIVERIES_PER_DAY: Window.DAY,
    }


def test_each_quota_is_charged_by_one_kind_of_work() -> None:
    assert CHARGED.keys() == set(Work)
    assert sorted(quota for quotas in CHARGED.values() for quota in quotas) == sorted(Quota)


def test_limits_are_read_by_name_and_the_others_are_left_out() -> None:
    read = read_limits(" subscriptions=5, pages_per_day=unlimited,imports_per_day=0,")

    assert read == {Quota.SUBSCRIPTIONS: 5, Quota.PAGES_PER_DAY: None, Quota.IMPORTS_PER_DAY: 0}
    assert read_limits("") == {}


@pytest.mark.parametrize(
    "text",
    [
        "subscriptions",
        "feeds=1",
        "subscriptions=-1",
        "subscriptions=1.5",
        "subscriptions=٣",
        "subscriptions=" + 14 * "9",
    ],
)
def test_a_limit_that_cannot_be_read_names_the_field(text: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        read_limits(text, "DEFAULT_QUOTAS")

    assert raised.value.field == "DEFAULT_QUOTAS"


def test_a_tenant_has_its_own_limits_and_the_default_for_the_others() -> None:
    limits = limits_of({Quota.SUBSCRIPTIONS: 5, Quota.PAGES_PER_DAY: 7}, {Quota.PAGES_PER_DAY: None})

    assert (limits[Quota.SUBSCRIPTIONS], limits[Quota.PAGES_PER_DAY], limits[Quota.IMPORTS_PER_DAY]) == (5, None, None)


def test_the_stacks_default_limits_all_quotas_and_equals_that_of_the_code() -> None:
    assert source()["Parameters"]["DefaultQuotas"]["Default"] == DEFAULT_LIMITS
    assert read_limits(DEFAULT_LIMITS).keys() == set(Quota)


@pytest.mark.parametrize(("reserved", "places"), [(-1, 2), (0, 2), (1, 1), (3, 1), (4, 1), (8, 2), (100, 25)])
def test_a_tenant_has_a_quarter_of_a_functions_places_and_at_least_one(reserved: int, places: int) -> None:
    assert places_of(reserved) == places


MINUTELY, DAILY, TOTAL = Quota.DISCOVERIES_PER_MINUTE, Quota.DISCOVERIES_PER_DAY, Quota.SUBSCRIPTIONS
NOW = int(datetime(2026, 11, 28, 22, 10, 30, tzinfo=UTC).timestamp())


def test_days_are_utc_days_and_minutes_those_of_the_clock() -> None:
    day, minute = span_at(DAILY, NOW), span_at(MINUTELY, NOW)

    assert day.starts_at == datetime(2026, 11, 28, tzinfo=UTC).timestamp()
    assert (day.ends_at - day.starts_at, minute.ends_at - minute.starts_at) == (DAY_S, MINUTE_S)
    assert minute.starts_at == NOW - 30
    assert minute.before == span_at(MINUTELY, NOW - 60)


@pytest.mark.parametrize(("second", "left"), [(0, 10), (1, 10), (6, 9), (30, 5), (59, 1)])
def test_of_the_minute_before_the_share_counts_that_the_last_60_seconds_overlap(second: int, left: int) -> None:
    minute = span_at(MINUTELY, NOW)

    assert carried(minute, 10, minute.starts_at + second) == left
    assert carried(span_at(DAILY, NOW), 10, NOW) == 0


def test_a_day_resets_at_midnight_a_total_and_a_too_large_request_never() -> None:
    day = span_at(DAILY, NOW)

    assert opens_at(day, limit=5, used=5, used_before=0, weight=1, now=NOW) == day.ends_at
    assert opens_at(span_at(TOTAL, NOW), limit=5, used=5, used_before=0, weight=1, now=NOW) is None
    assert opens_at(day, limit=5, used=0, used_before=0, weight=6, now=NOW) is None


def test_a_minute_opens_at_the_first_second_at_which_the_call_fits_and_not_before() -> None:
    drawn = random.Random(7)
    for _ in range(300):
        limit, weight = drawn.randint(1, 40), 1
        now = NOW + drawn.randrange(120)
        span = span_at(MINUTELY, now)
        before = drawn.randint(0, limit)
        used = drawn.randint(0, limit)
        if used + carried(span, before, now) + weight <= limit:
            continue
        opens = opens_at(span, limit=limit, used=used, used_before=before, weight=weight, now=now)

        assert opens is not None
        assert now < opens <= now + 2 * MINUTE_S
        fits = [second for second in range(now + 1, opens + 1) if has_room(span, limit, used, before, second)]
        assert fits[:1] == [opens]


def has_room(span: Span, limit: int, used: int, before: int, second: int) -> bool:
    """Whether one more fits at a second, if nothing is charged until then."""
    if second < span.ends_at:
        return used + carried(span, before, second) + 1 <= limit
    if second < span.ends_at + MINUTE_S:
        return carried(span_at(MINUTELY, second), used, second) + 1 <= limit
    return True


def test_no_60_seconds_have_twice_the_limit_even_around_the_edge_of_a_minute() -> None:
    limit, times = 30, list[int]()
    used: dict[int, int] = {}
    for second in range(NOW - 30 + 55, NOW - 30 + 300):  # as much as there is, from the end of a minute on
        span = span_at(MINUTELY, second)
        while used.get(span.starts_at, 0) + carried(span, used.get(span.before.starts_at, 0), second) + 1 <= limit:
            used[span.starts_at] = used.get(span.starts_at, 0) + 1
            times.append(second)

    most = max(sum(first <= each < first + MINUTE_S for each in times) for first in set(times))
    assert limit <= most < 2 * limit
