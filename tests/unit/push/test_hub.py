"""When a hub is held or suspended, and when it may be dead (rules W12, W22, W23)."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.push.hub import HubStanding, answered, failed, with_late, with_missed, with_untold
from feedward.push.hub_doubt import is_doubted, is_silent, may_probe, probes
from feedward.push.trust import pushed_class
from feedward.scheduling.slots import CLASSES

NOW = 1_790_000_000
DAY_S = 86_400
SOUND = HubStanding(hub="https://hub.example/", trusted=300, rate=2_400_000, told_at=NOW)


def missing(times: list[int], standing: HubStanding = SOUND) -> HubStanding:
    for number, at in enumerate(times):
        standing = with_missed(standing, f"f{number}", NOW + at)
    return standing


def test_three_feeds_missed_in_an_hour_suspend_a_hub_and_two_do_not() -> None:
    assert not missing([0, 60]).suspended_until
    suspended = missing([0, 1000, 3500])
    assert suspended.is_suspended(NOW + 3500 + DAY_S - 1)
    assert suspended.frees
    assert not missing([0, 1800, 3700]).suspended_until


def test_one_feed_that_is_missed_again_and_again_is_one_feed() -> None:
    standing = SOUND
    for minute in range(10):
        standing = with_missed(standing, "f", NOW + minute * 60)

    assert not standing.suspended_until


def test_a_tenth_of_the_audits_of_a_day_suspend_a_hub_too() -> None:
    assert not missing([hour * 2 * 3600 for hour in range(11)]).suspended_until
    small = replace(SOUND, trusted=4)
    assert missing([0, 8 * 3600, 16 * 3600], small).suspended_until


def test_a_large_hub_is_judged_by_its_share_of_misses() -> None:
    large = replace(SOUND, trusted=24_000)

    assert not missing([minute * 60 for minute in range(50)], large).suspended_until
    assert missing([second * 30 for second in range(101)], large).suspended_until


def test_a_hub_that_is_suspended_again_is_so_for_longer() -> None:
    first = missing([0, 1, 2])
    second = missing([DAY_S + 60, DAY_S + 61, DAY_S + 62], first)

    assert first.suspended_until - NOW - 2 == DAY_S
    assert second.suspended_until - NOW - DAY_S - 62 == 2 * DAY_S


def test_a_hub_that_does_not_answer_is_held_ever_longer_until_it_does() -> None:
    standing, holds = SOUND, []
    for _ in range(9):
        standing = failed(standing, NOW)
        holds.append((standing.held_until - NOW) // 60)

    assert holds == [0, 0, 15, 30, 60, 120, 240, 480, 480]
    assert answered(standing) == SOUND
    assert failed(SOUND, NOW, retry_after_s=120).held_until == NOW + 120


def test_a_proven_hub_is_silent_after_eight_gaps_and_four_minutes() -> None:
    busy, slow = replace(SOUND, rate=4_800_000), replace(SOUND, rate=48_000)  # news each 18 s, and each 30 min

    assert not is_silent(busy, NOW + 240)
    assert is_silent(busy, NOW + 241)
    assert not is_silent(slow, NOW + 4 * 3600)
    assert is_silent(slow, NOW + 4 * 3600 + 1)
    assert not is_silent(replace(busy, trusted=10), NOW + DAY_S)
    assert not may_probe(replace(busy, probed_at=NOW), NOW + 200)


def test_a_hub_that_stays_silent_is_doubted_ever_less_often_and_by_fewer_feeds_but_each_hour() -> None:
    standing, doubts, checks = replace(SOUND, rate=4_800_000), [], []
    for minute in range(8 * 60):
        if is_silent(standing, NOW + minute * 60):
            doubts.append(minute)
            checks.append(probes(standing))
            standing = replace(standing, probed_at=NOW + minute * 60)

    assert doubts[:5] == [5, 11, 23, 47, 95]
    assert {later - earlier for earlier, later in pairwise(doubts[5:])} == {61}
    assert checks == [50] + [20] * (len(doubts) - 1)


def test_a_silent_hub_is_dead_once_three_feeds_have_news_and_any_push_clears_it() -> None:
    def untold(standing: HubStanding, *times: int) -> HubStanding:
        for number, at in enumerate(times):
            standing = with_untold(standing, f"f{number}", NOW + at)
        return standing

    assert untold(SOUND, 600, 601, 602).is_suspended(NOW + 603)
    assert untold(SOUND, 600, 601, 602).frees
    assert not untold(SOUND, 600, 601).suspended_until
    assert not untold(SOUND, 100, 101, 102).suspended_until
    assert with_untold(replace(SOUND, trusted=10), "f", NOW + 600) == replace(SOUND, trusted=10)
    assert not untold(replace(untold(SOUND, 600, 601), told_at=NOW + 602), 1200, 1201).suspended_until
    assert not with_untold(untold(SOUND, 600, 601), "f1", NOW + 700).suspended_until


def test_of_a_hub_whose_feeds_were_just_checked_ten_with_untold_news_show_that_it_lies() -> None:
    standing = replace(SOUND, told_at=NOW + 600, probed_at=NOW + 590)
    before = with_untold(standing, "early", NOW + 580)
    for number in range(9):
        before = with_untold(before, f"f{number}", NOW + 591 + number)

    assert not before.suspended_until
    assert with_untold(before, "f9", NOW + 620).is_suspended(NOW + 621)
    assert not with_untold(before, "f9", NOW + 591 + 301).suspended_until
    assert not with_untold(replace(before, trusted=240_000), "f9", NOW + 620).suspended_until


def test_a_hub_is_in_doubt_if_a_tenth_of_its_pushes_bring_older_items() -> None:
    def late(pushes: int, standing: HubStanding = SOUND) -> HubStanding:
        for number in range(pushes):
            standing = with_late(standing, f"f{number}", NOW + number)
        return standing

    busy = replace(SOUND, rate=4_800_000)  # fifty pieces in a quarter of an hour
    assert [is_doubted(late(pushes, busy), NOW + 5) for pushes in (4, 5)] == [False, True]
    slow = replace(SOUND, rate=48_000)
    assert [is_doubted(late(pushes, slow), NOW + 5) for pushes in (2, 3)] == [False, True]
    assert not is_doubted(late(5, busy), NOW + 905)
    assert late(1, replace(SOUND, trusted=10)) == replace(SOUND, trusted=10)


@pytest.mark.parametrize("own", CLASSES)
def test_an_unproven_hub_costs_at_most_four_slots_of_a_feeds_own_class(own: int) -> None:
    assert own <= pushed_class(own, is_proven=False) <= max(4 * own, own)
    assert pushed_class(own, is_proven=False) in CLASSES
    assert pushed_class(own, is_proven=True) == 1440


@given(st.lists(st.integers(min_value=0, max_value=10 * DAY_S), max_size=60), st.integers(min_value=0, max_value=5000))
def test_the_stored_state_of_a_hub_stays_small(times: list[int], trusted: int) -> None:
    standing = missing(sorted(times), replace(SOUND, trusted=trusted))

    assert len(standing.missed) <= 200
    assert standing.frees == bool(standing.suspended_until)
