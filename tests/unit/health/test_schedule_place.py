"""A feed's due time: in its slot, or by exception on the way there (rules H3, S10)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from feedward.health.schedule_place import Place, place_after
from feedward.scheduling.slots import CLASSES, Slot

HOURLY = Slot(every=60, phase=17)
NOON = 1_767_614_400  # 2026-01-05T12:00:00Z
DUE = NOON + 17 * 60

slots = st.sampled_from(CLASSES).flatmap(
    lambda every: st.integers(0, every - 1).map(lambda phase: Slot(every=every, phase=phase))
)
times = st.integers(NOON, NOON + 86_400)


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


@given(slots, times, st.none() | st.builds(Place, from_s=times, slot=st.none() | slots))
def test_no_feed_is_due_before_two_thirds_of_its_class_nor_after_it(
    slot: Slot, now: int, current: Place | None
) -> None:
    wait = place_after(slot, now, current=current).next_at(now + 1) - now

    assert slot.least_s <= wait <= slot.every_s


@given(slots, times)
def test_a_feed_is_in_its_slot_after_two_exceptions_at_most(slot: Slot, now: int) -> None:
    exceptions = 0
    while (place := place_after(slot, now)).slot is None:
        exceptions, now = exceptions + 1, place.next_at(now)

    assert exceptions <= 2
