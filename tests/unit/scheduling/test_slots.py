"""When a slot is due, and which of its checks are heartbeats and plain GETs (rules S1, S9)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.errors import InvalidInput
from feedward.scheduling.slots import (
    CLASSES,
    DAY_MIN,
    Slot,
    class_at_least,
    is_heartbeat,
    is_plain_day,
    is_turn,
    slots_of,
)

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


@pytest.mark.parametrize("every", CLASSES)
@pytest.mark.parametrize("feed_id", IDS)
def test_one_check_a_day_is_the_heartbeat_and_every_second_where_there_is_one_a_day(every: int, feed_id: str) -> None:
    slot = Slot(every=every, phase=every * 2 // 3)
    beats = [at for at in checks_of(slot, 14) if is_heartbeat(feed_id, slot, at + 70)]

    assert len(beats) == (7 if every == DAY_MIN else 14)
    assert {later - earlier for earlier, later in pairwise(beats)} == {(2 if every == DAY_MIN else 1) * 86_400}


@pytest.mark.parametrize("every", CLASSES)
@pytest.mark.parametrize("feed_id", IDS)
def test_one_check_a_week_is_a_plain_get(every: int, feed_id: str) -> None:
    slot = Slot(every=every, phase=every // 2)
    plain = [at for at in checks_of(slot, 28) if is_plain_day(feed_id, slot, at + 30)]

    assert len(plain) == 4
    assert {later - earlier for earlier, later in pairwise(plain)} == {7 * 86_400}


@given(slots.filter(lambda slot: slot.every < DAY_MIN), st.sampled_from(IDS), times)
def test_after_a_turn_a_longer_class_has_none_for_two_thirds_of_a_day(slot: Slot, feed_id: str, at: int) -> None:
    minute = next(due for due in range(slot.next_at(at) // 60, 10**9, slot.every) if is_turn(feed_id, slot.every, due))
    for longer in (every for every in CLASSES if every > slot.every):
        soonest = minute + longer * 2 // 3
        turns = [later for later in range(soonest, minute + 960) if is_turn(feed_id, longer, later)]

        assert not turns
