"""The files of a base: the SQLite index and its source documents as compressed JSON lines."""

from __future__ import annotations

import gzip
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Final

from feedward.adapters.search.sqlite_build import build_from_changes, documents_beside
from feedward.search.document import DocumentChange

_LEVEL: Final = 4
_COPIED_AT_ONCE: Final = 1 << 20


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
