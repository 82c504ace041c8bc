"""Which item an incoming one supersedes (rules V3, V4, L2, L3)."""

from __future__ import annotations

from dataclasses import asdict
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from feedward.lineage.item import Match
from feedward.lineage.match import NO_MATCH, resolve_match
from feedward.lineage.version import CURRENT, CURRENT_VERSION

OTHER_VERSION = "http_snapshot_url_v2_text_v1"
KEYS = {"reason", "conflict_resolved", "canonical_uri_match", "content_sha256_match", "selected"}


def match(item_id: str, at: int = 1, version: str = CURRENT_VERSION) -> Match:
    return Match(item_id=item_id, created_at_ms=at, normalization_version=version)


def metadata(by_uri: list[Match], by_content: list[Match]) -> dict[str, object]:
    found = resolve_match(CURRENT_VERSION, by_uri, by_content).metadata
    assert found is not None
    return asdict(found)


def superseded(by_uri: list[Match], by_content: list[Match]) -> str | None:
    return resolve_match(CURRENT_VERSION, by_uri, by_content).supersedes


# --- rule V3: versions ---------------------------------------------------------------------------------------


def test_rule_v3_1_items_of_the_same_version_are_compared() -> None:
    assert superseded([match("A")], []) == "A"
    assert resolve_match(CURRENT, [match("A")], []).supersedes == "A"


def test_rule_v3_2_items_of_another_version_are_not_compared() -> None:
    others = [match("A", 9, OTHER_VERSION)]
    assert resolve_match(CURRENT_VERSION, others, others) == NO_MATCH


def test_rule_v3_2_a_newer_item_of_another_version_hides_none_of_this_one() -> None:
    by_uri = [match("A", 9, OTHER_VERSION), match("B", 1)]
    by_content = [match("C", 9, OTHER_VERSION)]
    assert metadata(by_uri, by_content) == {
        "reason": "same_canonical_uri",
        "conflict_resolved": False,
        "canonical_uri_match": "B",
        "content_sha256_match": None,
        "selected": "canonical_uri",
    }


# --- rule V4: conflicts --------------------------------------------------------------------------------------


def test_rule_v4_1_content_hash_wins_over_uri() -> None:
    assert superseded([match("B", 2)], [match("A", 1)]) == "A"
    assert superseded([match("B", 1)], [match("A", 2)]) == "A"


def test_rule_v4_1_the_uri_counts_where_no_content_matches() -> None:
    assert superseded([match("B")], []) == "B"


def test_rule_v4_1_the_most_recent_of_one_field_is_used() -> None:
    several = [match("A", 1), match("C", 3), match("B", 2)]
    assert superseded(several, []) == "C"
    assert superseded([], several) == "C"


def test_rule_v4_1_times_are_compared_as_numbers() -> None:
    assert superseded([match("A", 1000), match("B", 999)], []) == "A"


def test_rule_v4_1_the_larger_item_id_breaks_a_tie() -> None:
    assert superseded([match("A"), match("C"), match("B")], []) == "C"
    assert superseded([], [match("B"), match("a"), match("C")]) == "a"


def test_rule_v4_1_nothing_matches_nothing() -> None:
    assert resolve_match(CURRENT_VERSION, [], []) == NO_MATCH


def test_rule_v4_2_two_different_items_are_a_conflict() -> None:
    assert metadata([match("B")], [match("A")])["conflict_resolved"] is True


def test_rule_v4_2_the_same_item_twice_is_no_conflict() -> None:
    assert metadata([match("A")], [match("A")]) == {
        "reason": "same_content_sha256",
        "conflict_resolved": False,
        "canonical_uri_match": "A",
        "content_sha256_match": "A",
        "selected": "content_sha256",
    }


def test_rule_v4_2_one_match_is_no_conflict() -> None:
    assert metadata([match("A")], [])["conflict_resolved"] is False
    assert metadata([], [match("A")])["conflict_resolved"] is False


def test_rule_v4_2_a_conflict_is_between_the_newest_of_each_field() -> None:
    by_uri, by_content = [match("A", 1), match("B", 2)], [match("A", 1)]
    assert metadata(by_uri, by_content)["conflict_resolved"] is True
    assert metadata(by_uri, by_content)["canonical_uri_match"] == "B"


def test_rule_v4_3_the_metadata_has_the_five_keys_always() -> None:
    assert metadata([match("B")], [match("A")]) == {
        "reason": "same_content_sha256",
        "conflict_resolved": True,
        "canonical_uri_match": "B",
        "content_sha256_match": "A",
        "selected": "content_sha256",
    }
    assert metadata([], [match("A")]) == {
        "reason": "same_content_sha256",
        "conflict_resolved": False,
        "canonical_uri_match": None,
        "content_sha256_match": "A",
        "selected": "content_sha256",
    }
    assert set(metadata([match("B")], [])) == KEYS


# --- for any matches ---------------------------------------------------------------------------------------

MATCHES = st.lists(
    st.builds(match, st.sampled_from("ABCDEF"), st.integers(0, 4), st.sampled_from([CURRENT_VERSION, OTHER_VERSION])),
    max_size=8,
)


@given(MATCHES, MATCHES, st.randoms(use_true_random=False))
def test_the_order_of_the_matches_plays_no_part(by_uri: list[Match], by_content: list[Match], random: Random) -> None:
    decided = resolve_match(CURRENT_VERSION, by_uri, by_content)
    random.shuffle(by_uri)
    random.shuffle(by_content)
    assert resolve_match(CURRENT_VERSION, by_uri, by_content) == decided


@given(MATCHES, MATCHES)
def test_a_superseded_item_is_a_match_of_the_version(by_uri: list[Match], by_content: list[Match]) -> None:
    resolution = resolve_match(CURRENT_VERSION, by_uri, by_content)
    ours = {one.item_id for one in (*by_uri, *by_content) if one.normalization_version == CURRENT_VERSION}
    assert (resolution.supersedes in ours) if ours else resolution == NO_MATCH
