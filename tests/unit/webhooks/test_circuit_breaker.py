"""The breaker, and the conditions that disable a webhook."""

from __future__ import annotations

import pytest

from feedward.webhooks.circuit_breaker import (
    DisabledBecause,
    Standing,
    after_failure,
    after_success,
    begin_probe,
    disabled_because,
)
from tests.fakes.directory import NOW

DAY_S = 24 * 3600


def failed(times: int, *, every_s: int = 1, before: Standing | None = None) -> Standing:
    standing = before or Standing()
    for number in range(times):
        standing = after_failure(standing, NOW + number * every_s)
    return standing


def test_five_failures_in_a_row_hold_and_each_probe_that_fails_doubles_the_time_up_to_half_an_hour() -> None:
    assert failed(4).held_until is None
    standing, holds, now = failed(5), [], NOW + 4
    for _ in range(8):
        assert standing.held_until is not None
        holds.append((standing.held_until - now) // 60)
        now = standing.held_until
        standing = after_failure(standing, now)

    assert holds == [1, 2, 4, 8, 16, 30, 30, 30]


@pytest.mark.parametrize("after_s", [0, 1, 15])
def test_attempts_that_were_under_way_when_the_hold_began_do_not_lengthen_it(after_s: int) -> None:
    held = failed(5)
    late = after_failure(after_failure(held, NOW + 4 + after_s), NOW + 4 + after_s)

    assert (late.failures, late.held_until, late.holds) == (7, held.held_until, 1)


@pytest.mark.parametrize("after_s", [0, 15, 39])
def test_a_probe_that_fails_at_any_time_doubles_the_hold(after_s: int) -> None:
    held = failed(5)
    assert held.held_until is not None
    probed = after_failure(begin_probe(held, held.held_until), held.held_until + after_s)

    assert (probed.held_until, probed.holds) == (held.held_until + after_s + 120, 2)


def test_a_success_clears_everything_and_is_written_once_an_hour() -> None:
    clean = after_success(failed(7), NOW + 60)

    assert clean == Standing(last_success_at=NOW + 60)
    assert after_success(clean, NOW + 61) is clean
    assert after_success(clean, NOW + 60 + 3600) is not clean


def test_one_success_between_keeps_a_receiver() -> None:
    assert failed(4, before=after_success(failed(4), NOW)).held_until is None


def test_410_disables_at_once() -> None:
    assert disabled_because(failed(1), 410, NOW) is DisabledBecause.GONE
    assert disabled_because(failed(1), 404, NOW) is None


def test_failures_disable_after_five_days_on_three_of_them_and_ten_attempts() -> None:
    each_half_day = failed(11, every_s=DAY_S // 2)
    few, one_day = failed(6, every_s=DAY_S), failed(50)

    assert disabled_because(each_half_day, 500, NOW + 5 * DAY_S) is DisabledBecause.FAILING
    assert disabled_because(each_half_day, 500, NOW + 5 * DAY_S - 1) is None
    assert disabled_because(few, 500, NOW + 6 * DAY_S) is None
    assert disabled_because(one_day, 500, NOW + 6 * DAY_S) is None
