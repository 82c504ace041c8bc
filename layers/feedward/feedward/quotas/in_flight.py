"""Slots for work in flight: the number per tenant, and a taken slot (rule QT8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

# The concurrency of a new account over all functions; a function without a reservation shares it.
UNRESERVED: Final = 10
_SHARE: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A taken slot: the kind of work, its number, and the mark of its holder."""

    kind: str
    number: int
    mark: int


def places_of(reserved: int) -> int:
    """Return how many calls of a function one tenant may have in flight: a quarter of its concurrency, at least one.

    `reserved` is the function's reserved concurrency; below 1 means none.
    """
    return max((reserved if reserved > 0 else UNRESERVED) // _SHARE, 1)
