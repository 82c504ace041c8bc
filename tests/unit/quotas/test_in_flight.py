"""How many calls a tenant may have in flight (rule QT8)."""

from __future__ import annotations

import pytest

from feedward.quotas.in_flight import places_of


@pytest.mark.parametrize(("reserved", "places"), [(-1, 2), (0, 2), (1, 1), (3, 1), (4, 1), (8, 2), (100, 25)])
def test_a_tenant_has_a_quarter_of_a_functions_places_and_at_least_one(reserved: int, places: int) -> None:
    assert places_of(reserved) == places
