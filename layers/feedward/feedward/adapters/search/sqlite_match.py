"""Translates conditions into expressions of FTS5. Tokens are quoted strings: no text of a user is syntax (rule Q1)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from feedward.search.condition import AllOf, AnyOf, Condition, Term, Without
from feedward.search.fields import DESCRIPTION, ITEMS, NAMES, TOPICS

NAME_INDEX = "name_index"
TEXT_INDEX = "text_index"
_TEXT_FIELDS = frozenset({TOPICS, DESCRIPTION, ITEMS})


def table_of(condition: Condition) -> str:
    """Return the table that has all fields of a condition."""
    return TEXT_INDEX if _needs_text(condition) else NAME_INDEX


def _needs_text(condition: Condition) -> bool:
    match condition:
        case Term(fields):
            return _has_text(fields)
        case Without(wanted, unwanted):
            return _needs_text(wanted) or _needs_text(unwanted)
        case AllOf(parts) | AnyOf(parts):
            return any(map(_needs_text, parts))


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
    match condition:
        case Term():
            return _term(condition, table)
        case AllOf(parts):
            return " AND ".join(f"({expression(part, table)})" for part in parts)
        case AnyOf(parts):
            return " OR ".join(f"({expression(part, table)})" for part in parts)
        case Without(wanted, unwanted):
            return f"({expression(wanted, table)}) NOT ({expression(unwanted, table)})"


def _term(term: Term, table: str) -> str:
    columns = _columns(term.fields, table)
    phrase = " ".join(term.tokens).replace('"', '""')
    return f'{{{columns}}} : "{phrase}"{" *" if term.is_prefix else ""}'


@cache
def _columns(fields: tuple[str, ...], table: str) -> str:
    """Return the columns of fields: in the table of texts, all names are one column."""
    if table == NAME_INDEX:
        return " ".join(fields)
    return " ".join(dict.fromkeys("names" if field in NAMES else field for field in fields))
