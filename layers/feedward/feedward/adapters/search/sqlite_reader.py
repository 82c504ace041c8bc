"""Reads the rows of an index that match a condition, in the order of their quality.

Conditions become expressions of FTS5. Tokens are quoted strings: no text of a user is syntax (rule Q1).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from heapq import heappop, heappush, heapreplace, merge
from itertools import chain
from typing import NamedTuple

from feedward.search.condition import AllOf, Condition, Term, Without, all_of, any_of
from feedward.search.fields import DESCRIPTION, FACETS, ITEMS, NAMES, TOPICS
from feedward.search.ranking import points_of

NAME_INDEX = "name_index"
TEXT_INDEX = "text_index"
_TEXT_FIELDS = frozenset({TOPICS, DESCRIPTION, ITEMS})
# The rows of the base are in the order of quality, so the first rows are the best: only the requested number is read.
# The rows of changes come before them. These are all read and sorted; there are at most some thousands of them.
# `slot` makes statements that are read in parallel differ: sqlite3 would prepare a statement in use again.
_ROWS = (
    "SELECT /* {slot} */ docs.id, docs.feed_id, docs.quality FROM {table} CROSS JOIN docs ON docs.id = {table}.rowid"
    " WHERE {table} MATCH ? ORDER BY {table}.rowid"
)
_ONE_ROW = "SELECT 1 FROM {table} WHERE {table} MATCH ? AND rowid = ?"


MOST_PROBES = 3000
"""The number of rows matched by name that are looked up for excluded words."""


def table_of(condition: Condition) -> str:
    """Return the table that has all fields of a condition."""
    return TEXT_INDEX if _needs_text(condition) else NAME_INDEX


def _needs_text(condition: Condition) -> bool:
    if isinstance(condition, Term):
        return _has_text(condition.fields)
    if isinstance(condition, Without):
        return _needs_text(condition.wanted) or _needs_text(condition.unwanted)
    return any(map(_needs_text, condition.parts))


@cache
def _has_text(fields: tuple[str, ...]) -> bool:
    return not _TEXT_FIELDS.isdisjoint(fields)


def terms_of(condition: Condition) -> Iterator[Term]:
    """Yield the terms of a condition."""
    if isinstance(condition, Term):
        yield condition
    elif isinstance(condition, Without):
        yield from terms_of(condition.wanted)
        yield from terms_of(condition.unwanted)
    else:
        for part in condition.parts:
            yield from terms_of(part)


def expression(condition: Condition, table: str) -> str:
    """Return the expression of a condition for one of the two tables."""
    if isinstance(condition, Term):
        return _term(condition, table)
    if isinstance(condition, Without):
        return f"({expression(condition.wanted, table)}) NOT ({expression(condition.unwanted, table)})"
    operator = " AND " if isinstance(condition, AllOf) else " OR "
    return operator.join([f"({expression(part, table)})" for part in condition.parts])


def _term(term: Term, table: str) -> str:
    fields, tokens, is_prefix = term
    phrase = " ".join(tokens).replace('"', '""')
    return f'{{{_columns(fields, table)}}} : "{phrase}"{" *" if is_prefix else ""}'


@cache
def _columns(fields: tuple[str, ...], table: str) -> str:
    """Return the columns of fields: in the table of texts, all names are one column."""
    if table == NAME_INDEX:
        return " ".join(fields)
    return " ".join(dict.fromkeys("names" if field in NAMES else field for field in fields))


class TooMuchWork(Exception):
    """The search exceeds its work limit."""


class Found(NamedTuple):
    """A matching row. It sorts by `order`, which is the negative score, then by feed."""

    order: int
    feed_id: str
    row: int
    match: int
    quality: int


class IndexReader:
    """Finds rows by conditions. All rows must meet `required`, and none may meet a condition of `excluded`."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        required: Sequence[Condition] = (),
        excluded: Sequence[Condition] = (),
        *,
        has_changes: bool,
    ) -> None:
        self._connection = connection
        self._required = required
        self._excluded = excluded
        self._has_changes = has_changes
        self._probes = 0

    def rows(self, condition: Condition, points: int = 0, *, slot: int = 0) -> Iterator[Found]:
        """Yield the rows that match a condition, best first; the score is `points` and the feed's quality.

        Rows that are read in parallel are in different slots.
        """
        table = self._table_of(condition)
        found = self._read(_statement(table, slot), table, self._match(condition, table), points)
        return _with_changes(found) if self._has_changes else found

    def exists(self, condition: Condition) -> bool:
        """Return whether any row matches a condition."""
        return next(self.rows(condition), None) is not None

    def _table_of(self, condition: Condition) -> str:
        """Return the table to read. For filters alone it is the text table if texts are excluded."""
        table = table_of(condition)
        if table == TEXT_INDEX or not any(table_of(unwanted) == TEXT_INDEX for unwanted in self._excluded):
            return table
        return TEXT_INDEX if all(term.fields == (FACETS,) for term in terms_of(condition)) else table

    def _match(self, condition: Condition, table: str) -> str:
        match = expression(all_of(condition, *self._required), table)
        unwanted = [condition for condition in self._excluded if table == TEXT_INDEX or table_of(condition) == table]
        return f"({match}) NOT ({expression(any_of(*unwanted), table)})" if unwanted else match

    def _read(self, statement: str, table: str, match: str, points: int) -> Iterator[Found]:
        unwanted = [] if table == TEXT_INDEX else [c for c in self._excluded if table_of(c) == TEXT_INDEX]
        unwanted_match = expression(any_of(*unwanted), TEXT_INDEX) if unwanted else ""
        for row, feed_id, quality in self._connection.execute(statement, (match,)):
            if not unwanted_match or not self._has(row, unwanted_match):
                yield Found(-points - points_of(quality), feed_id, row, points, quality)

    def _has(self, row: int, match: str) -> bool:
        self._probes += 1
        if self._probes > MOST_PROBES:
            raise TooMuchWork
        statement = _ONE_ROW.format(table=TEXT_INDEX)
        return self._connection.execute(statement, (match, row)).fetchone() is not None


@cache
def _statement(table: str, slot: int) -> str:
    return _ROWS.format(table=table, slot=slot)


def in_order(streams: Sequence[tuple[int, Callable[[], Iterator[Found]]]]) -> Iterator[Found]:
    """Yield the rows of several streams in one order. Each stream is in order, and has the bound of its scores.

    The streams are sorted by these bounds, the highest first. A stream is opened when a row of it could be next: if
    the first one fills a page, the others cost nothing.
    """
    heap: list[tuple[Found, int, Iterator[Found]]] = []
    place = 0
    while True:
        while place < len(streams) and (not heap or streams[place][0] >= -heap[0][0].order):
            rows = streams[place][1]()
            first = next(rows, None)
            if first is not None:
                heappush(heap, (first, place, rows))
            place += 1
        if not heap:
            return
        found, number, rows = heap[0]
        yield found
        following = next(rows, None)
        if following is None:
            heappop(heap)
        else:
            heapreplace(heap, (following, number, rows))


def _with_changes(found: Iterator[Found]) -> Iterator[Found]:
    """Yield rows of changes, which come first, and those of the base by their score."""
    changes: list[Found] = []
    for one in found:
        if one.row > 0:
            return merge(sorted(changes), chain([one], found))
        changes.append(one)
    return iter(sorted(changes))


def has_changes(connection: sqlite3.Connection) -> bool:
    """Return whether an index has rows in addition to those of its base."""
    (lowest,) = connection.execute("SELECT min(id) FROM docs").fetchone()
    return lowest is not None and lowest < 0
