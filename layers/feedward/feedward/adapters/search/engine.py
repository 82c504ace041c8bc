"""Placeholder engine."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from feedward.search.document import DocumentChange, FeedDocument
from feedward.search.found import SearchFilters, SearchFound, SearchHit
from feedward.search.stored_document import decode_document, encode_document


def build(documents: Iterable[FeedDocument], path: Path, *, generation: str) -> None:
    path.write_text(json.dumps({"generation": generation, "documents": [encode_document(d) for d in documents]}))


def apply(path: Path, changes: Iterable[DocumentChange]) -> None:
    said = json.loads(path.read_text())
    docs = {d.feed_id: d for d in map(decode_document, said["documents"])}
    for change in changes:
        known = docs.get(change.feed_id)
        if known is not None and known.version > change.version:
            continue
        docs.pop(change.feed_id, None)
        if change.document:
            docs[change.feed_id] = change.document
    path.write_text(json.dumps({**said, "documents": [encode_document(d) for d in docs.values()]}))


class SqliteSearchIndex:
    def __init__(self, path: Path) -> None:
        said = json.loads(path.read_text())
        self.generation, self.documents = said["generation"], list(map(decode_document, said["documents"]))

    def search(
        self, text: str, filters: SearchFilters, *, limit: int, after: tuple[float | int | str, ...] | None = None
    ) -> SearchFound:
        words = text.casefold().split()
        hits = []
        for d in sorted(self.documents, key=lambda d: d.feed_id):
            whole = " ".join([d.title, d.site_title, d.domain, d.description, *d.item_titles]).casefold()
            if words and all(w in whole for w in words) and filters.state in (None, d.state):
                if after is None or (d.feed_id,) > after:
                    hits.append(SearchHit(feed_id=d.feed_id, score=1.0, parts={"x": 1.0}, place=(d.feed_id,)))
        return SearchFound(hits=tuple(hits[:limit]), has_more=len(hits) > limit, generation=self.generation)
