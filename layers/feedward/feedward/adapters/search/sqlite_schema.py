"""The tables of an index file, the checks when it is opened (rule Q14), and the writing of their rows.

`name_index` and `text_index` are contentless FTS5 tables: they hold tokens, no texts. Rows of the base are numbered
from 1 in the order of quality, rows of later changes downwards from -1. A number is never used twice. A row of an index
without its row in `docs` is dead.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from feedward.errors import SearchUnavailable
from feedward.search.analyser import ANALYSER_VERSION, BREAK
from feedward.search.document import FeedDocument
from feedward.search.fields import (
    DESCRIPTION,
    DOMAIN,
    EXACT,
    FACETS,
    FORMS,
    ITEMS,
    SITE,
    TITLE,
    TOPICS,
    WHOLE,
    DocumentTokens,
    tokens_of,
)
from feedward.search.ranking import packed, quality_of
from feedward.search.typos import form_numbers

SCHEMA_VERSION = "1"
# All ASCII punctuation in tokens. Characters outside ASCII are always parts of tokens.
_TOKENIZER = """tokenize="ascii tokenchars '+#.:=~|_-'" """
SCHEMA = f"""
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE docs (
    id INTEGER PRIMARY KEY, feed_id TEXT NOT NULL, version INTEGER NOT NULL, quality INTEGER NOT NULL
);
CREATE TABLE gone (feed_id TEXT PRIMARY KEY, version INTEGER NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE name_index USING fts5 (
    title, site, domain, forms, exact, whole, facets, content='', columnsize=0, prefix='2 3', {_TOKENIZER}
);
CREATE VIRTUAL TABLE text_index USING fts5 (
    names, topics, description, items, facets, content='', columnsize=0, {_TOKENIZER}
);
CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT NOT NULL);
CREATE TABLE word_forms (form INTEGER PRIMARY KEY);
"""
# While an index is built, its rows are buffered in memory, and segments are merged once, at the end.
_GATHER = """
INSERT INTO name_index (name_index, rank) VALUES ('automerge', 0);
INSERT INTO text_index (text_index, rank) VALUES ('automerge', 0);
INSERT INTO name_index (name_index, rank) VALUES ('hashsize', 33554432);
INSERT INTO text_index (text_index, rank) VALUES ('hashsize', 33554432);
"""
OPTIMIZE = """
INSERT INTO name_index (name_index) VALUES ('optimize');
INSERT INTO text_index (text_index) VALUES ('optimize');
INSERT INTO name_index (name_index, rank) VALUES ('automerge', 4);
INSERT INTO text_index (text_index, rank) VALUES ('automerge', 4);
INSERT INTO name_index (name_index, rank) VALUES ('hashsize', 1048576);
INSERT INTO text_index (text_index, rank) VALUES ('hashsize', 1048576);
"""
# A form is the number of a word with one letter left out, and the id of the word in the lower bits.
WORD_ID_BITS = 24
_NAME_COLUMNS = (TITLE, SITE, DOMAIN, FORMS, EXACT, WHOLE, FACETS)


def create_index(path: Path) -> sqlite3.Connection:
    """Return a connection to a new, empty index. Raises SearchUnavailable where SQLite has no FTS5."""
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-65536;")
    try:
        connection.executescript(f"{SCHEMA}{_GATHER}BEGIN;")
    except sqlite3.OperationalError as error:
        connection.close()
        raise SearchUnavailable(f"this SQLite ({sqlite3.sqlite_version}) cannot make the index: {error}") from error
    return connection


def open_index(path: Path, *, is_written: bool = False) -> sqlite3.Connection:
    """Return a connection to an index. Raises SearchUnavailable if there is none, or if another analyser made it."""
    uri = f"{path.absolute().as_uri()}?mode={'rw' if is_written else 'ro'}"
    try:
        connection = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=False)
    except sqlite3.Error as error:
        raise SearchUnavailable(f"the search index cannot be read: {error}") from error
    try:
        _check(connection)
    except BaseException:
        connection.close()
        raise
    connection.executescript("PRAGMA synchronous=OFF; PRAGMA mmap_size=1073741824; PRAGMA temp_store=MEMORY;")
    return connection


def _check(connection: sqlite3.Connection) -> None:
    """Raise SearchUnavailable if the file is not an index, or if another analyser made it."""
    try:
        made_by = about(connection, "schema"), about(connection, "analyser")
        connection.execute("SELECT rowid FROM name_index WHERE name_index MATCH 'a' LIMIT 1").fetchone()
    except sqlite3.Error as error:
        raise SearchUnavailable(f"the search index cannot be read: {error}") from error
    if made_by != (SCHEMA_VERSION, ANALYSER_VERSION):
        raise SearchUnavailable("the search index was made by another version of feedward")


def about(connection: sqlite3.Connection, name: str) -> str:
    """Return a metadata value of the index, or an empty text."""
    row = connection.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else ""


def say(connection: sqlite3.Connection, **values: str | int) -> None:
    """Write metadata values of the index."""
    connection.executemany(
        "INSERT OR REPLACE INTO about VALUES (?, ?)", ((name, str(value)) for name, value in values.items())
    )


class _Rows(NamedTuple):
    """The rows of a document in the three tables, and the words of its names and topics."""

    doc: tuple[int, str, int, int]
    names: tuple[int | str, ...]
    texts: tuple[int | str, ...]
    spelled: frozenset[str]


def write_documents(connection: sqlite3.Connection, numbered: Iterable[tuple[int, FeedDocument]]) -> set[str]:
    """Write documents under their row numbers. Returns the words of their names and topics."""
    rows = [_rows_of(number, document) for number, document in numbered]
    connection.executemany("INSERT INTO docs VALUES (?, ?, ?, ?)", [row.doc for row in rows])
    connection.executemany(
        "INSERT INTO name_index (rowid, title, site, domain, forms, exact, whole, facets) VALUES (?,?,?,?,?,?,?,?)",
        [row.names for row in rows],
    )
    connection.executemany(
        "INSERT INTO text_index (rowid, names, topics, description, items, facets) VALUES (?,?,?,?,?,?)",
        [row.texts for row in rows],
    )
    return set().union(*[row.spelled for row in rows])


def write_words(connection: sqlite3.Connection, words: Iterable[str], first_id: int) -> int:
    """Write new words with their forms. Returns the next free id."""
    numbered = list(enumerate(sorted(words), first_id))
    connection.executemany("INSERT INTO words VALUES (?, ?)", numbered)
    connection.executemany("INSERT INTO word_forms VALUES (?)", zip(sorted(_forms(numbered)), strict=True))
    return first_id + len(numbered)


def _rows_of(number: int, document: FeedDocument) -> _Rows:
    """Return the rows of a document: its token lists, which are much larger, are not kept for a batch."""
    tokens = tokens_of(document)
    quality = packed(quality_of(document, len(tokens.fields[TITLE])))
    return _Rows(
        doc=(number, document.feed_id, document.version, quality),
        names=(number, *[" ".join(tokens.fields[name]) for name in _NAME_COLUMNS]),
        texts=(number, *_text_columns(tokens)),
        spelled=tokens.spelled,
    )


def _text_columns(tokens: DocumentTokens) -> Iterator[str]:
    names = [tokens.fields[name] for name in (TITLE, SITE, DOMAIN, FORMS) if tokens.fields[name]]
    yield f" {BREAK} ".join(map(" ".join, names))
    yield from (" ".join(tokens.fields[name]) for name in (TOPICS, DESCRIPTION, ITEMS))
    yield " ".join([token for token in tokens.fields[FACETS] if not token.startswith("u:")])


def _forms(numbered: Iterable[tuple[int, str]]) -> list[int]:
    return [form << WORD_ID_BITS | number for number, word in numbered for form in form_numbers(word)]
