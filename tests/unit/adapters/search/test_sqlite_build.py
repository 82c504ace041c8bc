"""Building, changing and compacting an index: versions, deleted feeds, repeated changes (rules Q15, Q17)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from feedward.adapters.search.sqlite_apply import apply
from feedward.adapters.search.sqlite_build import build, compact, documents_beside
from feedward.adapters.search.sqlite_index import SqliteSearchIndex
from feedward.search.document import DocumentChange, FeedDocument, decoded_change
from tests.unit.adapters.search.indexes import changed, ids
from tests.unit.search.judged_set import document

TEA = document("a", title="Tea", version=5)
CUP = document("a", title="Cup", version=6)
GONE = DocumentChange("a", 7, None)


def put(path: Path, *changes: DocumentChange | FeedDocument) -> None:
    for change in changes:
        apply(path, [change] if isinstance(change, DocumentChange) else changed([change]))


def compact_with(path: Path, *changes: DocumentChange | FeedDocument) -> None:
    """The same changes by compaction, one after the other."""
    for change in changes:
        later = [change] if isinstance(change, DocumentChange) else changed([change])
        copy = path.with_name("compacted")
        compact(documents_beside(path), later, copy, generation="n")
        copy.rename(path)
        documents_beside(copy).rename(documents_beside(path))


@pytest.mark.parametrize("way", [put, compact_with])
@pytest.mark.parametrize(
    ("changes", "tea", "cup"),
    [
        ([CUP], [], ["a"]),
        ([CUP, TEA], [], ["a"]),
        ([CUP, CUP, replace(CUP, title="Other")], [], ["a"]),
        ([GONE], [], []),
        ([GONE, CUP, TEA], [], []),
        ([GONE, replace(CUP, version=8)], [], ["a"]),
        ([DocumentChange("a", 4, None)], ["a"], []),
        ([replace(TEA, title="Other", version=4)], ["a"], []),
        ([DocumentChange("unknown", 1, None)], ["a"], []),
    ],
)
def test_of_two_versions_the_higher_wins_also_for_removed_feeds(
    tmp_path: Path,
    way: Callable[..., None],
    changes: list[DocumentChange | FeedDocument],
    tea: list[str],
    cup: list[str],
) -> None:
    build([TEA], tmp_path / "i", generation="1")
    way(tmp_path / "i", *changes)
    index = SqliteSearchIndex(tmp_path / "i")

    assert (ids(index, "tea "), ids(index, "cup ")) == (tea, cup)


def test_of_two_documents_of_a_feed_the_newer_is_built(tmp_path: Path) -> None:
    for order in ([TEA, CUP], [CUP, TEA]):
        assert build(order, tmp_path / "i", generation="1") == 1
        assert ids(SqliteSearchIndex(tmp_path / "i"), "cup") == ["a"]
        assert ids(SqliteSearchIndex(tmp_path / "i"), "tea ") == []


def test_changes_in_one_delta_may_come_in_any_order(tmp_path: Path) -> None:
    build([], tmp_path / "i", generation="1")

    assert apply(tmp_path / "i", [*changed([CUP, TEA]), DocumentChange("a", 4, None)]) == 1
    assert apply(tmp_path / "i", changed([CUP, TEA])) == 0
    assert ids(SqliteSearchIndex(tmp_path / "i"), "cup") == ["a"]


def test_an_open_index_sees_changes(tmp_path: Path) -> None:
    build([TEA], tmp_path / "i", generation="1")
    index = SqliteSearchIndex(tmp_path / "i")

    assert ids(index, "cup") == []
    apply(tmp_path / "i", changed([CUP]))
    assert ids(index, "cup") == ["a"]


def test_a_change_that_cannot_be_written_leaves_the_index_as_it_was(tmp_path: Path) -> None:
    build([TEA], tmp_path / "i", generation="1")

    def changes() -> Iterator[DocumentChange]:
        yield changed([CUP])[0]
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        apply(tmp_path / "i", changes())
    assert ids(SqliteSearchIndex(tmp_path / "i"), "tea") == ["a"]


def test_a_row_number_is_never_used_twice(tmp_path: Path) -> None:
    path = tmp_path / "i"
    build([TEA], path, generation="1")
    for version in range(6, 12):
        apply(path, changed([replace(TEA, version=version, title=f"Word{version}")]))
    apply(path, [DocumentChange("a", 20, None)])
    apply(path, changed([document("b", title="Fresh")]))
    index = SqliteSearchIndex(path)

    assert [ids(index, f"word{version} ") for version in range(6, 12)] == [[]] * 6
    assert ids(index, "fresh") == ["b"]


def test_the_documents_lie_beside_the_index(tmp_path: Path) -> None:
    build([TEA, document("ü", title="\ud800 Ü\n")], tmp_path / "i", generation="1")
    lines = documents_beside(tmp_path / "i").read_bytes().splitlines()

    assert [decoded_change(line).feed_id for line in lines] == ["a", "ü"]
    assert decoded_change(lines[0]).document == TEA


def test_removed_documents_are_remembered_over_compactions(tmp_path: Path) -> None:
    build([TEA], tmp_path / "1", generation="1")
    compact(documents_beside(tmp_path / "1"), [GONE], tmp_path / "2", generation="2")
    compact(documents_beside(tmp_path / "2"), [], tmp_path / "3", generation="3")
    apply(tmp_path / "3", changed([CUP]))

    assert ids(SqliteSearchIndex(tmp_path / "3"), "cup") == []


def test_rows_of_the_base_are_in_the_order_of_quality(tmp_path: Path) -> None:
    documents = [document("a", main=False), document("b", stale=True), document("c", canonical=True), document("d")]
    build(documents, tmp_path / "i", generation="1")
    connection = sqlite3.connect(tmp_path / "i")
    rows = connection.execute("SELECT feed_id FROM docs ORDER BY id").fetchall()
    connection.close()

    assert rows == [("c",), ("d",), ("b",), ("a",)]


def test_the_file_needs_nothing_beside_it_to_be_read(tmp_path: Path) -> None:
    build([TEA], tmp_path / "i", generation="1")
    SqliteSearchIndex(tmp_path / "i").close()

    assert sorted(path.name for path in tmp_path.iterdir()) == ["i", "i.jsonl"]
    connection = sqlite3.connect(f"file:{tmp_path / 'i'}?mode=ro&immutable=1", uri=True)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
