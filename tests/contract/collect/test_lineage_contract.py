"""The rules about versions (rules V1 to V6), as far as they concern stored data, each by its number, on each
store.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from feedward.errors import FeedwardError, InvalidInput
from feedward.lineage.item import Addition, Edge, EdgeMetadata, Heads, Result
from feedward.services.collect.collect_page import addition_of
from tests.contract.benches.lineage import NOW, V1, V2, LineageBench, new_item, new_run, run_id, sha


def edge_of(lineage: LineageBench, item_id: str) -> Edge | None:
    """The items that the item supersedes."""
    return next((edge for edge in lineage.store.edges(item_id) if edge.newer == item_id), None)


def superseded(lineage: LineageBench, item_id: str) -> str | None:
    edge = edge_of(lineage, item_id)
    return edge.older if edge else None


# --- rule V3: versions ---------------------------------------------------------------------------------


def test_rule_v3_1_items_of_one_version_are_compared_across_runs(lineage: LineageBench) -> None:
    first = lineage.collect("p1", "page", "one", run="a")
    second = lineage.collect("p1", "page", "two", run="b")

    assert superseded(lineage, second.item_id) == first.item_id


def test_rule_v3_1_a_chain_of_supersedes_is_continuous(lineage: LineageBench) -> None:
    made = [lineage.collect(f"p{n}", "page", f"text {n}", now=NOW + n).item_id for n in range(6)]

    assert [superseded(lineage, item_id) for item_id in made] == [None, *made[:-1]]
    assert [edge.newer for edge in lineage.store.edges(made[2])] == [made[2], made[3]]
    assert lineage.contents.faults_of_lineage() == []


def test_rule_v3_2_no_edge_between_versions(lineage: LineageBench) -> None:
    lineage.begin("old", version=V1)
    lineage.begin("new", version=V2)
    older = lineage.collect("p1", "page", "one", run="old")
    newer = lineage.collect("p1", "page", "one", run="new")

    assert newer.result is Result.ITEM
    assert newer.item_id != older.item_id
    assert lineage.contents.edges() == {}


def test_rule_v3_2_an_edge_to_another_version_is_refused(lineage: LineageBench) -> None:
    """For every caller, the heads of an addition are of its own version, and edges go to heads only."""
    lineage.begin("old", version=V1)
    older = lineage.collect("p1", "page", "one", run="old").item_id
    item = new_item("p1", "page", "one", run=lineage.begin("new", version=V2))
    metadata = EdgeMetadata(
        reason="same_content_sha256",
        conflict_resolved=False,
        canonical_uri_match=older,
        content_sha256_match=older,
        selected="content_sha256",
    )
    edge = Edge(newer=item.item_id, older=older, metadata=metadata, created_at_ms=item.created_at_ms)

    with pytest.raises(InvalidInput, match="supersedes") as raised:
        lineage.store.add(Addition(run_id=item.run_id, page="p1", heads=Heads(), item=item, edge=edge))
    assert raised.value.field == "edge"
    assert lineage.contents.edges() == {}
    assert set(lineage.contents.items()) == {older}


def test_rule_v3_3_a_new_version_leaves_the_older_items_as_they_are(lineage: LineageBench) -> None:
    lineage.begin("old", version=V1)
    older = [lineage.collect(f"p{n}", f"page{n}", f"text {n}", run="old").item_id for n in range(3)]
    before = {item_id: lineage.store.item(item_id) for item_id in older}
    lineage.begin("new", version=V2, reprocessing_of_run_id=run_id("old"))
    newer = [
        lineage.add(item_id, f"page{n}", f"text {n}", run="new", reprocessed_from=item_id).collected.item_id
        for n, item_id in enumerate(older)
    ]

    assert {item_id: lineage.store.item(item_id) for item_id in older} == before
    assert lineage.store.reprocessed([*older, "none"], V2) == dict(zip(older, newer, strict=True))
    assert lineage.store.reprocessed(older, V1) == {}
    assert set(lineage.store.items_of_version(V1)) == set(older)
    assert set(lineage.store.items_of_version(V2)) == set(newer)
    run = lineage.store.run(run_id("new"))
    assert run is not None
    assert run.reprocessing_of_run_id == run_id("old")


def test_rule_v3_3_an_item_that_is_made_again_as_one_that_is_there_says_so(lineage: LineageBench) -> None:
    lineage.begin("old", version=V1)
    first = lineage.collect("p1", "page?a", "one", run="old").item_id
    second = lineage.collect("p2", "page?b", "one", run="old").item_id
    lineage.begin("new", version=V2)
    newer = lineage.add(first, "page", "one", run="new", reprocessed_from=first).collected
    again = lineage.add(second, "page", "one", run="new", reprocessed_from=second).collected

    assert again.result is Result.SIGHTING
    assert lineage.store.reprocessed([first, second], V2) == {first: newer.item_id, second: newer.item_id}


# --- rule V4: several matches --------------------------------------------------------------------------


def conflict(lineage: LineageBench) -> tuple[str, str, str]:
    """An item with the content of a first one and the URI of a second."""
    by_content = lineage.collect("p1", "one", "shared", now=NOW).item_id
    by_uri = lineage.collect("p2", "two", "other", now=NOW + 1).item_id
    incoming = lineage.collect("p3", "two", "shared", now=NOW + 2).item_id
    return by_content, by_uri, incoming


def test_rule_v4_1_content_wins_over_the_uri(lineage: LineageBench) -> None:
    by_content, _, incoming = conflict(lineage)

    assert superseded(lineage, incoming) == by_content


def test_rule_v4_1_the_most_recent_of_several_is_superseded(lineage: LineageBench) -> None:
    """Heads are the most recent, so the store itself answers."""
    made = [lineage.collect(f"p{n}", "page", f"text {n}", now=NOW - n).item_id for n in range(4)]

    assert superseded(lineage, made[3]) == made[2], "an item is newer than those it met, even if the clock goes back"


def test_rule_v4_2_two_different_matches_are_a_conflict(lineage: LineageBench) -> None:
    by_content, by_uri, incoming = conflict(lineage)

    edge = edge_of(lineage, incoming)
    assert edge is not None
    assert edge.metadata.conflict_resolved
    assert (edge.metadata.content_sha256_match, edge.metadata.canonical_uri_match) == (by_content, by_uri)


@pytest.mark.parametrize(
    ("uri", "content", "expected"),
    [
        ("one", "changed", ("same_canonical_uri", "canonical_uri", True, False)),
        ("elsewhere", "shared", ("same_content_sha256", "content_sha256", False, True)),
    ],
)
def test_rule_v4_2_one_match_is_no_conflict(
    lineage: LineageBench, uri: str, content: str, expected: tuple[str, str, bool, bool]
) -> None:
    first = lineage.collect("p1", "one", "shared").item_id
    second = lineage.collect("p2", uri, content).item_id

    edge = edge_of(lineage, second)
    assert edge is not None
    metadata = edge.metadata
    matched = (metadata.canonical_uri_match == first, metadata.content_sha256_match == first)
    assert (metadata.reason, metadata.selected, *matched) == expected
    assert not metadata.conflict_resolved


def test_rule_v4_3_an_edge_has_the_five_keys_and_null_where_nothing_matched(lineage: LineageBench) -> None:
    lineage.collect("p1", "one", "shared")
    lineage.collect("p2", "one", "changed")

    ((_, edge),) = lineage.contents.edges().items()
    assert set(edge["metadata"]) == {
        "reason",
        "conflict_resolved",
        "canonical_uri_match",
        "content_sha256_match",
        "selected",
    }
    assert edge["metadata"]["content_sha256_match"] is None


# --- rule V6: invariants -------------------------------------------------------------------------------


def test_rule_v6_1_a_run_keeps_its_version(lineage: LineageBench) -> None:
    urls = [f"https://example.com/{n}" for n in range(150)]
    lineage.begin("run", urls, version=V1, pages=150)
    again = lineage.store.create_run(new_run("run", version=V2))
    lineage.collect("p1", "one", "text")
    lineage.store.urls_done(run_id("run"), 0, refused=1, now=NOW + 1)
    lineage.store.urls_done(run_id("run"), 1, refused=0, now=NOW + 2)

    run = lineage.store.run(run_id("run"))
    assert run is not None
    assert again.normalization_version == run.normalization_version == V1


@pytest.mark.parametrize("changed", [{"canonical_uri": "https://example.com/other"}, {"content_sha256": sha("other")}])
def test_rule_v6_2_an_item_never_changes(lineage: LineageBench, changed: dict[str, Any]) -> None:
    made = lineage.collect("p1", "page", "text").item_id
    before = lineage.store.item(made)
    assert before is not None
    other = replace(before, **changed, created_at_ms=before.created_at_ms + 5)
    addition = addition_of(other, "p2", lineage.store.heads(other, "p2"))

    with pytest.raises(FeedwardError, match="id"):
        lineage.store.add(addition)
    assert lineage.store.item(made) == before
    assert lineage.contents.edges() == {}


def test_rule_v6_2_stored_items_and_edges_never_change(lineage: LineageBench) -> None:
    for n in range(12):
        lineage.collect(f"p{n}", f"page{n % 4}", f"text {n % 3}", run=f"run{n % 2}", now=NOW + n)
    before = {(row["pk"], row["sk"]): row for row in lineage.contents.rows("ITEM#")}
    for n in range(12, 30):
        lineage.collect(f"p{n}", f"page{n % 5}", f"text {n % 7}", run=f"run{n % 3}", now=NOW + n)
    after = {(row["pk"], row["sk"]): row for row in lineage.contents.rows("ITEM#")}

    assert len(after) > len(before)
    assert {key: after.get(key) for key in before} == before
    assert lineage.contents.faults_of_lineage() == []


def test_rule_v6_3_heads_of_another_version_are_not_met(lineage: LineageBench) -> None:
    lineage.begin("old", version=V1)
    lineage.collect("p1", "page", "text", run="old")
    incoming = new_item("p1", "page", "text", run=lineage.begin("new", version=V2))

    assert lineage.store.heads(incoming, "p1") == Heads()


def test_rule_v6_4_every_conflict_is_recorded(lineage: LineageBench) -> None:
    for n in range(40):
        lineage.collect(f"p{n}", f"page{n % 5}", f"text {n % 7}", now=NOW + n)

    run = lineage.store.run(run_id("run"))
    recorded = [edge for edge in lineage.contents.edges().values() if edge["metadata"]["conflict_resolved"]]
    assert run is not None
    assert len(recorded) == run.counters.conflicts > 0
    assert lineage.contents.faults_of_lineage() == []


def test_rule_v6_4_an_addition_that_hides_a_conflict_is_refused(lineage: LineageBench) -> None:
    lineage.collect("p1", "one", "shared")
    lineage.collect("p2", "two", "other")
    item = new_item("p3", "two", "shared", run=lineage.begin())
    addition = addition_of(item, "p3", lineage.store.heads(item, "p3"))
    assert addition.edge is not None
    hidden = replace(addition.edge, metadata=replace(addition.edge.metadata, conflict_resolved=False))

    for edge in (hidden, None):
        with pytest.raises(InvalidInput) as raised:
            lineage.store.add(replace(addition, edge=edge))
        assert raised.value.field == "edge"
    assert lineage.store.add(addition) is not None
