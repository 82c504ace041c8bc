"""A request with an invalid field is told the allowed values."""

from __future__ import annotations

import pytest

from feedward.api.fields import known_fields
from feedward.errors import InvalidInput


@pytest.mark.parametrize(("known", "there_are"), [(("url", "title"), "url, title"), ((), "none")])
def test_an_unknown_field_is_refused_with_the_known_ones(known: tuple[str, ...], there_are: str) -> None:
    with pytest.raises(InvalidInput, match=f"unknown field; known fields: {there_are}$") as refused:
        known_fields({"ulr": 1}, known, "filter.")
    assert refused.value.field == "filter.ulr"
