"""The phase of a feed's slot in its class (rules S3 to S7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.health.phase import MinuteLoads, seen_times, wanted_slot
from feedward.health.recent_items import Recent, RecentItem
from feedward.model import Item
from feedward.scheduling.slots import CLASSES, DAY_MIN, Slot, place_after
from tests.unit.health.times import DAY, FEED_ID, HOUR, MINUTE, NOW

AT_NINE = [NOW - days * DAY + 9 * HOUR + days % 3 * MINUTE for days in range(1, 21)]
LATER = NOW + 9 * HOUR + 5 * MINUTE

slots = st.sampled_from(CLASSES).flatmap(
    lambda every: st.integers(0, every - 1).map(lambda phase: Slot(every=every, phase=phase))
)


def slot(
    every: int,
    *,
    feed_id: str = FEED_ID,
    now: int = LATER,
    times: Sequence[int] | None = None,
    current: Slot | None = None,
    loads: MinuteLoads | None = None,
) -> Slot:
    return wanted_slot(feed_id, every, now, times=times, current=current, loads=loads)


def mean_delay_min(slot: Slot, times: Sequence[int]) -> float:
    """The average minutes from an item to the slot."""
    return sum((slot.phase * 60 - at) % slot.every_s for at in times) / len(times) / 60


def recent(*dates: tuple[int | None, int]) -> Recent:
    """The items of a feed, by date and first sight."""
    items = (
        RecentItem(item=Item(id=str(nth), published_at=at), first_seen_at=seen) for nth, (at, seen) in enumerate(dates)
    )
    return Recent(items=tuple(items))


@pytest.mark.parametrize("start", range(0, 480, 37))
@pytest.mark.parametrize("every", [30, 60, 120, 240, 480, 1440])
def test_a_feed_is_due_a_little_after_the_minute_at_which_its_items_come(every: int, start: int) -> None:
    times = [NOW + 9 * HOUR - days * DAY for days in range(20)]
    current, now = None, NOW + 10 * HOUR + start * MINUTE
    for _ in range(4):
        current = slot(every, now=now, times=times, current=current)
        now = place_after(current, now).next_at(now + 1)
    assert current is not None
    behind = (current.phase - 9 * 60) % every

    assert 3 + every * 0.05 <= behind <= 4 + every * 0.1 + every * 0.12


def test_feeds_with_items_at_the_same_minute_are_spread() -> None:
    phases = {slot(480, feed_id=f"feed-{n}", times=AT_NINE).phase for n in range(200)}

    assert len(phases) == 11


@given(
    every=st.sampled_from([each for each in CLASSES if each < 480]),
    times=st.lists(st.integers(NOW - 40 * DAY, NOW), max_size=20),
    current=st.none() | slots,
    now=st.integers(NOW, NOW + DAY),
)
def test_no_feed_of_a_class_under_eight_hours_waits_by_exception(
    every: int, times: list[int], current: Slot | None, now: int
) -> None:
    found = slot(every, now=now, times=times, current=current)

    assert place_after(found, now).slot == found


def test_a_feed_of_a_long_class_goes_to_its_learned_minute_by_exception() -> None:
    found = slot(480, now=NOW + 5 * HOUR, times=AT_NINE)

    assert 9 * 60 < found.phase + 480 < 10 * 60
    assert place_after(found, NOW + 5 * HOUR).slot is None


@pytest.mark.parametrize("times", [None, [], AT_NINE[:4], [NOW - n * (DAY + 72 * MINUTE) for n in range(20)]])
@given(every=st.sampled_from(CLASSES), now=st.integers(NOW, NOW + DAY), number=st.integers(0, 10**6))
def test_a_phase_that_is_not_learned_is_due_between_two_thirds_of_the_class_and_the_class(
    times: Sequence[int] | None, every: int, now: int, number: int
) -> None:
    found = slot(every, feed_id=f"feed-{number}", now=now, times=times)

    assert place_after(found, now).slot == found
    assert found.least_s <= found.next_at(now + 1) - now <= found.every_s


def test_the_feeds_of_a_host_come_apart() -> None:
    phases = Counter(slot(240, feed_id=f"feed-{n}").phase for n in range(8000))

    assert len(phases) == 81
    assert max(phases.values()) < 150


@given(slots, st.lists(st.integers(NOW - 400 * DAY, NOW), max_size=30))
def test_a_slot_is_kept_without_a_document_and_without_a_clear_gain(current: Slot, times: list[int]) -> None:
    now = current.next_at(LATER) + 20

    assert slot(current.every, now=now, current=current, times=None) == current
    moved = slot(current.every, now=now, current=current, times=times)
    if moved != current:
        gain = mean_delay_min(current, times[:20]) - mean_delay_min(moved, times[:20])
        assert gain >= 0.12 * current.every - 1e-6


def test_a_slot_that_is_near_enough_is_kept_and_one_that_is_far_is_moved() -> None:
    near, far = Slot(every=480, phase=140), Slot(every=480, phase=30)

    assert slot(480, now=near.next_at(NOW) + 9, times=AT_NINE, current=near) == near
    assert slot(480, now=far.next_at(NOW) + 9, times=AT_NINE, current=far) == slot(480, times=AT_NINE)


def test_a_clock_that_jumps_by_an_hour_moves_the_slot_within_its_items() -> None:
    learned = slot(480, times=AT_NINE)
    jumped = [at + HOUR for at in AT_NINE]

    now = learned.next_at(NOW) + 9
    moves = [slot(480, now=now, times=[*jumped[:n], *AT_NINE][:20], current=learned) != learned for n in range(21)]

    assert moves.index(True) <= 10


@given(st.sampled_from(CLASSES), slots, st.integers(NOW, NOW + DAY))
def test_a_class_that_changes_in_its_slot_keeps_the_minutes_where_that_is_in_time(
    every: int, current: Slot, at: int
) -> None:
    now = current.next_at(at) + 20
    found = slot(every, now=now, current=current)

    assert place_after(found, now).slot == found
    if every > current.every:
        assert found.phase % current.every == current.phase


def test_an_even_share_of_each_minute_wins_over_closeness() -> None:
    loads = MinuteLoads.of(slot(60, feed_id=f"feed-{n}", now=NOW + n * 37) for n in range(600))
    on_the_hour = [NOW - hours * HOUR for hours in range(20)]
    news = {}
    for n in range(1200):
        news[f"news-{n}"] = slot(60, feed_id=f"news-{n}", now=NOW + n * 29, loads=loads)
        loads.add(news[f"news-{n}"])
    for feed_id in [*news] * 3:
        current = news[feed_id]
        moved = slot(60, feed_id=feed_id, now=current.next_at(NOW) + 9, times=on_the_hour, current=current, loads=loads)
        loads.add(current, -1)
        loads.add(moved)
        news[feed_id] = moved

    most = [loads.most(Slot(every=60, phase=phase)) for phase in range(60)]
    assert max(most) < 1.5 * sum(most) / 60
    assert min(most[6:30]) > max(most[45:])


def test_loads_count_a_slot_at_each_of_its_minutes() -> None:
    loads = MinuteLoads.of([Slot(every=60, phase=7), Slot(every=480, phase=67)])

    assert [loads.most(Slot(every=1440, phase=minute)) for minute in (7, 8, 67, 127, 547)] == [1, 0, 2, 1, 2]


def test_items_are_seen_first_at_their_dates() -> None:
    found = recent((NOW - 90, NOW), (NOW - 5000, NOW - 4000), (NOW - DAY - 7, NOW - DAY + 60))

    assert seen_times(found) == [NOW - 90, NOW - 5000, NOW - DAY - 7]


@pytest.mark.parametrize(
    "dates",
    [
        [(NOW - days * DAY, NOW) for days in range(20)],
        [(NOW + 60 + days, NOW) for days in range(20)],
        [(NOW - 77, NOW)] * 20,
        [(None, NOW - days * DAY) for days in range(20)],
        [(NOW - days * DAY - 40 * HOUR - 5, NOW - days * DAY) for days in range(19)]
        + [(NOW - 30 * DAY, NOW - 29 * DAY)],
    ],
    ids=["midnight", "in the future", "equal", "undated", "long before first sight"],
)
def test_dates_that_tell_nothing_are_left_out(dates: list[tuple[int | None, int]]) -> None:
    assert seen_times(recent(*dates)) == []


def test_dates_before_the_first_sight_of_the_feed_count() -> None:
    times = [NOW - days * DAY - 5 * HOUR for days in range(20)]

    assert seen_times(recent(*((at, NOW) for at in times)), 60) == times


def test_an_item_that_a_check_narrowly_missed_came_after_that_check() -> None:
    first = (NOW - 9 * DAY, NOW - 8 * DAY)
    in_time, missed, too_late = (
        (NOW - 7 * HOUR, NOW),
        (NOW - DAY - 9 * HOUR, NOW - DAY),
        (NOW - 40 * HOUR, NOW - 29 * HOUR),
    )

    assert seen_times(recent(in_time, missed, too_late, first), 480) == [NOW - 7 * HOUR, NOW - DAY - 8 * HOUR]


@pytest.mark.parametrize("every", [15, 60, 480, 1440])
def test_a_new_slot_is_at_a_minute_with_room_or_at_the_emptiest_within_reach(every: int) -> None:
    crowded, loads = slot(every), [10] * DAY_MIN
    loads[crowded.phase :: every] = [1000] * (DAY_MIN // every)
    full = MinuteLoads(loads)
    assert not full.has_room(crowded)
    assert full.has_room(slot(every, loads=full))

    reach = range(-(-(LATER + every * 40) // 60), LATER // 60 + every + 1)
    for minute in reach:
        loads[minute % every :: every] = [1000 - (minute == reach[-2])] * (DAY_MIN // every)
    assert slot(every, loads=MinuteLoads(loads)).phase == reach[-2] % every
