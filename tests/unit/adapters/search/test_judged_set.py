"""The judged searches: which feed comes first, and the same answers from every way to come to an index (rule Q5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from feedward.adapters.search.sqlite_apply import apply
from feedward.adapters.search.sqlite_build import build, compact, documents_beside
from feedward.adapters.search.sqlite_index import SqliteSearchIndex
from feedward.search.document import DocumentChange, FeedDocument
from tests.unit.adapters.search.indexes import answers, changed, found, index_of
from tests.unit.search.judged_set import (
    MORE_QUERIES,
    QUERIES,
    document,
    judged_documents,
    more_judged_documents,
)

TEXTS = [text for _, text, _ in QUERIES]
# Replaced by each document: other words, other quality.
OLDER: dict[str, Any] = {
    "title": "Older words entirely",
    "item_titles": ("python", "kitchen"),
    "version": 0,
    "is_canonical": True,
}
STRANGERS = [document(f"stranger-{n}", title=f"Harbor Kitchen {n}", items=["theodolite"]) for n in range(9)]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> SqliteSearchIndex:
    return index_of(judged_documents(), tmp_path_factory.mktemp("judged"))


@pytest.mark.parametrize(("kind", "text", "first"), QUERIES, ids=[f"{kind}-{text}" for kind, text, _ in QUERIES])
def test_the_right_feed_comes_first(index: SqliteSearchIndex, kind: str, text: str, first: str) -> None:
    assert [hit.feed_id for hit in found(index, text, limit=1).hits] == [first]


@pytest.fixture(scope="module")
def more(tmp_path_factory: pytest.TempPathFactory) -> SqliteSearchIndex:
    return index_of(more_judged_documents(), tmp_path_factory.mktemp("more"))


@pytest.mark.parametrize(
    ("kind", "text", "first"), MORE_QUERIES, ids=[f"{kind}-{text}" for kind, text, _ in MORE_QUERIES]
)
def test_the_right_feed_comes_first_in_the_second_set(
    more: SqliteSearchIndex, kind: str, text: str, first: str
) -> None:
    assert [hit.feed_id for hit in found(more, text, limit=1).hits] == [first]


def test_there_are_80_queries_in_each_set() -> None:
    assert len(set(TEXTS)) == len({text for _, text, _ in MORE_QUERIES}) == 80


def from_changes(documents: list[FeedDocument], path: Path) -> None:
    build([], path, generation="1")
    apply(path, changed(documents))


def from_many_changes(documents: list[FeedDocument], path: Path) -> None:
    build([], path, generation="1")
    for change in reversed(changed(documents)):
        apply(path, [change])


def from_both(documents: list[FeedDocument], path: Path) -> None:
    """A base of older documents and of removed feeds, and the rest as changes that come twice and out of order."""
    older = [replace(document, **OLDER) for document in documents[::2]]
    build([*older, *documents[1::4], *STRANGERS], path, generation="1")
    gone = [DocumentChange(stranger.feed_id, 2, None) for stranger in STRANGERS]
    apply(path, [*gone, *changed(documents[::2])])
    apply(path, changed([*reversed(documents[3::4]), *older, *STRANGERS, *documents]))


def compacted(documents: list[FeedDocument], path: Path) -> None:
    """The same results, with an index rebuilt from the stored documents and changed once more."""
    before = path.with_name("before.sqlite")
    older = [replace(document, **OLDER) for document in documents[::2]]
    build([*older, *documents[1::4], *STRANGERS], before, generation="1")
    gone = [DocumentChange(stranger.feed_id, 2, None) for stranger in STRANGERS]
    compact(documents_beside(before), [*gone, *changed(documents[::2])], path, generation="2")
    apply(path, changed([*documents[3::4], *STRANGERS]))


@pytest.mark.parametrize("make", [from_changes, from_many_changes, from_both, compacted])
def test_every_way_to_an_index_gives_the_same_answers(
    index: SqliteSearchIndex, make: Callable[[list[FeedDocument], Path], None], tmp_path: Path
) -> None:
    make(judged_documents(), tmp_path / "index.sqlite")
    other = SqliteSearchIndex(tmp_path / "index.sqlite")

    assert answers(other, TEXTS) == answers(index, TEXTS)


def test_a_compacted_index_gives_the_same_answers_to_the_second_set(more: SqliteSearchIndex, tmp_path: Path) -> None:
    compacted(more_judged_documents(), tmp_path / "index.sqlite")
    texts = [text for _, text, _ in MORE_QUERIES]

    assert answers(SqliteSearchIndex(tmp_path / "index.sqlite"), texts) == answers(more, texts)
