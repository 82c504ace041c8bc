"""Heartbeats and plain GETs (rules S9, H7)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.scheduling.heartbeat import is_daily_check, is_heartbeat, is_plain_day
from feedward.scheduling.slots import CLASSES, DAY_MIN, Slot

MONDAY = 1_767_571_200  # 2026-01-05T00:00:00Z
IDS = ("01JNE3T8000000000000000000", "01JNE3T8000000000000000001", "feed-17")

slots = st.sampled_from(CLASSES).flatmap(
    lambda every: st.integers(0, every - 1).map(lambda phase: Slot(every=every, phase=phase))
)
times = st.integers(MONDAY, MONDAY + 400 * 86_400)


def checks_of(slot: Slot, days: int) -> range:
    """The times at which a slot is due within so many days."""
    return range(slot.next_at(MONDAY), MONDAY + days * 86_400, slot.every_s)


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
def test_after_a_daily_check_a_longer_class_has_none_for_two_thirds_of_a_day(slot: Slot, feed_id: str, at: int) -> None:
    dues = range(slot.next_at(at) // 60, 10**9, slot.every)
    minute = next(due for due in dues if is_daily_check(feed_id, slot.every, due))
    for longer in (every for every in CLASSES if every > slot.every):
        soonest = minute + longer * 2 // 3

        assert not [later for later in range(soonest, minute + 960) if is_daily_check(feed_id, longer, later)]
