"""When a feed is checked next (rules H3, I4)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from feedward.health.decision import Check, Reading
from feedward.health.next_check import interval_s, next_check_after_outage, next_check_after_pause, next_check_at
from feedward.health.record import FeedHealth
from feedward.model import FeedState, Outcome
from feedward.ulid import derived_ulid
from tests.unit.health.times import (
    DAY,
    FAILED,
    HOUR,
    LIMITED,
    MINUTE,
    NEWS,
    NOW,
    OK,
    UNCHANGED,
    healthy,
    last,
    replay,
)


def wait(health: FeedHealth, *checks: Check) -> tuple[float, float]:
    """The wait after the last of the checks, a day apart, as (least, most) before jitter."""
    events = [(NOW + n * DAY, check) for n, check in enumerate(checks)]
    due = last(health, *events).next_check_at
    assert due is not None
    waited = due - events[-1][0]
    return waited / 1.1, waited


@pytest.mark.parametrize(
    ("gap", "hint", "checks", "interval"),
    [
        (4 * HOUR, None, [NEWS], 2 * HOUR),
        (4 * HOUR, None, [UNCHANGED], 3 * HOUR),
        (4 * HOUR, None, [OK, UNCHANGED], 4.5 * HOUR),
        (4 * HOUR, None, [OK] * 3, 6.75 * HOUR),
        (4 * HOUR, None, [OK] * 4, 8 * HOUR),
        (4 * HOUR, None, [OK] * 50, 8 * HOUR),
        (4 * HOUR, None, [OK, OK, NEWS], 2 * HOUR),
        (4 * HOUR, None, [OK, OK, NEWS, OK], 3 * HOUR),
        (30 * HOUR, None, [OK] * 9, DAY),
        (60, None, [NEWS], 15 * MINUTE),
        (60, None, [OK] * 9, HOUR),
        (365 * DAY, None, [NEWS], DAY),
        (None, None, [NEWS], HOUR),
        (None, None, [OK] * 9, 4 * HOUR),
        (HOUR, 6 * HOUR, [NEWS], 6 * HOUR),
        (HOUR, 6 * HOUR, [OK] * 9, 6 * HOUR),
        (HOUR, 365 * DAY, [NEWS], DAY),
        (DAY, 5 * MINUTE, [NEWS], 12 * HOUR),
    ],
)
def test_a_healthy_feed_waits_half_its_gap_and_longer_while_nothing_comes(
    gap: int | None, hint: int | None, checks: list[Check], interval: float
) -> None:
    least, most = wait(healthy(gap, hint), *checks)
    assert least - 1 <= interval <= most


@pytest.mark.parametrize(
    ("check", "interval"),
    [
        (replace(LIMITED, retry_after_s=2 * HOUR), 2 * HOUR),
        (replace(LIMITED, retry_after_s=10), 15 * MINUTE),  # the shortest interval of any feed
        (replace(LIMITED, retry_after_s=0), 15 * MINUTE),
        (replace(LIMITED, retry_after_s=30 * DAY), 7 * DAY),
        (LIMITED, HOUR),
        (replace(LIMITED, status=None, retry_after_s=2 * HOUR), 2 * HOUR),
        (replace(FAILED, status=503, retry_after_s=4 * HOUR), 4 * HOUR),
        (replace(FAILED, status=503, retry_after_s=10), 5 * MINUTE),
        (replace(FAILED, status=500, retry_after_s=4 * HOUR), 5 * MINUTE),
        (Check(outcome=Outcome.CHALLENGE, status=503, retry_after_s=HOUR), HOUR),
    ],
)
def test_what_the_server_asks_for_is_a_floor(check: Check, interval: int) -> None:
    least, most = wait(healthy(60), check)
    assert least * 0.66 - 1 <= interval <= most


@pytest.mark.parametrize("retry_after_s", [0, 30, 15 * MINUTE])
@pytest.mark.parametrize("gap", [0, 60, 4 * HOUR, 30 * DAY, None])
def test_a_429_that_says_when_to_come_is_not_put_off_by_the_feeds_own_rhythm(
    gap: int | None, retry_after_s: int
) -> None:
    refused = replace(LIMITED, retry_after_s=retry_after_s)
    for checks in ([refused], [OK] * 4 + [refused], [refused] * 4):
        _, waited = wait(healthy(gap), *checks)
        assert 15 * MINUTE <= waited <= 1.1 * 15 * MINUTE


def test_a_429_does_not_shorten_the_wait_of_a_feed_that_fails_or_asks_for_a_longer_one() -> None:
    refused = replace(LIMITED, retry_after_s=30)
    assert wait(healthy(60, 6 * HOUR), refused)[1] >= 6 * HOUR
    assert wait(healthy(60), *[FAILED] * 4, refused)[1] >= 40 * MINUTE


@pytest.mark.parametrize("reading", [Reading(median_gap_s=0), Reading(median_gap_s=None)])
def test_a_feed_whose_items_have_one_date_is_checked_as_one_of_unknown_rhythm(reading: Reading) -> None:
    assert wait(healthy(), replace(NEWS, reading=reading))[1] >= HOUR


def test_a_server_that_keeps_refusing_is_asked_less_and_less_often() -> None:
    first, second = wait(healthy(4 * HOUR), LIMITED), wait(healthy(4 * HOUR), LIMITED, LIMITED)
    assert second[0] > first[1]


def test_one_burst_of_old_items_does_not_put_a_busy_feed_off() -> None:
    busy = Reading(median_gap_s=8 * MINUTE, latest_item_published_at=NOW)
    assert wait(healthy(30 * DAY), replace(NEWS, reading=busy))[1] <= HOUR


def test_feeds_that_fail_together_are_not_retried_together() -> None:
    feeds = [replace(healthy(), feed_id=derived_ulid(NOW, str(n)), consecutive_failures=5) for n in range(144)]
    dues = {last(feed, (NOW, FAILED)).next_check_at for feed in feeds}
    assert len(dues) > 100


def test_after_an_outage_of_ours_feeds_are_retried_soon_and_spread() -> None:
    feeds = [replace(healthy(), feed_id=derived_ulid(NOW, str(n))) for n in range(200)]
    waits = [next_check_after_outage(feed, NOW) - NOW for feed in feeds]
    assert min(waits) >= 60
    assert max(waits) <= 30 * MINUTE
    assert len(set(waits)) > 100


@pytest.mark.parametrize(
    ("until", "wanted"), [(NOW - 5, MINUTE), (NOW, MINUTE), (NOW + 2 * HOUR, 2 * HOUR), (NOW + 99 * DAY, 7 * DAY)]
)
def test_a_feed_of_a_host_that_wants_peace_is_due_when_that_ends(until: int, wanted: int) -> None:
    due = next_check_after_pause(healthy(), until, NOW)
    assert wanted <= due - NOW <= wanted * 1.1


def test_a_paused_feed_is_never_due() -> None:
    assert next_check_at(replace(healthy(), state=FeedState.PAUSED), NOW) is None


def test_an_unhealthy_feed_whose_beginning_is_not_known_is_checked_daily() -> None:
    assert interval_s(replace(healthy(), state=FeedState.UNHEALTHY), NOW) == DAY


def test_every_wait_is_at_least_a_minute_ahead_and_whole() -> None:
    for decision in replay(healthy(0), (NOW, OK), (NOW, FAILED), (NOW, LIMITED), (NOW, NEWS)):
        assert type(decision.next_check_at) is int
        assert decision.next_check_at >= NOW + 60
