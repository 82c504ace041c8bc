"""How often a feed publishes, and how often it asks to be fetched (rule H3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.health.cadence import LONGEST_HINT_S, hint_s, median_gap_s, published_times
from feedward.model import Feed, FeedFormat, Item

NOW = 1_790_000_000
HOUR = 3600


def feed(**members: str | None) -> Feed:
    return Feed(format=FeedFormat.RSS, **members)  # type: ignore[arg-type]


def test_times_are_newest_first_and_none_is_later_than_now() -> None:
    items = [
        Item(published_at=NOW - 50, updated_at=NOW - 10),
        Item(updated_at=NOW - 20),
        Item(published_at=NOW + 999),
        Item(title="undated"),
        Item(published_at=0),
    ]
    assert published_times(items, NOW) == [NOW, NOW - 20, NOW - 50, 0]


@pytest.mark.parametrize(
    ("times", "gap"),
    [
        ([], None),
        ([NOW], None),
        ([NOW, NOW - HOUR], HOUR),
        ([NOW, NOW - 1, NOW - 1 - HOUR, NOW - 1 - 2 * HOUR], HOUR),
        ([NOW, NOW - 10, NOW - 30], 15),
        ([NOW, NOW], None),
        ([NOW] * 20, None),
        ([NOW] * 5 + [NOW - HOUR] * 5 + [NOW - 3 * HOUR] * 5, HOUR + HOUR // 2),
        ([NOW, NOW, NOW, NOW - HOUR], HOUR),
    ],
)
def test_the_gap_is_the_median_one(times: list[int], gap: int | None) -> None:
    assert median_gap_s(times) == gap


def test_only_the_last_20_items_say_how_often_a_feed_publishes() -> None:
    daily = [NOW - n * 24 * HOUR for n in range(20)]
    once_hourly = [daily[-1] - n * HOUR for n in range(1, 100)]
    assert median_gap_s(daily + once_hourly) == 24 * HOUR


@pytest.mark.parametrize(
    ("members", "cache_control", "hint"),
    [
        ({}, None, None),
        ({"ttl": "60"}, None, HOUR),
        ({"ttl": " 90 "}, None, 90 * 60),
        ({"ttl": "0"}, None, None),
        ({"ttl": "-5"}, None, None),
        ({"ttl": "an hour"}, None, None),
        ({"ttl": "\u0661"}, None, None),
        ({"ttl": "9" * 5000}, None, 24 * HOUR),
        ({"update_period": "hourly"}, None, HOUR),
        ({"update_period": "Daily", "update_frequency": "4"}, None, 6 * HOUR),
        ({"update_period": "hourly", "update_frequency": "0"}, None, HOUR),
        ({"update_frequency": "2"}, None, 12 * HOUR),
        ({"update_period": "yearly"}, None, 24 * HOUR),
        ({"update_period": "sometimes"}, None, None),
        ({}, "max-age=600", 600),
        ({}, "public, Max-Age=600, must-revalidate", 600),
        ({}, "s-maxage=600", None),
        ({}, "max-age=0", None),
        ({}, "no-cache", None),
        ({"ttl": "10", "update_period": "hourly"}, "max-age=1200", HOUR),
    ],
)
def test_the_longest_interval_that_a_feed_asks_for_counts(
    members: dict[str, str], cache_control: str | None, hint: int | None
) -> None:
    headers = {"cache-control": cache_control} if cache_control else {}
    assert hint_s(feed(**members), headers) == hint


words = st.none() | st.text(max_size=30) | st.integers().map(str) | st.sampled_from(["daily", "hourly", "weekly"])


@given(words, words, words, st.text(max_size=40))
def test_a_feeds_hint_is_at_most_a_day_or_none(
    ttl: str | None, period: str | None, frequency: str | None, cache_control: str
) -> None:
    said = feed(ttl=ttl, update_period=period, update_frequency=frequency)
    found = hint_s(said, {"cache-control": cache_control})
    assert found is None or 0 < found <= LONGEST_HINT_S


@pytest.mark.parametrize(
    ("age", "fresh_for"), [("3000", 600), ("0", 3600), ("9999", None), ("soon", 3600), ("", 3600), ("-5", 3600)]
)
def test_the_time_that_an_answer_lay_in_a_cache_is_taken_off(age: str, fresh_for: int | None) -> None:
    assert hint_s(feed(), {"cache-control": "max-age=3600", "age": age}) == fresh_for
