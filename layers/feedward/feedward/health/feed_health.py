"""The stored health of a feed: all inputs of a decision, so a check reads nothing first (rule R12).

The fields are attributes of FEED with the same names. Those that only a failing feed has (IN_FAILURES) form one map,
`failures`, since an index projects at most 20 attributes. Values that are None, 0, False or empty are omitted, except
`state` and `consecutive_failures`: a healthy feed takes at most 200 bytes, names included, a failing one 270 more. The
due indexes project all fields except those that only people read (WRITE_ONLY): PROJECTED_ATTRIBUTES. Pure data.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from feedward.errors import InvalidInput
from feedward.model import FeedState, Outcome

# Every decision sets these and none reads them, so no index projects them.
WRITE_ONLY = frozenset({"last_attempt_at", "last_outcome", "last_http_status"})
# The heartbeat writes this one and no index entry of a slot changes: only the index of exceptions projects it.
OUTSIDE_SLOTS = frozenset({"last_success_at"})
IN_FAILURES = frozenset(
    {
        "first_failure_at",
        "network_failures",
        "not_founds",
        "first_gone_at",
        "unhealthy_since",
        "last_revival_at",
        "revival_due",
        "as_browser_at",
        "stale",
        "push_every",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedHealth:
    """The health of one feed (rules H2 to H6). Times are whole epoch seconds, intervals whole seconds.

    - consecutive_failures: counted failures since the last success; first_failure_at: the time of the first
    - network_failures: the epoch minutes of those failures that our own outage may explain, oldest first (rule H5)
    - not_founds: 404s since the last success, counted up to 2; first_gone_at: the first 410 since then (rules H2, H6)
    - unhealthy_since: when it became unhealthy: daily checks for 30 days from here, then weekly
    - last_revival_at: when a check last asked for revival; revival_due: revival is needed but had to wait (rule H6)
    - as_browser_at: when its host last refused a plain request and answered one with browser headers (rule D4)
    - last_news_at: when a check last found new items (rule H3); the due index of exceptions does not project it
    - median_gap_s, hint_s: the median gap of its items, and the interval that it asks for, if known
    - latest_item_published_at: the date of the newest item, never later than it was first seen; stale follows (rule H4)
    - push_every: the class in minutes of a feed whose push is trusted, else None
    - last_outcome, last_http_status: the result of the check at last_attempt_at, if it wrote anything
    """

    feed_id: str
    state: FeedState = FeedState.HEALTHY
    consecutive_failures: int = 0
    first_failure_at: int | None = None
    network_failures: tuple[int, ...] = ()
    not_founds: int = 0
    first_gone_at: int | None = None
    unhealthy_since: int | None = None
    last_revival_at: int | None = None
    revival_due: bool = False
    as_browser_at: int | None = None
    last_news_at: int | None = None
    median_gap_s: int | None = None
    hint_s: int | None = None
    latest_item_published_at: int | None = None
    stale: bool = False
    push_every: int | None = None
    last_success_at: int | None = None
    last_attempt_at: int | None = None
    last_outcome: Outcome | None = None
    last_http_status: int | None = None

    @property
    def never_fetched(self) -> bool:
        """Return whether a seeded feed waits for the first answer of its host: its only data is that of its seed.

        A check that counts as no failure of the feed, such as one in our own outage, leaves it so.
        """
        return self.last_success_at is None and self.consecutive_failures == 0


PROJECTED = frozenset(each.name for each in fields(FeedHealth)) - WRITE_ONLY
PROJECTED_ATTRIBUTES = (PROJECTED - IN_FAILURES - {"feed_id"}) | {"failures"}
SLOT_ATTRIBUTES = PROJECTED_ATTRIBUTES - OUTSIDE_SLOTS
EXCEPTION_ATTRIBUTES = PROJECTED_ATTRIBUTES - {"last_news_at"}


FAILURES = "failures"
_NAMES = dict.fromkeys(each.name for each in fields(FeedHealth) if each.name != "feed_id")  # quick to look in
_TOP_LEVEL = tuple(name for name in _NAMES if name not in IN_FAILURES)
_ALWAYS = frozenset({"state", "consecutive_failures"})
_FLAGS = frozenset({"stale", "revival_due"})
_REWRITTEN = (*sorted(WRITE_ONLY | OUTSIDE_SLOTS), "hint_s")
_SUCCESSES = frozenset({Outcome.OK, Outcome.NOT_MODIFIED})


def without_push(health: FeedHealth) -> FeedHealth:
    """Return the health of a feed without trusted pushes: it has its own class."""
    return health if health.push_every is None else replace(health, push_every=None)


def stored_health(health: FeedHealth, names: Collection[str] = _NAMES) -> dict[str, Any]:
    """Return the attributes of FEED for the fields `names` of `health`. All values can be written as JSON."""
    stored: dict[str, Any] = {}
    failures: dict[str, Any] = {}
    for name in _NAMES:
        value = getattr(health, name)
        if (value or name in _ALWAYS) and name in names:
            (failures if name in IN_FAILURES else stored)[name] = _plain(value)
    return {**stored, FAILURES: failures} if failures else stored


def read_health(feed_id: str, stored: Mapping[str, Any]) -> FeedHealth:
    """Return the health of a feed from the attributes of FEED, or from the part that an index or a message carries.

    Raises InvalidInput, which names the attribute, for a value of another type.
    """
    failures = {} if stored.get(FAILURES) is None else stored[FAILURES]
    if not isinstance(failures, Mapping):
        raise InvalidInput(FAILURES, "expected an object")
    members = {name: _read(name, stored[name]) for name in _TOP_LEVEL if stored.get(name) is not None}
    nested = {name: _read(name, failures[name]) for name in IN_FAILURES if failures.get(name) is not None}
    return FeedHealth(feed_id=feed_id, **members, **nested)


def unchanged(before: FeedHealth, after: FeedHealth) -> bool:
    """Tell whether a successful check needs no write: only its time, its status or the hint changed.

    A hint matters once it changes the feed's class.
    """
    seen = {name: getattr(before, name) for name in _REWRITTEN}
    is_success = after.last_outcome in _SUCCESSES
    return is_success and replace(after, **seen) == before


def _plain(value: Any) -> Any:
    """Return the value for JSON: enumerations as their values, tuples as lists."""
    match value:
        case FeedState() | Outcome():
            return value.value
        case tuple():
            return list(value)
        case _:
            return value


def _read(name: str, value: Any) -> Any:
    try:
        return _typed(name, value)
    except (TypeError, ValueError):
        raise InvalidInput(name, "unknown value") from None


def _typed(name: str, value: Any) -> Any:
    match name:
        case "state":
            return FeedState(value)
        case "last_outcome":
            return Outcome(value)
        case "network_failures":
            return tuple(map(_whole, value))
        case _ if name in _FLAGS:
            return value is True
        case _:
            return _whole(value)


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(value)
    return value
