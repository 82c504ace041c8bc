"""Whether further items can be expected, and the times of the existing ones (rule H4)."""

from __future__ import annotations

import pytest

from feedward.health.cadence import Freshness, effective_at, freshness, median_gap_s, rhythm_times
from feedward.model import Item
from tests.unit.health.times import DAY, HOUR, NOW


@pytest.mark.parametrize(
    ("age_s", "gap_s", "expected"),
    [
        (0, HOUR, Freshness.FRESH),
        (30 * DAY - 1, HOUR, Freshness.FRESH),
        (30 * DAY, HOUR, Freshness.STALE),
        (30 * DAY, None, Freshness.STALE),
        (30 * DAY, 10 * DAY, Freshness.FRESH),
        (50 * DAY - 1, 10 * DAY, Freshness.FRESH),
        (50 * DAY, 10 * DAY, Freshness.STALE),
        (400 * DAY, 365 * DAY, Freshness.FRESH),
        (-DAY, HOUR, Freshness.FRESH),
    ],
)
def test_stale_is_5_gaps_and_at_least_30_days(age_s: int, gap_s: int | None, expected: Freshness) -> None:
    assert freshness(NOW - age_s, gap_s, NOW) is expected


def test_a_feed_that_never_had_an_item_is_neither_fresh_nor_stale() -> None:
    assert freshness(None, None, NOW) is Freshness.UNKNOWN


@pytest.mark.parametrize(
    ("item", "came_at"),
    [
        (Item(published_at=NOW - DAY), NOW - DAY),
        (Item(published_at=NOW + 15 * 365 * DAY), NOW),
        (Item(updated_at=NOW - HOUR), NOW - HOUR),
        (Item(published_at=NOW - DAY, updated_at=NOW - HOUR), NOW - DAY),
        (Item(published_at=0), 0),
        (Item(title="undated"), NOW),
    ],
)
def test_no_item_came_later_than_it_was_first_seen(item: Item, came_at: int) -> None:
    assert effective_at(item, NOW) == came_at


def test_undated_items_found_together_show_no_rhythm() -> None:
    undated = [(Item(id=str(n)), NOW) for n in range(20)]
    assert rhythm_times(undated) == [NOW]
    assert median_gap_s(rhythm_times(undated)) is None


def test_undated_items_found_day_by_day_show_it() -> None:
    found = [(Item(id=str(n)), NOW + max(0, n - 10) * DAY) for n in range(15)]
    assert median_gap_s(rhythm_times(found)) == DAY


def test_dated_items_found_together_keep_their_own_rhythm() -> None:
    found = [(Item(published_at=NOW - n * HOUR), NOW) for n in (3, 0, 2, 1)]
    assert rhythm_times(found) == [NOW, NOW - HOUR, NOW - 2 * HOUR, NOW - 3 * HOUR]
