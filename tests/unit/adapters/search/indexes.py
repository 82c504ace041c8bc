"""Small indexes for tests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from feedward.adapters.search.sqlite_build import build
from feedward.adapters.search.sqlite_index import SqliteSearchIndex
from feedward.search.document import DocumentChange, FeedDocument
from feedward.search.results import SearchFilters, SearchFound
from tests.unit.search.judged_set import document

NO_FILTERS = SearchFilters()


def index_of(documents: Iterable[FeedDocument], folder: Path, name: str = "index.sqlite") -> SqliteSearchIndex:
    """An index of documents, opened."""
    build(documents, folder / name, generation="1")
    return SqliteSearchIndex(folder / name)


def index_of_titles(folder: Path, *titles: str, **fields: Any) -> SqliteSearchIndex:
    """An index of feeds with these titles, which are their ids too."""
    return index_of(
        (document(title, domain=f"d{n}.example", title=title, **fields) for n, title in enumerate(titles)), folder
    )


def found(index: SqliteSearchIndex, text: str, *, limit: int = 20, **filters: Any) -> SearchFound:
    """The answer of a search."""
    return index.search(text, SearchFilters(**filters), limit=limit)


def ids(index: SqliteSearchIndex, text: str, *, limit: int = 20, **filters: Any) -> list[str]:
    """The feeds of a page of results, in order."""
    return [hit.feed_id for hit in found(index, text, limit=limit, **filters).hits]


def changed(documents: Iterable[FeedDocument]) -> list[DocumentChange]:
    """The changes that add the documents."""
    return [DocumentChange(document.feed_id, document.version, document) for document in documents]


def answers(index: SqliteSearchIndex, texts: Iterable[str]) -> Mapping[str, tuple[tuple[str, float], ...]]:
    """By query: the feeds with their scores, in order."""
    return {text: tuple((hit.feed_id, hit.score) for hit in found(index, text, limit=50).hits) for text in texts}
