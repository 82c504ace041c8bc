"""The files of a base: the SQLite index, and the documents that it was built from, as compressed JSON lines."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from feedward.adapters.search.engine import build
from feedward.search.document import FeedDocument
from feedward.search.stored_document import decode_document, encode_document

_LEVEL: Final = 4
_GENERATION_CHARS: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class BuiltBase:
    """The two files of a base, and what they hold. Equal documents make equal generations."""

    index: Path
    documents: Path
    generation: str
    count: int


def build_base(documents: Iterable[FeedDocument], folder: Path) -> BuiltBase:
    """Write the documents and build their index in `folder`. Neither the documents nor the index are held in memory."""
    lines, index = folder / "documents.jsonl.gz", folder / "index.sqlite"
    digest, count = sha256(), 0
    with lines.open("wb") as raw, gzip.GzipFile("", "wb", _LEVEL, raw, mtime=0) as file:
        for document in documents:
            line = (encode_document(document) + "\n").encode()
            file.write(line)
            digest.update(line)
            count += 1
    generation = digest.hexdigest()[:_GENERATION_CHARS]
    build(documents_in(lines), index, generation=generation)
    return BuiltBase(index=index, documents=lines, generation=generation, count=count)


def documents_in(path: Path) -> Iterator[FeedDocument]:
    """Yield the documents of a file of JSON lines."""
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as file:
        for line in file:
            yield decode_document(line)
