"""When a feed is checked next (rules H3, I4)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from feedward.health.decision import Check, Reading
from feedward.health.feed_health import FeedHealth
from feedward.health.next_check import (
    Schedule,
    interval_s,
    place_after_late,
    place_after_outage,
    place_after_pause,
    place_by_state,
)
from feedward.health.state_machine import decide
from feedward.model import FeedState, Outcome
from feedward.scheduling.slots import Place, Slot
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


@pytest.mark.parametrize("check", [NEWS, OK, UNCHANGED])
@pytest.mark.parametrize("gap", [None, 0, 60, 4 * HOUR, 30 * HOUR, 365 * DAY])
@pytest.mark.parametrize("hint", [None, 5 * MINUTE, 6 * HOUR, 365 * DAY])
def test_a_healthy_feed_is_due_between_two_thirds_of_its_class_and_the_class(
    check: Check, gap: int | None, hint: int | None
) -> None:
    decision = last(healthy(gap, hint), (NOW, check))
    assert decision.place is not None
    assert decision.place.slot is not None
    assert decision.next_check_at is not None
    slot = decision.place.slot
    assert slot.least_s <= decision.next_check_at - NOW <= slot.every_s
    assert slot.every_s >= min(hint or 0, DAY)


def test_a_check_without_news_keeps_its_place() -> None:
    first = last(healthy(4 * HOUR), (NOW, NEWS))
    assert first.next_check_at is not None
    again = decide(first.health, UNCHANGED, first.next_check_at + 5, Schedule(current=first.place))
    assert again.place is first.place


def test_a_check_out_of_its_slot_is_followed_by_none_sooner_than_two_thirds_of_the_class() -> None:
    slot = Slot(every=60, phase=30)
    place = Place(slot=slot, from_s=NOW)
    for minute in range(61):
        at, gaps = NOW + minute * MINUTE, []
        where = place
        for _ in range(4):
            after = decide(replace(healthy(HOUR), last_news_at=at), UNCHANGED, at, Schedule(current=where))
            assert after.place is not None
            assert after.next_check_at is not None
            gaps.append(after.next_check_at - at)
            at, where = after.next_check_at, after.place
        assert min(gaps) >= 40 * MINUTE
        assert max(gaps) <= HOUR


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
def test_retry_after_is_a_floor(check: Check, interval: int) -> None:
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
    place = last(healthy(), (NOW, replace(NEWS, reading=reading))).place
    assert place is not None
    assert place.slot is not None
    assert place.slot.every == 60


def test_one_burst_of_old_items_does_not_put_a_busy_feed_off() -> None:
    busy = Reading(median_gap_s=8 * MINUTE, latest_item_published_at=NOW)
    assert wait(healthy(30 * DAY), replace(NEWS, reading=busy))[1] <= HOUR


def test_feeds_that_fail_together_are_not_retried_together() -> None:
    feeds = [replace(healthy(), feed_id=derived_ulid(NOW, str(n)), consecutive_failures=5) for n in range(144)]
    dues = {last(feed, (NOW, FAILED)).next_check_at for feed in feeds}
    assert len(dues) > 100


def test_after_an_outage_of_ours_feeds_are_retried_soon_and_spread() -> None:
    feeds = [replace(healthy(), feed_id=derived_ulid(NOW, str(n))) for n in range(200)]
    waits = [place_after_outage(feed, NOW).from_s - NOW for feed in feeds]
    assert min(waits) >= 60
    assert max(waits) <= 30 * MINUTE
    assert len(set(waits)) > 100


@pytest.mark.parametrize(
    ("until", "wanted"), [(NOW - 5, MINUTE), (NOW, MINUTE), (NOW + 2 * HOUR, 2 * HOUR), (NOW + 99 * DAY, 7 * DAY)]
)
def test_a_feed_of_a_host_in_cooldown_is_due_at_its_end(until: int, wanted: int) -> None:
    due = place_after_pause(healthy(), Place(from_s=NOW), until, NOW)
    assert due.slot is None
    assert wanted <= due.from_s - NOW <= wanted * 1.1


@pytest.mark.parametrize(
    ("every", "until", "stays"),
    [(60, NOW + HOUR, True), (60, NOW + HOUR + 1, False), (15, NOW + 5, True), (240, NOW + 5, False)],
)
def test_a_slot_that_comes_often_stays_if_the_cooldown_ends_by_its_next_minute(
    every: int, until: int, stays: bool
) -> None:
    place = Place(slot=Slot(every=every, phase=NOW // 60 % every), from_s=0)
    after = place_after_pause(healthy(), place, until, NOW)
    assert (after == place, after.slot is None) == (stays, not stays)


@pytest.mark.parametrize(
    ("every", "stays"), [(15, True), (30, True), (60, True), (120, True), (240, False), (1440, False)]
)
def test_a_feed_whose_message_was_dropped_waits_for_its_next_minute_if_that_comes_soon(every: int, stays: bool) -> None:
    place = Place(slot=Slot(every=every, phase=0), from_s=0)
    after = place_after_late(healthy(), place, NOW)
    assert (after == place) == stays
    assert stays or MINUTE <= after.from_s - NOW <= HOUR + MINUTE


def test_a_feed_by_exception_whose_message_was_dropped_stays_where_the_repair_pass_finds_it() -> None:
    place = Place(from_s=NOW - 1000)
    assert place_after_late(healthy(), place, NOW) == place


def test_a_paused_feed_is_never_due() -> None:
    assert place_by_state(replace(healthy(), state=FeedState.PAUSED), NOW) is None


def test_an_unhealthy_feed_whose_beginning_is_not_known_is_checked_daily() -> None:
    assert interval_s(replace(healthy(), state=FeedState.UNHEALTHY), NOW) == DAY


def test_every_wait_is_at_least_a_minute_ahead_and_whole() -> None:
    for decision in replay(healthy(0), (NOW, OK), (NOW, FAILED), (NOW, LIMITED), (NOW, NEWS)):
        assert type(decision.next_check_at) is int
        assert decision.next_check_at >= NOW + 60
