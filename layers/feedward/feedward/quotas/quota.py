"""The quotas, the work that they limit, their default limits (rule QT1), and the slots of a tenant for work in flight
(rule QT8).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from feedward.errors import InvalidInput


class Window(StrEnum):
    """The window of a quota: a sliding minute, a UTC day (rule QT2), or the number that exists now (`total`)."""

    MINUTE = "minute"
    DAY = "day"
    TOTAL = "total"


class Quota(StrEnum):
    """The quotas of a tenant. Names are those in settings and API answers."""

    SUBSCRIPTIONS = "subscriptions"
    DISCOVERIES_PER_MINUTE = "discoveries_per_minute"
    DISCOVERIES_PER_DAY = "discoveries_per_day"
    CANONICALIZATIONS_PER_MINUTE = "canonicalizations_per_minute"
    CANONICALIZATIONS_PER_DAY = "canonicalizations_per_day"
    PAGES_PER_DAY = "pages_per_day"
    IMPORTS_PER_DAY = "imports_per_day"
    BODY_BYTES_PER_DAY = "body_bytes_per_day"
    DELIVERIES_PER_DAY = "deliveries_per_day"

    @property
    def window(self) -> Window:
        """The window that its name contains."""
        if self.endswith("_per_minute"):
            return Window.MINUTE
        return Window.DAY if self.endswith("_per_day") else Window.TOTAL


class Work(StrEnum):
    """The kinds of work that a tenant is charged for."""

    SUBSCRIPTIONS = "subscriptions"
    DISCOVERIES = "discoveries"
    CANONICALIZATIONS = "canonicalizations"
    PAGES = "pages"
    IMPORTS = "imports"
    BODY_BYTES = "body_bytes"
    DELIVERIES = "deliveries"


# The quotas that a kind of work counts in, the shorter window first, since it refuses most often.
CHARGED: Final[Mapping[Work, tuple[Quota, ...]]] = {
    Work.SUBSCRIPTIONS: (Quota.SUBSCRIPTIONS,),
    Work.DISCOVERIES: (Quota.DISCOVERIES_PER_MINUTE, Quota.DISCOVERIES_PER_DAY),
    Work.CANONICALIZATIONS: (Quota.CANONICALIZATIONS_PER_MINUTE, Quota.CANONICALIZATIONS_PER_DAY),
    Work.PAGES: (Quota.PAGES_PER_DAY,),
    Work.IMPORTS: (Quota.IMPORTS_PER_DAY,),
    Work.BODY_BYTES: (Quota.BODY_BYTES_PER_DAY,),
    Work.DELIVERIES: (Quota.DELIVERIES_PER_DAY,),
}
# Quotas that must have room before this work starts. Its size is known only afterwards, so it counts nothing in them.
MUST_BE_OPEN: Final[Mapping[Work, tuple[Quota, ...]]] = {Work.PAGES: (Quota.BODY_BYTES_PER_DAY,)}

Limits = Mapping[Quota, int | None]
"""The limit of each quota; None means unlimited."""

DEFAULT_LIMITS: Final = (
    "subscriptions=2000,discoveries_per_minute=30,discoveries_per_day=1000,canonicalizations_per_minute=120,"
    "canonicalizations_per_day=5000,pages_per_day=5000,imports_per_day=20,body_bytes_per_day=2000000000,"
    "deliveries_per_day=100000"
)
UNLIMITED: Final = "unlimited"
LIMIT_AT_MOST: Final = 10**12
_NUMBER: Final = re.compile(r"[0-9]{1,13}", re.ASCII)


def read_limits(text: str, field: str = "quotas") -> dict[Quota, int | None]:
    """Read limits such as `subscriptions=1000,pages_per_day=unlimited`. Returns only the named ones.

    Raises InvalidInput (`field`).
    """
    limits: dict[Quota, int | None] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, separator, value = (piece.strip() for piece in part.partition("="))
        if not separator:
            raise InvalidInput(field, f"expected name=limit, not {part[:60]!r}")
        limits[quota_of(name, field)] = read_limit(value, field)
    return limits


def quota_of(name: str, field: str) -> Quota:
    """Return the quota of this name. Raises InvalidInput (`field`)."""
    if name not in tuple(Quota):
        raise InvalidInput(field, f"there is no quota {name[:60]!r}: expected one of {', '.join(Quota)}")
    return Quota(name)


def read_limit(value: str, field: str) -> int | None:
    """Read a whole number, or `unlimited`. Raises InvalidInput (`field`)."""
    if value == UNLIMITED:
        return None
    if not _NUMBER.fullmatch(value) or int(value) > LIMIT_AT_MOST:
        raise InvalidInput(field, f"expected a whole number up to {LIMIT_AT_MOST} or {UNLIMITED}, not {value[:60]!r}")
    return int(value)


def limits_of(default: Limits, own: Limits) -> dict[Quota, int | None]:
    """Return the limits of a tenant: its own, and the default for the others."""
    return {quota: own.get(quota, default.get(quota)) for quota in Quota}


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
