"""The quotas, the work that they limit, their default limits and spans (rules QT1, QT2), and the slots of a tenant for
work in flight (rule QT8). Pure.
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


MINUTE_S = 60
DAY_S = 24 * 3600
# Counters are kept this much longer than they count.
KEPT_S = DAY_S


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One counter of a tenant: a quota and the epoch second at which its span began.

    A `total` is recounted each UTC day, so that a wrong counter is corrected within a day.
    """

    quota: Quota
    starts_at: int

    @property
    def length_s(self) -> int:
        """The length of the span in seconds."""
        return MINUTE_S if self.quota.window is Window.MINUTE else DAY_S

    @property
    def ends_at(self) -> int:
        """The epoch second at which the next span begins."""
        return self.starts_at + self.length_s

    @property
    def before(self) -> Span:
        """The span before this one."""
        return Span(quota=self.quota, starts_at=self.starts_at - self.length_s)


def span_at(quota: Quota, now: int) -> Span:
    """Return the span of a quota at `now`. Days are UTC days (rule QT2)."""
    length_s = MINUTE_S if quota.window is Window.MINUTE else DAY_S
    return Span(quota=quota, starts_at=now - now % length_s)


def carried(span: Span, used_before: int, now: int) -> int:
    """Return the carry-over of the span before: for a minute, the share that the last 60 s overlap, rounded up.

    So any 60 s have at most the limit; if the load is uneven, at most twice the limit less one (rule QT2).
    """
    if span.quota.window is not Window.MINUTE:
        return 0
    left_s = max(span.ends_at - now, 0)
    return -(-used_before * left_s // MINUTE_S)


def opens_at(span: Span, *, limit: int, used: int, used_before: int, weight: int, now: int) -> int | None:
    """Return the first second at which `weight` fits, if nothing else is charged meanwhile; None if it never fits.

    It never fits if it exceeds the limit, or for a total, where only a deletion makes room.
    """
    if weight > limit or span.quota.window is Window.TOTAL:
        return None
    if span.quota.window is Window.DAY:
        return span.ends_at
    for second in range(now + 1, span.ends_at):
        if used + carried(span, used_before, second) + weight <= limit:
            return second
    following = span_at(span.quota, span.ends_at)
    for second in range(following.starts_at, following.ends_at):
        if carried(following, used, second) + weight <= limit:
            return second
    return following.ends_at
