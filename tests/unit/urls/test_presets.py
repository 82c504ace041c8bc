"""The presets by name, and those in effect under the options of a call (rules C2, C3)."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.errors import InvalidInput
from feedward.urls.normalize import NormalizeOptions, normalize_url
from feedward.urls.presets import PRESETS, preset_url, presets_in_effect

TWIN = "https://www.example.com/feed/?a=1&utm_source=x"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("aggressive", "https://example.com/Feed?id=1"),
        ("moderate", "https://www.example.com/Feed?id=1"),
        ("conservative", "https://www.example.com/Feed/?id=1"),
    ],
)
def test_the_three_presets(name: str, expected: str) -> None:
    assert preset_url("https://WWW.example.com:443//x/..//Feed/?utm_source=x&id=1#top", name) == expected


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://example.com/a?b=2&a=1&a=0", None),
        ("https://example.com/a?rss", None),
        ("https://example.com/a?k=%93%FA&x=%2f+%zz", None),
        ("https://example.com/a?url=http://example.org/feed?x", None),
        ("https://example.com/a?;pins;u=1;tp=abc", None),
        ("https://example.com/a?a&&b&", None),
        ("https://example.com/a?utm%5Fsource=1", None),
        ("https://example.com/a?ref=a&source=b&via=c&Id=d", None),
        ("https://example.com/a?next=https%3A%2F%2Fexample.org%2F%3Futm_campaign%3Dz", None),
        ("https://u:p@example.com:8080/a", None),
        ("https://example.com./a", "https://example.com/a"),
        ("https://example.com.:8080/a", "https://example.com:8080/a"),
        ("https://example.com/cafe%CC%81", None),
        ("https://example.com/", None),
        ("https://example.com/a%2Fb;c=1%2e", "https://example.com/a%2Fb;c=1."),
        ("https://example.com/a?q=a b", "https://example.com/a?q=a%20b"),
        ("https://example.com/a?UTM_Source=1&FBCLID&id=5&HSCTATRACKING=x", "https://example.com/a?id=5"),
        ("https://example.com/a?cid=1&_=2&ts", "https://example.com/a"),
        ("https://example.com/a?utm_source=x&", "https://example.com/a"),
        ("https://example.com/a?", "https://example.com/a"),
        ("https://example.com/a?#x", "https://example.com/a"),
    ],
)
def test_presets_change_nothing_that_they_do_not_name(name: str, url: str, expected: str | None) -> None:
    assert preset_url(url, name) == (expected or url)


def test_an_unknown_preset_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(InvalidInput, match="aggressive, moderate, conservative") as raised:
        preset_url(TWIN, "strip-all")
    assert raised.value.field == "preset"


def in_effect(url: str, *args: Any, **options: Any) -> dict[str, str]:
    return {name: normalize_url(url, preset) for name, preset in presets_in_effect(*args, **options).items()}


def test_without_options_the_presets_are_those_of_the_specification() -> None:
    assert presets_in_effect() == PRESETS


def test_a_list_of_tracking_parameters_replaces_the_one_of_the_specification() -> None:
    assert in_effect(TWIN, ["moderate"], tracking_params=["A"]) == {
        "moderate": "https://www.example.com/feed?utm_source=x"
    }
    assert in_effect(TWIN, ["moderate"], tracking_params=[]) == {"moderate": TWIN.replace("/?", "?")}


def test_tracking_parameters_may_be_written_as_people_read_them() -> None:
    url = "https://example.com/f?mail%20id=1&caf%C3%A9=2&b=3"
    assert in_effect(url, ["moderate"], tracking_params=["Mail id", "café"]) == {
        "moderate": "https://example.com/f?b=3"
    }


def test_without_preference_for_no_www_no_preset_strips_it() -> None:
    urls = in_effect(TWIN, ["aggressive", NormalizeOptions(strip_www=True)], prefer_no_www=False)
    assert urls == {"aggressive": "https://www.example.com/feed?a=1", "custom_2": TWIN}


def test_callers_choose_presets_by_name_or_bring_their_own() -> None:
    chosen = ["conservative", NormalizeOptions(strip_query=True), NormalizeOptions(strip_www=True)]
    assert in_effect(TWIN, chosen) == {
        "conservative": "https://www.example.com/feed/?a=1",
        "custom_2": "https://www.example.com/feed/",
        "custom_3": "https://example.com/feed/?a=1&utm_source=x",
    }


@pytest.mark.parametrize(
    ("presets", "field"),
    [
        (["moderate", "level5"], "presets[1]"),
        ([5], "presets[0]"),
        ([{"strip_www": True}], "presets[0]"),
        ([NormalizeOptions(strip_protocol=True)], "presets[0].strip_protocol"),
    ],
)
def test_a_wrong_preset_is_named(presets: list[Any], field: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        presets_in_effect(presets)
    assert raised.value.field == field
