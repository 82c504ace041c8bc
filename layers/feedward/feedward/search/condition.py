"""What a document must have to match, as data that every engine translates into its own query. Pure."""

from __future__ import annotations

from typing import NamedTuple


class Term(NamedTuple):
    """One of the fields has the tokens, one directly after the other; the last one may go on if `is_prefix`."""

    fields: tuple[str, ...]
    tokens: tuple[str, ...]
    is_prefix: bool = False


class AllOf(NamedTuple):
    """Every part holds. There is at least one."""

    parts: tuple[Condition, ...]


class AnyOf(NamedTuple):
    """One of the parts holds. There is at least one."""

    parts: tuple[Condition, ...]


class Without(NamedTuple):
    """`wanted` holds, and `unwanted` does not."""

    wanted: Condition
    unwanted: Condition


Condition = Term | AllOf | AnyOf | Without


def all_of(*parts: Condition) -> Condition:
    """Return the conjunction, without a shell around a single part."""
    return parts[0] if len(parts) == 1 else AllOf(parts)


def any_of(*parts: Condition) -> Condition:
    """Return the disjunction, each different part once."""
    different = tuple(dict.fromkeys(parts))
    return different[0] if len(different) == 1 else AnyOf(different)
