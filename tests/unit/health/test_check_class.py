"""How often a healthy feed is checked (rules H3, S5, S8)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.health.check_class import hint_class, interval_min, wanted_class
from feedward.health.feed_health import FeedHealth
from feedward.scheduling.slots import CLASSES
from tests.unit.health.times import DAY, FEED_ID, HOUR, MINUTE, NOW

gaps = st.none() | st.integers(1, 400 * DAY)
ages = st.none() | st.integers(-DAY, 800 * DAY)
classes = st.none() | st.sampled_from(CLASSES)


def feed(gap_s: int | None, *, news: int | None = 0, hint_s: int | None = None, now: int = NOW) -> FeedHealth:
    """A healthy feed with its last news so many seconds before `now`."""
    latest = None if news is None else now - news
    return FeedHealth(feed_id=FEED_ID, median_gap_s=gap_s, hint_s=hint_s, latest_item_published_at=latest)


@pytest.mark.parametrize(
    ("gap_s", "news", "every"),
    [
        (1, 0, 15),
        (10 * MINUTE, 0, 15),
        (25 * MINUTE, 0, 30),
        (HOUR, 0, 60),
        (HOUR, 4 * HOUR, 60),
        (HOUR, 2 * DAY, 240),
        (4 * HOUR, 0, 240),
        (DAY, 0, 480),
        (36 * HOUR, 5 * DAY, 480),
        (36 * HOUR, 6 * DAY, 1440),
        (40 * HOUR, 0, 1440),
        (7 * DAY, 0, 1440),
        (HOUR, 30 * DAY, 1440),
        (None, 0, 60),
        (None, 10 * HOUR, 120),
        (None, 5 * DAY, 1440),
        (None, None, 60),
    ],
)
def test_a_new_feeds_class_follows_from_its_gap_and_its_silence(
    gap_s: int | None, news: int | None, every: int
) -> None:
    assert wanted_class(feed(gap_s, news=news), NOW, current=None) == every


@pytest.mark.parametrize(
    ("hint_s", "every"),
    [(None, 15), (0, 15), (300, 15), (901, 30), (HOUR, 60), (HOUR + 1, 120), (5 * HOUR, 480), (30 * DAY, 1440)],
)
def test_a_hint_is_a_floor_and_at_most_a_day(hint_s: int | None, every: int) -> None:
    assert hint_class(feed(60, hint_s=hint_s)) == every
    assert wanted_class(feed(60, hint_s=hint_s), NOW, current=15) == every


def test_a_class_is_kept_while_it_is_about_right() -> None:
    kept = [gap for gap in range(1, 200) if wanted_class(feed(gap * MINUTE), NOW, current=60) == 60]

    assert (kept[0], kept[-1]) == (30, 128)


def test_a_shorter_class_is_taken_at_once_and_a_longer_one_once_a_day() -> None:
    busy, quiet = feed(15 * MINUTE), feed(20 * HOUR)

    assert wanted_class(busy, NOW, current=60, since=NOW - MINUTE) == 15
    assert wanted_class(quiet, NOW, current=60, since=NOW - 23 * HOUR) == 60
    assert wanted_class(quiet, NOW, current=60, since=NOW - 24 * HOUR) == 480
    assert wanted_class(quiet, NOW, current=60) == 480


def test_a_feed_that_had_news_in_the_morning_may_get_a_longer_class_at_night() -> None:
    quiet = replace(feed(20 * HOUR), last_news_at=NOW - 11 * HOUR)

    assert wanted_class(quiet, NOW, current=60, since=NOW - 11 * HOUR) == 60
    assert wanted_class(quiet, NOW, current=60, since=NOW - 12 * HOUR) == 480
    assert wanted_class(quiet, NOW, current=60, since=NOW - 10 * HOUR) == 60


def test_a_hint_and_a_trusted_push_lengthen_a_class_at_once() -> None:
    assert wanted_class(feed(HOUR, hint_s=DAY), NOW, current=60, since=NOW - MINUTE) == 1440
    pushed = replace(feed(HOUR), push_every=1440)
    assert wanted_class(pushed, NOW, current=60, since=NOW - MINUTE) == 1440
    assert wanted_class(replace(pushed, push_every=None), NOW, current=1440, since=NOW - MINUTE) == 60


def test_a_feed_that_never_had_an_item_is_checked_less_often_each_day() -> None:
    never, every, since, at, classes = feed(None, news=None), 60, NOW, NOW, []
    while at < NOW + 5 * DAY:
        longer = wanted_class(never, at, current=every, since=since)
        every, since = longer, at if longer != every else since
        classes.append(every)
        at += every * MINUTE

    assert list(dict.fromkeys(classes)) == [60, 120, 240, 480, 1440]


@given(gaps, ages, st.none() | st.integers(0, 40 * DAY), classes)
def test_a_class_is_one_of_the_classes_and_never_below_the_hint(
    gap_s: int | None, age: int | None, hint_s: int | None, current: int | None
) -> None:
    health = feed(gap_s, news=age, hint_s=hint_s)
    every = wanted_class(health, NOW, current=current)

    assert every in CLASSES
    assert every >= hint_class(health)


@given(gaps, ages, classes)
def test_without_news_no_class_gets_shorter(gap_s: int | None, age: int | None, current: int | None) -> None:
    health = feed(gap_s, news=age)
    intervals = [interval_min(health, NOW + days * DAY) for days in range(40)]

    assert intervals == sorted(intervals)
    assert all(15 <= each <= 1440 for each in intervals)


@given(gaps, ages, classes)
def test_a_class_that_was_taken_is_not_taken_back(gap_s: int | None, age: int | None, current: int | None) -> None:
    health = feed(gap_s, news=age)
    every = wanted_class(health, NOW, current=current)

    assert all(wanted_class(health, NOW + hours * HOUR, current=every) >= every for hours in (0, 24))
