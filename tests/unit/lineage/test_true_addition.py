"""An addition whose parts do not agree with each other is refused, by the name of the part (rules V3.2, V4.3, V6.4)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from feedward.errors import InvalidInput
from feedward.lineage.item import Addition, DuplicateFetch, Edge, EdgeMetadata, Head, Heads, Item
from feedward.lineage.match import refuse_untrue, resolved

ITEM = Item(
    item_id="new",
    run_id="run",
    collector="http_snapshot",
    normalization_version="http_snapshot_url_v1_text_v1",
    canonical_uri="https://example.com/",
    content_sha256="0" * 64,
    title=None,
    text_length=None,
    fetched_url="https://example.com/",
    status=200,
    fetched_at=1_800_000_000,
    created_at_ms=1_800_000_000_000,
)
BY_URI = Head(
    item_id="by_uri",
    created_at_ms=ITEM.created_at_ms - 2,
    canonical_uri=ITEM.canonical_uri,
    content_sha256="1" * 64,
    rev=3,
)
BY_CONTENT = replace(BY_URI, item_id="by_content", canonical_uri="https://other/", content_sha256=ITEM.content_sha256)
METADATA = EdgeMetadata(
    reason="same_content_sha256",
    conflict_resolved=True,
    canonical_uri_match="by_uri",
    content_sha256_match="by_content",
    selected="content_sha256",
)
EDGE = Edge(newer="new", older="by_content", metadata=METADATA, created_at_ms=ITEM.created_at_ms)
TRUE = Addition(run_id="run", page="row", heads=Heads(by_uri=BY_URI, by_content=BY_CONTENT), item=ITEM, edge=EDGE)
DUPLICATE_FETCH = DuplicateFetch(
    item_id="by_uri", run_id="run", row_id="row", fetched_url="https://example.com/", seen_at=1
)
SEEN = Addition(run_id="run", page="row", heads=Heads(by_uri=BY_URI), duplicate_fetch=DUPLICATE_FETCH)


@pytest.mark.parametrize(
    "addition",
    [
        TRUE,
        SEEN,
        replace(SEEN, not_modified=True),
        replace(SEEN, heads=Heads()),
        replace(TRUE, heads=Heads(), edge=None),
    ],
)
def test_a_consistent_addition_is_accepted(addition: Addition) -> None:
    refuse_untrue(addition)


@pytest.mark.parametrize(
    ("addition", "field"),
    [
        (replace(TRUE, item=None, edge=None), "item"),
        (replace(TRUE, duplicate_fetch=DUPLICATE_FETCH), "item"),
        (replace(TRUE, run_id="other"), "run_id"),
        (replace(SEEN, run_id="other"), "run_id"),
        (replace(TRUE, not_modified=True), "not_modified"),
        (replace(TRUE, item=replace(ITEM, created_at_ms=BY_URI.created_at_ms)), "created_at_ms"),
        (replace(TRUE, edge=None), "edge"),
        (replace(TRUE, heads=replace(TRUE.heads, same="by_content")), "item"),
        (replace(TRUE, heads=Heads()), "edge"),
        (replace(TRUE, heads=Heads(by_content=BY_CONTENT)), "edge"),
        (replace(TRUE, edge=replace(EDGE, older="by_uri")), "edge"),
        (replace(TRUE, edge=replace(EDGE, older="of another version")), "edge"),
        (replace(TRUE, edge=replace(EDGE, newer="another")), "edge"),
        (replace(TRUE, edge=replace(EDGE, metadata=replace(METADATA, conflict_resolved=False))), "edge"),
        (replace(TRUE, edge=replace(EDGE, metadata=replace(METADATA, canonical_uri_match=None))), "edge"),
        (replace(SEEN, edge=EDGE), "edge"),
    ],
)
def test_an_inconsistent_addition_is_refused_by_its_field(addition: Addition, field: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        refuse_untrue(addition)

    assert raised.value.field == field


def test_content_is_selected_of_two_heads() -> None:
    assert resolved(ITEM, TRUE.heads).supersedes == "by_content"
    assert resolved(ITEM, Heads(by_uri=BY_URI)).supersedes == "by_uri"
    assert resolved(ITEM, Heads()).supersedes is None
