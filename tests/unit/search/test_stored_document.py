"""Documents and changes as lines of JSON."""

from __future__ import annotations

import json

import pytest

from feedward.search.document import DocumentChange, decoded_change, decoded_document, encoded_change, encoded_document
from tests.unit.search.judged_set import document, judged_documents

TEA = document("a", title="Tea\n", items=["Über"], topics=["Food"], stale=True, main=False, state="paused")


def test_a_document_comes_back() -> None:
    for stored in (TEA, document("b", domain="x.example"), document("c", never_fetched=True), *judged_documents()):
        assert decoded_document(encoded_document(stored)) == stored
        assert decoded_change(encoded_change(DocumentChange(stored.feed_id, 1, stored))).document == stored


def test_it_is_one_line_without_empty_fields() -> None:
    line = encoded_document(document("b"))

    assert "\n" not in encoded_document(TEA)
    assert {"title", "topics", "language"}.isdisjoint(json.loads(line))


def test_removed_files_are_restored() -> None:
    gone = DocumentChange("a", 7, None)

    assert decoded_change(encoded_change(gone)) == gone


@pytest.mark.parametrize(
    "line",
    ["", "x", "[]", "{}", "null", '{"feed_id": "a"}', '{"feed_id": "a", "version": null, "gone": true}',
     encoded_document(TEA).replace("paused", "odd"), b"\xff"],
)  # fmt: skip
def test_any_other_line_is_a_value_error(line: str | bytes) -> None:
    with pytest.raises(ValueError, match=r".*"):
        decoded_change(line)
