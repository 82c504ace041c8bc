"""A feed's health as the attributes of FEED: what is nothing is left out, what only a failing feed has is one map.

The same shape stands in the table, in its index and in messages. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import fields
from typing import Any

from feedward.errors import InvalidInput
from feedward.health.record import IN_FAILURES, FeedHealth
from feedward.model import FeedState, Outcome

FAILURES = "failures"
_NAMES = tuple(each.name for each in fields(FeedHealth) if each.name != "feed_id")
_TOP_LEVEL = tuple(name for name in _NAMES if name not in IN_FAILURES)
_ALWAYS = frozenset({"state", "consecutive_failures"})
_FLAGS = frozenset({"stale", "revival_owed"})


def stored_health(health: FeedHealth, names: Collection[str] = _NAMES) -> dict[str, Any]:
    """Return the attributes of FEED for those fields of `health` that are named; all values are fit for JSON."""
    stored: dict[str, Any] = {}
    failures: dict[str, Any] = {}
    for name in _NAMES:
        value = getattr(health, name)
        if name in names and (value or name in _ALWAYS):
            (failures if name in IN_FAILURES else stored)[name] = _plain(value)
    return {**stored, FAILURES: failures} if failures else stored


def read_health(feed_id: str, stored: Mapping[str, Any]) -> FeedHealth:
    """Return the health of a feed from FEED's attributes, or from those of them that an index or a message has.

    Raises InvalidInput, which names the attribute, for a value of another type.
    """
    failures = {} if stored.get(FAILURES) is None else stored[FAILURES]
    if not isinstance(failures, Mapping):
        raise InvalidInput(FAILURES, "expected an object")
    members = {name: _read(name, stored[name]) for name in _TOP_LEVEL if stored.get(name) is not None}
    nested = {name: _read(name, failures[name]) for name in IN_FAILURES if failures.get(name) is not None}
    return FeedHealth(feed_id=feed_id, **members, **nested)


def _plain(value: Any) -> Any:
    """Enumerations as their words, tuples as lists."""
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
        raise InvalidInput(name, "this is no such value") from None


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
