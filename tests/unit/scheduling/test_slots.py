"""When a slot is due (rule S1), and the place of a feed (rules H3, S10)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.errors import InvalidInput
from feedward.scheduling.slots import CLASSES, DAY_MIN, Place, Slot, class_at_least, place_after, slots_of

MONDAY = 1_767_571_200  # 2026-01-05T00:00:00Z
IDS = ("01JNE3T8000000000000000000", "01JNE3T8000000000000000001", "feed-17")

slots = st.sampled_from(CLASSES).flatmap(
    lambda every: st.integers(0, every - 1).map(lambda phase: Slot(every=every, phase=phase))
)
times = st.integers(MONDAY, MONDAY + 400 * 86_400)


def checks_of(slot: Slot, days: int) -> range:
    """The times at which a slot is due within so many days."""
    return range(slot.next_at(MONDAY), MONDAY + days * 86_400, slot.every_s)


def test_all_classes_divide_a_day() -> None:
    assert [DAY_MIN % every for every in CLASSES] == [0] * 7


@given(slots)
def test_a_key_is_read_as_the_slot_that_wrote_it(slot: Slot) -> None:
    assert Slot.from_key(slot.key) == slot


@pytest.mark.parametrize("key", ["slot#45#1", "slot#60#60", "slot#60#-1", "slot#60", "due#60#1", "slot#60#1#2", "", 7])
def test_an_invalid_slot_key_is_refused(key: object) -> None:
    with pytest.raises(InvalidInput, match="slot"):
        Slot.from_key(key)


@given(slots, times)
def test_the_next_and_the_last_time_of_a_slot_are_its_own_and_nearest(slot: Slot, at: int) -> None:
    following, before = slot.next_at(at), slot.last_at(at)

    assert slot.is_due_at(following // 60)
    assert slot.is_due_at(before // 60)
    assert following % 60 == before % 60 == 0
    assert at <= following < at + slot.every_s
    assert at - slot.every_s < before <= at


@given(times)
def test_a_minute_has_one_slot_of_each_class(at: int) -> None:
    due = list(slots_of(at // 60))

    assert [slot.every for slot in due] == list(CLASSES)
    assert all(slot.last_at(at) == at - at % 60 for slot in due)


@pytest.mark.parametrize(("minutes", "every"), [(0, 15), (15, 15), (15.1, 30), (61, 120), (1440, 1440), (5000, 1440)])
def test_the_class_of_at_least_so_many_minutes(minutes: float, every: int) -> None:
    assert class_at_least(minutes) == every


HOURLY = Slot(every=60, phase=17)
NOON = 1_767_614_400  # 2026-01-05T12:00:00Z
DUE = NOON + 17 * 60

times_until = st.integers(NOON, NOON + 86_400)


def test_a_feed_that_was_checked_in_its_slot_keeps_its_place() -> None:
    current = Place(from_s=DUE - 86_400, slot=HOURLY)

    assert place_after(HOURLY, DUE + 40, current=current) is current
    assert current.next_at(DUE + 40) == DUE + 3600


def test_a_feed_whose_slot_comes_too_soon_is_due_by_exception_after_two_thirds_of_its_class() -> None:
    place = place_after(HOURLY, NOON, current=Place(from_s=NOON - 86_400, slot=HOURLY))

    assert place == Place(from_s=NOON + 40 * 60)
    assert place.next_at(NOON) == NOON + 40 * 60


def test_a_feed_by_exception_enters_its_slot_from_two_thirds_of_its_class_on() -> None:
    place = place_after(HOURLY, DUE + 60, current=Place(from_s=DUE))

    assert place == Place(from_s=DUE + 60 + 40 * 60, slot=HOURLY)
    assert place.next_at(DUE + 60) == DUE + 3600


def test_a_slot_that_counts_only_later_is_entered_at_once() -> None:
    place = place_after(HOURLY, DUE, current=Place(from_s=DUE + 7200, slot=HOURLY))

    assert place.next_at(DUE) == DUE + 3600


@given(slots, times_until, st.none() | st.builds(Place, from_s=times_until, slot=st.none() | slots))
def test_no_feed_is_due_before_two_thirds_of_its_class_nor_after_it(
    slot: Slot, now: int, current: Place | None
) -> None:
    wait = place_after(slot, now, current=current).next_at(now + 1) - now

    assert slot.least_s <= wait <= slot.every_s


@given(slots, times_until)
def test_a_feed_is_in_its_slot_after_two_exceptions_at_most(slot: Slot, now: int) -> None:
    exceptions = 0
    while (place := place_after(slot, now)).slot is None:
        exceptions, now = exceptions + 1, place.next_at(now)

    assert exceptions <= 2
