"""Writes documents and words as rows of an index file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator

from feedward.adapters.search.sqlite_schema import WORD_ID_BITS
from feedward.search.analyser import BREAK
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
from feedward.search.typing_errors import form_numbers

_NAME_COLUMNS = (TITLE, SITE, DOMAIN, FORMS, EXACT, WHOLE, FACETS)


def write_documents(connection: sqlite3.Connection, numbered: Iterable[tuple[int, FeedDocument]]) -> set[str]:
    """Write documents under their row numbers. Returns the words of their names and topics."""
    rows = [(number, document, tokens_of(document)) for number, document in numbered]
    connection.executemany("INSERT INTO docs VALUES (?, ?, ?, ?)", (_doc_row(*row) for row in rows))
    connection.executemany(
        "INSERT INTO name_index (rowid, title, site, domain, forms, exact, whole, facets) VALUES (?,?,?,?,?,?,?,?)",
        ((number, *(" ".join(tokens.fields[name]) for name in _NAME_COLUMNS)) for number, _, tokens in rows),
    )
    connection.executemany(
        "INSERT INTO text_index (rowid, names, topics, description, items, facets) VALUES (?,?,?,?,?,?)",
        ((number, *_text_columns(tokens)) for number, _, tokens in rows),
    )
    return set().union(*(tokens.spelled for _, _, tokens in rows))


def write_words(connection: sqlite3.Connection, words: Iterable[str], first_id: int) -> int:
    """Write new words with their forms. Returns the next free id."""
    numbered = list(enumerate(sorted(words), first_id))
    connection.executemany("INSERT INTO words VALUES (?, ?)", numbered)
    connection.executemany("INSERT INTO word_forms VALUES (?)", ((form,) for form in sorted(_forms(numbered))))
    return first_id + len(numbered)


def _doc_row(number: int, document: FeedDocument, tokens: DocumentTokens) -> tuple[int, str, int, int]:
    quality = quality_of(document, len(tokens.fields[TITLE]))
    return number, document.feed_id, document.version, packed(quality)


def _text_columns(tokens: DocumentTokens) -> Iterator[str]:
    names = [tokens.fields[name] for name in (TITLE, SITE, DOMAIN, FORMS) if tokens.fields[name]]
    yield f" {BREAK} ".join(map(" ".join, names))
    yield from (" ".join(tokens.fields[name]) for name in (TOPICS, DESCRIPTION, ITEMS))
    yield " ".join(token for token in tokens.fields[FACETS] if not token.startswith("u:"))


def _forms(numbered: Iterable[tuple[int, str]]) -> Iterator[int]:
    for number, word in numbered:
        for form in form_numbers(word):
            yield form << WORD_ID_BITS | number
