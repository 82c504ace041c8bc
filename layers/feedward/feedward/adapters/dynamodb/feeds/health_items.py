"""Attributes of the FEED item that a check reads and writes: health, due time, list keys and validators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final

from feedward.adapters.dynamodb.store.codec import Item
from feedward.health.due_feed import (
    COLLECT_ITEMS,
    NEXT_CHECK_AT,
    SLOT,
    SLOT_FROM,
    VALIDATOR_ATTRIBUTES,
    DueFeed,
    place_attributes,
    stored_validators,
)
from feedward.health.feed_health import FAILURES, IN_FAILURES, OUTSIDE_SLOTS, WRITE_ONLY, FeedHealth, stored_health
from feedward.health.validators import StoredValidators
from feedward.scheduling.shards import domain_shard, due_shard, state_shard
from feedward.scheduling.slots import Place

_NAMES: Final = frozenset({field.name for field in fields(FeedHealth)} - IN_FAILURES - {"feed_id"} | {FAILURES})
DUE_ATTRIBUTES: Final = frozenset({SLOT, SLOT_FROM, NEXT_CHECK_AT, "due_shard"})
"""The keys of both due indexes: `slots` for feeds in their slot, `due` for feeds that are due by exception."""


def due_attributes(place: Place | None, host: str) -> Item:
    """Return the keys of the place's index; the keys of the other index are None. A paused feed is in neither."""
    if place is None:
        return dict.fromkeys(DUE_ATTRIBUTES)
    return {**place_attributes(place), "due_shard": due_shard(host) if place.slot is None else None}


def health_change(health: FeedHealth, place: Place | None, *, host: str, scope: str) -> tuple[Item, frozenset[str]]:
    """Return the attributes to set, and the names of those to remove."""
    due = {name: value for name, value in due_attributes(place, host).items() if value is not None}
    lists = {
        "state_shard": state_shard(health.state, health.feed_id, scope=scope),
        "domain_shard": domain_shard(host, health.feed_id, scope=scope),
    }
    assign = {**stored_health(health), **lists, **due}
    return assign, (_NAMES | DUE_ATTRIBUTES) - assign.keys()


FEED_BYTES: Final = 1024
# Room for attributes that are not counted here: the key, created_at, domain_shard, and those of a failing feed.
_OTHER_BYTES: Final = 160
_FAILURES_BYTES: Final = 270
_VALIDATOR_CHARS: Final = 1024
_SMALL_VALIDATOR_CHARS: Final = 128
_HEARTBEAT: Final = WRITE_ONLY | OUTSIDE_SLOTS | {*VALIDATOR_ATTRIBUTES, "content_hash"}
_HEALTH: Final = (
    *(field.name for field in fields(FeedHealth) if field.name not in IN_FAILURES | {"feed_id"}),
    FAILURES,
)


def feed_attributes(feed: DueFeed) -> Item:
    """Return the attributes of FEED that a check writes, and its rev. Missing ones are None."""
    return {
        "url": feed.url,
        "url_hash": feed.url_hash,
        "host": feed.host,
        "owner": feed.owner,
        "rev": feed.rev,
        **due_attributes(feed.place, feed.host),
        "state_shard": state_shard(feed.health.state, feed.feed_id, scope=feed.owner or ""),
        "content_hash": feed.content_hash,
        COLLECT_ITEMS: feed.collect_items or None,
        **stored_validators(feed.validators, feed.url),
        **dict.fromkeys(_HEALTH),
        **stored_health(feed.health),
    }


def change(before: DueFeed, after: DueFeed) -> tuple[Item, list[str]]:
    """Return the attributes that an update of FEED sets, and those that it removes. The update increments the rev.

    Attributes that only people read are always written, because an entry of the due index lacks them.
    """
    old, new = feed_attributes(before), feed_attributes(after)
    changed = [name for name in new if name != "rev" and (name in WRITE_ONLY or old[name] != new[name])]
    return {name: new[name] for name in changed if new[name] is not None}, [
        name for name in changed if new[name] is None
    ]


def heartbeat(before: DueFeed, after: DueFeed) -> tuple[Item, list[str]]:
    """Return the attributes that a heartbeat sets and removes: the time of the check, and those of the document."""
    assign, remove = change(before, after)
    return {name: value for name, value in assign.items() if name in _HEARTBEAT}, [
        name for name in remove if name in _HEARTBEAT
    ]


def with_room(feed: DueFeed) -> DueFeed:
    """Return the feed with those validators that FEED has room for: verbatim or not at all (rules H7, N16).

    A short validator is always kept: without it every check would fetch the whole document.
    """
    given = feed.validators
    if not (given.etag or given.last_modified):
        return feed
    bare = replace(feed, validators=replace(given, etag=None, last_modified=None))
    counted = {name: value for name, value in feed_attributes(bare).items() if name != FAILURES}
    room = FEED_BYTES - _OTHER_BYTES - _FAILURES_BYTES - size_bytes(counted)
    last_modified = _kept("last_modified", given.last_modified, room)
    room -= len(last_modified or "") + len("last_modified")
    etag = _kept("etag", given.etag, room)
    kept = replace(given, etag=etag, last_modified=last_modified) if etag or last_modified else StoredValidators()
    return replace(feed, validators=kept)


def size_bytes(item: Mapping[str, Any]) -> int:
    """Return the size of a flat item in DynamoDB: UTF-8 bytes of names and texts, half a byte per digit."""
    return sum(len(name) + _value_bytes(value) for name, value in item.items() if value is not None)


def _kept(name: str, value: str | None, room: int) -> str | None:
    if not value or len(value) > _VALIDATOR_CHARS or not (value.isascii() and value.isprintable()):
        return None
    return value if len(value) <= _SMALL_VALIDATOR_CHARS or len(name) + len(value) <= room else None


def _value_bytes(value: Any) -> int:
    if isinstance(value, bool):
        return 1
    return len(str(value).encode("utf-8", "replace")) if isinstance(value, str) else len(str(value)) // 2 + 2
