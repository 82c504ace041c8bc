"""Option sets as JSON: a named option is on, and a wrong name is reported."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.api.canonicalize import normalize_options
from feedward.errors import InvalidInput
from feedward.urls.normalize import NormalizeOptions

TRACKING = frozenset({"utm_source"})


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, NormalizeOptions()),
        ({"strip_query": True, "strip_www": False}, NormalizeOptions(strip_query=True)),
        ({"strip_params": ["Ref", "x"]}, NormalizeOptions(strip_params=frozenset({"ref", "x"}))),
        ({"strip_params": "tracking"}, NormalizeOptions(strip_params=TRACKING)),
        ({"strip_params": []}, NormalizeOptions()),
    ],
)
def test_only_named_options_are_on(given: dict[str, Any], expected: NormalizeOptions) -> None:
    assert normalize_options(given, "presets[0]", TRACKING) == expected


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"www": True}, "presets[0].www"),
        ({"strip_www": "yes"}, "presets[0].strip_www"),
        ({"strip_www": 1}, "presets[0].strip_www"),
        ({"strip_params": "utm_source"}, "presets[0].strip_params"),
        ({"strip_params": [1]}, "presets[0].strip_params[0]"),
        ({"strip_params": [""]}, "presets[0].strip_params[0]"),
    ],
)
def test_a_wrong_option_is_named(given: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        normalize_options(given, "presets[0]", TRACKING)
    assert raised.value.field == field
