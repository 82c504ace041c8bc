"""The document of an export as pieces of bytes, in order: it is never in memory as a whole (rule EX1). Pure.

A seed file is a JSON array with one entry a line, from which another directory can be seeded.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from feedward.exports import csv_rows, opml
from feedward.exports.export_entry import ExportEntry, line_text
from feedward.exports.job import ExportFormat, ExportQuery


@dataclass(frozen=True, slots=True)
class Piece:
    """Some bytes of a document. `place` is the position of its last entry; empty where it cannot be resumed."""

    body: bytes
    place: str = ""
    entries: int = 0
    private: int = 0


def pieces(query: ExportQuery, entries: Iterable[ExportEntry], *, now: int, after: str = "") -> Iterator[Piece]:
    """Yield the document of the entries; with `after`, the pieces that follow the piece of that place.

    Entries of the shared directory come in the order of their places. A tenant's entries are all read and then sorted.
    """
    if not after:
        yield Piece(_head(query, now).encode())
    if query.is_own:
        yield from _own(query, list(entries))
    else:
        yield from _shared(query.format, entries, is_first=not after)
    yield Piece(_end(query.format).encode())


def _shared(form: ExportFormat, entries: Iterable[ExportEntry], *, is_first: bool) -> Iterator[Piece]:
    for entry in entries:
        yield Piece(_line(form, entry, is_first=is_first).encode(), place=entry.place, entries=1)
        is_first = False


def _own(query: ExportQuery, entries: list[ExportEntry]) -> Iterator[Piece]:
    ordered = sorted(entries, key=lambda each: each.order)
    if query.format is ExportFormat.OPML:
        lines: Iterable[str] = opml.opml_folders(ordered)
    else:
        lines = (_line(query.format, entry, is_first=at == 0) for at, entry in enumerate(ordered))
    private = sum(entry.is_private for entry in ordered)
    yield Piece(b"", entries=len(ordered), private=private)
    yield from (Piece(line.encode()) for line in lines)


def _head(query: ExportQuery, now: int) -> str:
    match query.format:
        case ExportFormat.OPML:
            return opml.opml_head("feedward: subscriptions" if query.is_own else "feedward: feeds", now)
        case ExportFormat.CSV:
            return csv_rows.csv_head()
        case ExportFormat.JSON:
            return "[\n"


def _line(form: ExportFormat, entry: ExportEntry, *, is_first: bool) -> str:
    match form:
        case ExportFormat.OPML:
            return opml.opml_feed(entry)
        case ExportFormat.CSV:
            return csv_rows.csv_row(entry)
        case ExportFormat.JSON:
            return seed_line(entry, is_first=is_first)


def _end(form: ExportFormat) -> str:
    return {ExportFormat.OPML: opml.END, ExportFormat.CSV: "", ExportFormat.JSON: "\n]\n"}[form]


def seed_line(entry: ExportEntry, *, is_first: bool) -> str:
    """Return the line of a feed, with the comma of the line before. Only a tenant's feeds have folders."""
    said: dict[str, Any] = {
        "title": _text(entry.title),
        "url": entry.url,
        "site_url": entry.site_url,
        "category": _text(entry.category),
        "language": entry.language,
        "description": _text(entry.description),
    }
    if entry.folders:
        said["tags"] = [list(folder) for folder in entry.folders]
    return ("" if is_first else ",\n") + json.dumps(said, ensure_ascii=False)


def _text(text: str | None) -> str | None:
    return line_text(text) or None if text else None
