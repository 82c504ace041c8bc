"""The simulated year's write units match the attributes that the code writes and the template indexes."""

from __future__ import annotations

import pytest

from bench.health_world.units import heartbeat_units, place_units
from feedward.scheduling.slots import Place, Slot

HOURLY, DAILY = Slot(every=60, phase=3), Slot(every=1440, phase=3)


def test_a_heartbeat_costs_one_unit_since_no_index_has_its_attributes() -> None:
    assert heartbeat_units(60) == heartbeat_units(1440) == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (Place(from_s=0, slot=HOURLY), Place(from_s=1, slot=DAILY)),
        (Place(from_s=0, slot=HOURLY), Place(from_s=1, slot=HOURLY)),
        (Place(from_s=0, slot=HOURLY), Place(from_s=1)),
        (Place(from_s=0), Place(from_s=1, slot=HOURLY)),
        (Place(from_s=0), Place(from_s=1)),
    ],
)
def test_a_change_of_place_costs_feed_and_an_entry_that_goes_and_one_that_comes(before: Place, after: Place) -> None:
    assert place_units(before, after) == 3


def test_a_write_in_the_same_place_costs_feed_and_its_entry() -> None:
    place = Place(from_s=0, slot=HOURLY)

    assert place_units(place, place) == 2
