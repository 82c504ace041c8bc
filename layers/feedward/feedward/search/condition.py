"""The condition that a document must fulfil, as data that each engine translates into its own query. Pure."""

from __future__ import annotations

from typing import NamedTuple


class Term(NamedTuple):
    """One of the fields has the tokens in sequence; with `is_prefix`, the last one may be a prefix."""

    fields: tuple[str, ...]
    tokens: tuple[str, ...]
    is_prefix: bool = False


class AllOf(NamedTuple):
    """All parts hold. There is at least one."""

    parts: tuple[Condition, ...]


class AnyOf(NamedTuple):
    """At least one of the parts holds. There is at least one."""

    parts: tuple[Condition, ...]


class Without(NamedTuple):
    """`wanted` holds, and `unwanted` does not."""

    wanted: Condition
    unwanted: Condition


Condition = Term | AllOf | AnyOf | Without


def all_of(*parts: Condition) -> Condition:
    """Return the conjunction; a single part is returned as it is."""
    return parts[0] if len(parts) == 1 else AllOf(parts)


def any_of(*parts: Condition) -> Condition:
    """Return the disjunction without duplicate parts; a single part is returned as it is."""
    if len(parts) == 1:
        return parts[0]
    different = tuple(dict.fromkeys(parts))
    return different[0] if len(different) == 1 else AnyOf(different)
