"""Applies changes to the local copy of an index: it adds new rows and makes the old ones dead (rules Q5, Q15).

The index has no word counts that a rank could use, so a copy with changes has the same order as a rebuilt index.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from feedward.adapters.search.sqlite_schema import WORD_ID_BITS, about, open_index, say, write_documents, write_words
from feedward.errors import SearchUnavailable
from feedward.search.document import DocumentChange
from feedward.search.typos import form_number, form_numbers, is_spelled

_OF_A_FORM: Final = 1000
# The words with a form in a range. Their number is not bounded, so that it is no list of placeholders.
_WORDS: Final = (
    f"SELECT word FROM word_forms CROSS JOIN words ON words.id = form & {(1 << WORD_ID_BITS) - 1}"  # noqa: S608 - a number
    " WHERE form BETWEEN ? AND ?"
)


def apply(path: Path, changes: Iterable[DocumentChange]) -> int:
    """Apply changes to an index, all or none. Returns the number of new ones: equal or older ones do nothing.

    Raises SearchUnavailable if the index cannot be opened or written.
    """
    connection = open_index(path, is_written=True)
    try:
        connection.execute("BEGIN IMMEDIATE")
        count = apply_to(connection, changes)
        connection.execute("COMMIT")
    except sqlite3.Error as error:
        raise SearchUnavailable(f"the search index cannot be changed: {error}") from error
    finally:
        connection.close()
    return count


def apply_to(connection: sqlite3.Connection, changes: Iterable[DocumentChange]) -> int:
    """Apply changes to an open index, within the caller's transaction."""
    new = [change for change in _newest(changes) if change.version > _version(connection, change.feed_id)]
    feed_ids = [(change.feed_id,) for change in new]
    connection.executemany("DELETE FROM docs WHERE feed_id = ?", feed_ids)
    connection.executemany("DELETE FROM gone WHERE feed_id = ?", feed_ids)
    connection.executemany(
        "INSERT INTO gone VALUES (?, ?)", ((change.feed_id, change.version) for change in new if not change.document)
    )
    documents = [change.document for change in new if change.document]
    free = int(about(connection, "next_row"))
    # Upwards: FTS5 writes a segment whenever a row comes before the last one.
    spelled = write_documents(connection, enumerate(documents, free - len(documents) + 1))
    unknown = [word for word in filter(is_spelled, spelled) if not _has_word(connection, word)]
    next_word = write_words(connection, unknown, int(about(connection, "next_word")))
    say(connection, next_row=free - len(documents), next_word=next_word)
    return len(new)


def _newest(changes: Iterable[DocumentChange]) -> Iterable[DocumentChange]:
    newest: dict[str, DocumentChange] = {}
    for change in changes:
        if change.feed_id not in newest or change.version > newest[change.feed_id].version:
            newest[change.feed_id] = change
    return newest.values()


def _version(connection: sqlite3.Connection, feed_id: str) -> int:
    """Return the version of a feed in the index, also of a deleted feed, or -1."""
    statement = (
        "SELECT max(version) FROM (SELECT version FROM docs WHERE feed_id = ?1"
        " UNION ALL SELECT version FROM gone WHERE feed_id = ?1)"
    )
    (version,) = connection.execute(statement, (feed_id,)).fetchone()
    return -1 if version is None else int(version)


def _has_word(connection: sqlite3.Connection, word: str) -> bool:
    found = connection.execute(f"{_WORDS} AND word = ?", (*_forms_of(form_number(word)), word))
    return found.fetchone() is not None


def words_like(connection: sqlite3.Connection, word: str) -> set[str]:
    """Return words of the index that share a form with a word: all within one edit, and a few others.

    At most 1,000 of a form: thousands of words may differ in one letter, and one correction is wanted.
    """
    found: set[str] = set()
    for number in form_numbers(word):
        found.update(row[0] for row in connection.execute(f"{_WORDS} LIMIT {_OF_A_FORM}", _forms_of(number)))
    return found


def _forms_of(number: int) -> tuple[int, int]:
    """Return the first and the last form with this number, whatever the word."""
    low = number << WORD_ID_BITS
    return low, low + (1 << WORD_ID_BITS) - 1
