"""Builds the files of a base: the SQLite index, from changes, and its documents as compressed JSON lines."""

from __future__ import annotations

import gc
import gzip
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO, Final

from feedward.adapters.search.sqlite_schema import (
    OPTIMIZE,
    SCHEMA_VERSION,
    create_index,
    say,
    write_documents,
    write_words,
)
from feedward.search.analyser import ANALYSER_VERSION, words
from feedward.search.document import DocumentChange, FeedDocument, decoded_change, decoded_document, encoded_change
from feedward.search.fields import NAME_CHARS
from feedward.search.ranking import packed, points_of, quality_of
from feedward.search.typos import is_spelled

_AT_ONCE = 500
_RARELY = 100_000  # new objects between two collections of circular garbage, of which a build makes none
_LEVEL: Final = 4
_COPIED_AT_ONCE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class _Place:
    """The place of a document's line in the file, and its packed quality."""

    version: int
    quality: int
    offset: int
    length: int


def documents_beside(path: Path) -> Path:
    """Return the path of the file with the documents of an index: JSON lines, deleted feeds included."""
    return path.with_name(path.name + ".jsonl")


def build(documents: Iterable[FeedDocument], path: Path, *, generation: str) -> int:
    """Build an index and the file of its documents. Returns the number of documents. Raises SearchUnavailable.

    Of two documents of a feed, the higher version counts.
    """
    changes = (DocumentChange(document.feed_id, document.version, document) for document in documents)
    return build_from_changes(changes, path, generation=generation)


def compact(documents: Path, changes: Iterable[DocumentChange], path: Path, *, generation: str) -> int:
    """Build an index from the documents of another index and later changes, as `build` does from all documents."""
    return build_from_changes(merged_changes(documents, changes), path, generation=generation)


def merged_changes(documents: Path, changes: Iterable[DocumentChange]) -> Iterator[DocumentChange]:
    """Yield the documents and deleted feeds of a file, merged with later changes: the newest of each feed."""
    newest: dict[str, DocumentChange] = {}
    for change in changes:
        if change.feed_id not in newest or change.version > newest[change.feed_id].version:
            newest[change.feed_id] = change
    with documents.open("rb") as lines:
        for line in lines:
            stored = decoded_change(line)
            change = newest.get(stored.feed_id, stored)
            if change.version > stored.version:
                yield newest.pop(stored.feed_id)
            else:
                newest.pop(stored.feed_id, None)
                yield stored
    yield from newest.values()


def build_from_changes(changes: Iterable[DocumentChange], path: Path, *, generation: str) -> int:
    """Build an index from documents and deleted feeds, which are kept so that no older document returns."""
    connection = create_index(path)
    try:
        with _rare_collections(), documents_beside(path).open("w+b") as lines:
            places, gone = _written(changes, lines)
            count = _write_index(connection, places, lines)
        connection.executemany("INSERT INTO gone VALUES (?, ?)", gone.items())
        say(connection, schema=SCHEMA_VERSION, analyser=ANALYSER_VERSION, generation=generation, next_row=-1)
        _finish(connection)
    finally:
        connection.close()
    return count


@contextmanager
def _rare_collections() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(max(_RARELY, before[0]), *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _written(changes: Iterable[DocumentChange], lines: BinaryIO) -> tuple[dict[str, _Place], dict[str, int]]:
    """Write the changes as lines. Returns the places of the documents, and the versions of deleted feeds, by feed."""
    places: dict[str, _Place] = {}
    gone: dict[str, int] = {}
    offset = 0
    for change in changes:
        known = max(places[change.feed_id].version if change.feed_id in places else -1, gone.get(change.feed_id, -1))
        if change.version <= known:
            continue
        line = encoded_change(change).encode() + b"\n"
        lines.write(line)
        places.pop(change.feed_id, None)
        gone.pop(change.feed_id, None)
        if change.document is None:
            gone[change.feed_id] = change.version
        else:
            places[change.feed_id] = _Place(change.version, _quality(change.document), offset, len(line))
        offset += len(line)
    return places, gone


def _quality(document: FeedDocument) -> int:
    title_tokens = sum(len(word.closing) for word in words(document.title[:NAME_CHARS]))
    return packed(quality_of(document, title_tokens))


def _write_index(connection: sqlite3.Connection, places: dict[str, _Place], lines: BinaryIO) -> int:
    """Write the documents in the order of their quality, then their words. Returns the number of documents."""
    ordered = sorted(places, key=lambda feed_id: (-points_of(places[feed_id].quality), feed_id))
    numbered = enumerate(_documents_at((places[feed_id] for feed_id in ordered), lines), 1)
    spelled: set[str] = set()
    while chunk := list(islice(numbered, _AT_ONCE)):
        spelled |= write_documents(connection, chunk)
    say(connection, next_word=write_words(connection, filter(is_spelled, spelled), 1))
    return len(ordered)


def _documents_at(places: Iterable[_Place], lines: BinaryIO) -> Iterator[FeedDocument]:
    lines.flush()
    for place in places:
        yield decoded_document(os.pread(lines.fileno(), place.length, place.offset))


def _finish(connection: sqlite3.Connection) -> None:
    """Make the file small and fast to read."""
    connection.execute("CREATE UNIQUE INDEX docs_by_feed ON docs (feed_id)")
    connection.execute("COMMIT")
    connection.executescript(OPTIMIZE)
    connection.execute("VACUUM")


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltBase:
    """The two files of a base. `count` is the number of feeds in the index."""

    index: Path
    documents: Path
    generation: str
    count: int


def build_base(changes: Iterable[DocumentChange], folder: Path) -> BuiltBase:
    """Build an index and the file of its documents in `folder`. Neither is held in memory."""
    index, generation = folder / "index.sqlite", token_hex(8)
    count = build_from_changes(changes, index, generation=generation)
    lines = documents_beside(index)
    documents = folder / "documents.jsonl.gz"
    with lines.open("rb") as plain, documents.open("wb") as raw, gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as file:
        shutil.copyfileobj(plain, file, _COPIED_AT_ONCE)
    lines.unlink()
    return BuiltBase(index=index, documents=documents, generation=generation, count=count)


def unpack(path: Path) -> Path:
    """Return the unpacked file of documents, which replaces the packed one."""
    lines = path.with_suffix("")
    with gzip.open(path, "rb") as packed, lines.open("wb") as plain:
        shutil.copyfileobj(packed, plain, _COPIED_AT_ONCE)
    path.unlink()
    return lines
