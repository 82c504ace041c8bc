"""The spans in which quotas count, and when there is room again (rule QT2)."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest

from feedward.quotas.quota import Quota
from feedward.quotas.span import DAY_S, MINUTE_S, Span, carried, opens_at, span_at

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
