"""Normalization versions: read, written, compared, raised (rules V1, V2, V3, V5, L1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from feedward.errors import InvalidInput
from feedward.lineage.version import (
    CURRENT,
    CURRENT_VERSION,
    MAX_CHARS,
    Change,
    Component,
    NormalizationVersion,
    comparable,
    is_behind,
    is_producible,
    producible,
)

parse = NormalizationVersion.parse


def parts(text: str) -> tuple[str, dict[str, str]]:
    version = parse(text)
    return version.collector, {one.name: one.number for one in version.components}


# --- the form of a version -------------------------------------------------------------------------


def test_the_current_version_is_that_of_rule_v1() -> None:
    assert CURRENT_VERSION == "http_snapshot_url_v1_text_v1"
    assert parse(CURRENT_VERSION) == CURRENT


@pytest.mark.parametrize(
    ("text", "collector", "components"),
    [
        ("http_snapshot_url_v2_text_v1.1", "http_snapshot", {"url": "2", "text": "1.1"}),
        ("rss_url_v10", "rss", {"url": "10"}),
        ("a_b_c_url_v1", "a_b_c", {"url": "1"}),
        ("http_snapshot_image_v1_url_v1_text_v1", "http_snapshot", {"image": "1", "url": "1", "text": "1"}),
        ("v8_cache_url_v1", "v8_cache", {"url": "1"}),
        ("cache_v8_url_v1", "cache_v8", {"url": "1"}),
        ("v8_url_v1", "v8", {"url": "1"}),
        ("3d_scan_mesh_v1", "3d_scan", {"mesh": "1"}),
        ("http_h264_v1", "http", {"h264": "1"}),
        ("http_snapshot_url_v0.0", "http_snapshot", {"url": "0.0"}),
    ],
)
def test_a_version_is_read(text: str, collector: str, components: dict[str, str]) -> None:
    assert parts(text) == (collector, components)
    assert str(parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "_",
        "http_snapshot",
        "url_v1",
        "_url_v1",
        "__url_v1",
        "http__snapshot_url_v1",
        "http_snapshot__url_v1",
        "http_snapshot_url_v1_",
        "http_snapshot_url_v1__text_v1",
        # numbers
        "http_snapshot_url_v",
        "http_snapshot_url_vx",
        "http_snapshot_url_1",
        "http_snapshot_url_v-1",
        "http_snapshot_url_v+1",
        "http_snapshot_url_v01",
        "http_snapshot_url_v01_text_v1",
        "http_snapshot_url_v_text_v1",
        "http_snapshot_url_v1.01",
        "http_snapshot_url_v1.",
        "http_snapshot_url_v.1",
        "http_snapshot_url_v1.2.3",
        "http_snapshot_url_v1.2.3_text_v1",
        "http_snapshot_url_v1e3",
        "http_snapshot_url_v1a",
        "http_snapshot_url_v1_0",
        "http_snapshot_url_v\u0661",
        "http_snapshot_url_v\uff11",
        "http_snapshot_url_v\u00b2",
        # words
        "http_snapshot_url_v1_text",
        "http_snapshot_url_v1_page_text_v1",
        "http_snapshot_url_v1_v1",
        "http_v1_v1",
        "http-snapshot_url_v1",
        "http_snapshot_ur-l_v1",
        "HTTP_snapshot_url_v1",
        "http_snapshot_URL_v1",
        "http_snapshot_url_V1",
        "http_snapsh\u00f6t_url_v1",
        # twice
        "http_snapshot_url_v1_url_v1",
        "http_snapshot_url_v1_text_v1_url_v2",
        # white space
        " http_snapshot_url_v1",
        "http_snapshot_url_v1 ",
        "http_snapshot_url_v1\n",
        "\nhttp_snapshot_url_v1",
        "http snapshot_url_v1",
        "http_snapshot_url_v1 _text_v1",
        "http_snapshot_url_v1\u00a0_text_v1",
        "http_snapshot_url_v1\x00",
        # too long
        f"http_{'a' * MAX_CHARS}_url_v1",
        f"http_snapshot_url_v{'9' * 5000}",
    ],
)
def test_an_invalid_version_is_refused_by_its_field(text: str) -> None:
    with pytest.raises(InvalidInput) as error:
        parse(text)
    assert error.value.field == "normalization_version"


@pytest.mark.parametrize("value", [None, 1, b"http_snapshot_url_v1", ["http_snapshot_url_v1"]])
def test_a_value_that_is_no_text_is_no_version(value: object) -> None:
    with pytest.raises(InvalidInput, match="must be a text"):
        parse(value)  # type: ignore[arg-type]


# --- which are comparable ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "other",
    [
        "http_snapshot_url_v2_text_v1",
        "http_snapshot_url_v1_text_v1.1",
        "http_snapshot_url_v1_text_v1.0",
        "http_snapshot_url_v1_text_v10",
        "http_snapshot_url_v1",
        "http_snapshot_text_v1_url_v1",
        "snapshot_url_v1_text_v1",
    ],
)
def test_rule_v3_2_different_versions_are_not_comparable(other: str) -> None:
    assert not comparable(CURRENT_VERSION, other)
    assert not comparable(other, CURRENT)


def test_rule_v3_1_the_same_version_is_comparable() -> None:
    assert comparable(CURRENT_VERSION, CURRENT)
    assert comparable("rss_url_v1.10", "rss_url_v1.10")


def test_rule_v6_3_a_comparison_with_an_invalid_version_is_refused() -> None:
    with pytest.raises(InvalidInput):
        comparable(CURRENT_VERSION, "unknown")


# --- how they are raised --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "component", "change", "after"),
    [
        ("http_snapshot_url_v1_text_v1", "url", "breaking", "http_snapshot_url_v2_text_v1"),
        ("http_snapshot_url_v2.1_text_v1", "url", "breaking", "http_snapshot_url_v3_text_v1"),
        ("http_snapshot_url_v2_text_v1", "url", "patch", "http_snapshot_url_v2.1_text_v1"),
        ("http_snapshot_url_v2.1_text_v1", "url", "patch", "http_snapshot_url_v2.2_text_v1"),
        ("http_snapshot_url_v1_text_v1.9", "text", "patch", "http_snapshot_url_v1_text_v1.10"),
        ("http_snapshot_url_v9_text_v9", "text", "breaking", "http_snapshot_url_v9_text_v10"),
    ],
)
def test_rule_v5_a_component_is_bumped(before: str, component: str, change: str, after: str) -> None:
    assert str(parse(before).bump(component, change)) == after


@pytest.mark.parametrize("component", ["image", "", "ur", "URL", "http_snapshot"])
def test_only_a_component_that_is_there_is_bumped(component: str) -> None:
    with pytest.raises(InvalidInput, match="no component") as error:
        CURRENT.bump(component, "breaking")
    assert error.value.field == "component"


@pytest.mark.parametrize("change", ["major", "", "BREAKING"])
def test_a_bump_is_breaking_or_a_patch(change: str) -> None:
    with pytest.raises(InvalidInput, match="breaking or patch") as error:
        CURRENT.bump("url", change)
    assert error.value.field == "change"


# --- which can be produced ----------------------------------------------------------------------------


def test_a_run_gets_the_current_version_and_may_ask_for_it() -> None:
    assert producible(None) is CURRENT
    assert producible(CURRENT_VERSION) == CURRENT


@pytest.mark.parametrize(
    "asked",
    [
        "http_snapshot_url_v0_text_v1",
        "http_snapshot_url_v2_text_v0.9",
        "rss_url_v1_text_v1",
        "http_snapshot_url_v1",
        "http_snapshot_text_v1_url_v1",
        "http_snapshot_url_v2_text_v1",
        "http_snapshot_url_v1_text_v1.1",
        "http_snapshot_url_v9_text_v9",
        "http_snapshot_url_v1.0_text_v1",
        "nonsense",
        "",
    ],
)
def test_a_version_whose_logic_is_not_here_is_refused(asked: str) -> None:
    with pytest.raises(InvalidInput) as error:
        producible(asked)
    assert error.value.field == "version"
    assert not is_producible(asked)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ("http_snapshot_url_v0_text_v1", f"is older than {CURRENT_VERSION}"),
        ("http_snapshot_url_v2_text_v1", f"is later than {CURRENT_VERSION}"),
        ("rss_url_v1", f"expected {CURRENT_VERSION}"),
    ],
)
def test_a_refusal_names_the_version_of_this_code(asked: str, why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        producible(asked)


@pytest.mark.parametrize(
    ("one", "other", "behind"),
    [
        ("http_snapshot_url_v1_text_v1", "http_snapshot_url_v1_text_v1", False),
        ("http_snapshot_url_v1_text_v1", "http_snapshot_url_v1_text_v1.1", True),
        ("http_snapshot_url_v1.9_text_v1", "http_snapshot_url_v1.10_text_v1", True),
        ("http_snapshot_url_v1.10_text_v1", "http_snapshot_url_v2_text_v1", True),
        ("http_snapshot_url_v2_text_v1", "http_snapshot_url_v1.10_text_v1", False),
        ("http_snapshot_url_v2_text_v1", "http_snapshot_url_v1_text_v2", True),
        ("rss_url_v1", "http_snapshot_url_v1_text_v1", False),
    ],
)
def test_a_version_is_behind_one_with_a_later_component(one: str, other: str, behind: bool) -> None:
    assert is_behind(one, other) is behind


# --- for any version ------------------------------------------------------------------------------------

WORDS = st.from_regex(r"[a-z][a-z0-9]{0,8}", fullmatch=True).filter(lambda word: not word[:2].strip("v").isdigit())
COMPONENTS = st.builds(Component, name=WORDS, breaking=st.integers(0, 10**6), patch=st.none() | st.integers(0, 10**6))
VERSIONS = st.builds(
    NormalizationVersion,
    collector=st.lists(WORDS.filter(lambda word: word != "v"), min_size=1, max_size=3).map("_".join),
    components=st.lists(COMPONENTS, min_size=1, max_size=4, unique_by=lambda one: one.name).map(tuple),
)


@given(VERSIONS)
def test_a_written_value_is_read_unchanged(version: NormalizationVersion) -> None:
    assert parse(str(version)) == version


@given(st.text(alphabet="abv_.01 \n\u0661", max_size=40).map(lambda text: f"a{text}_url_v1"))
def test_a_parsed_version_is_written_unchanged(text: str) -> None:
    try:
        version = parse(text)
    except InvalidInput:
        return
    assert str(version) == text


@given(VERSIONS, st.sampled_from(Change), st.data())
def test_a_bump_goes_forward_and_leaves_the_others(
    version: NormalizationVersion, change: Change, data: st.DataObject
) -> None:
    chosen = data.draw(st.sampled_from(version.components))
    raised = version.bump(chosen.name, change)

    assert not comparable(version, raised)
    assert raised.collector == version.collector
    for before, after in zip(version.components, raised.components, strict=True):
        if before.name == chosen.name:
            assert (after.breaking, after.patch or 0) > (before.breaking, before.patch or 0)
        else:
            assert after == before
