"""The items that a feed is born with: FEED, META, AUDIT and OUT (design section 3).

FEED holds only what a check reads or writes and stays within 1 KB, which is one write unit; all else is META.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from feedward.adapters.dynamodb.codec import Item, text
from feedward.adapters.dynamodb.keys import FEED, META, audit_sk, feed_key, out_sk
from feedward.events import FEED_DISCOVERED, feed_discovered
from feedward.health.schedule import domain_shard, due_shard, first_check_at, pending_shard, state_shard
from feedward.model import FeedState, NewFeed
from feedward.ulid import derived_ulid
from feedward.urls.parse import parse_http_url, parse_url

# What takes a feed off every list and out of the due index.
LIST_KEYS = ("due_shard", "next_check_at", "state_shard", "domain_shard")

FEED_BYTES = 1024
_VALIDATOR_CHARS = 1024
_SMALL_VALIDATOR_CHARS = 128
_TITLE_CHARS = 1000
_DESCRIPTION_CHARS = 4000
_URL_CHARS = 2048
_LANGUAGE_CHARS = 100
_HUBS = 10


def feed_item(new: NewFeed, url_hash: str) -> Item:
    """Return FEED: healthy, due, on its lists, at rev 1 (I4)."""
    host = feed_host(new.url)
    item = {
        **feed_key(new.feed_id, FEED),
        "url": new.url,
        "url_hash": url_hash,
        "host": host,
        "owner": new.scope or None,
        "state": FeedState.HEALTHY.value,
        "rev": 1,
        "created_at": new.now,
        "last_attempt_at": new.now,
        "last_success_at": new.now,
        "last_http_status": new.http_status,
        "consecutive_failures": 0,
        "content_hash": text(new.content_hash, 128),
        "latest_item_published_at": new.latest_item_published_at,
        "median_gap_s": new.median_gap_s,
        "hint_s": new.hint_s,
        "next_check_at": first_check_at(new.feed_id, new.now, median_gap_s=new.median_gap_s, hint_s=new.hint_s),
        "due_shard": due_shard(host),
        "state_shard": state_shard(FeedState.HEALTHY, new.feed_id, scope=new.scope),
        "domain_shard": domain_shard(host, new.feed_id, scope=new.scope),
    }
    return {**item, **_validators(new, FEED_BYTES - size_bytes(item))}


def meta_item(new: NewFeed) -> Item:
    """Return META: what people read about the feed, cut to sizes that any table takes (security D1).

    A feed that a site's discovery chose says which site's, and its score there.
    """
    return {
        **feed_key(new.feed_id, META),
        "title": text(new.title, _TITLE_CHARS),
        "description": text(new.description, _DESCRIPTION_CHARS),
        "site_url": _web_url(new.site_url),
        "language": text(new.language, _LANGUAGE_CHARS),
        "hub_urls": [hub for hub in new.hub_urls if _web_url(hub)][:_HUBS],
        "format": new.format.value if new.format else None,
        "site_id": new.site_id,
        "is_canonical": new.is_canonical or None,
        "canonical_score": new.canonical_score,
    }


def registered_audit_item(new: NewFeed) -> Item:
    """Return the AUDIT row that says where the feed came from."""
    entry_id = derived_ulid(new.now, "registered", new.feed_id)
    row = {"action": "registered", "at": new.now, "by": "register", "url": new.url}
    return {**feed_key(new.feed_id, audit_sk(new.now, entry_id)), **row}


def discovered_out_item(new: NewFeed) -> Item:
    """Return OUT for the event FeedDiscovered: it is owed from the moment that the feed is there (I7)."""
    event_id = derived_ulid(new.now, FEED_DISCOVERED, new.feed_id)
    detail = feed_discovered(
        event_id=event_id, occurred_at=new.now, tenant_id=new.scope or None, feed_id=new.feed_id, url=new.url
    )
    return out_item(new.feed_id, event_id, new.now, kind="event", detail_type=FEED_DISCOVERED, detail=detail)


def out_item(feed_id: str, entry_id: str, now: int, *, kind: str, **content: Any) -> Item:
    """Return an OUT item of a feed, with its pending mark."""
    mark = {"pending_shard": pending_shard("out", entry_id), "pending_since": now}
    return {**feed_key(feed_id, out_sk(entry_id)), "kind": kind, **mark, **content}


def size_bytes(item: Mapping[str, Any]) -> int:
    """Return what DynamoDB counts for a flat item: UTF-8 of names and texts, about half a byte a digit for numbers."""
    return sum(len(name) + _value_bytes(value) for name, value in item.items() if value is not None)


def _value_bytes(value: Any) -> int:
    return len(str(value).encode("utf-8", "replace")) if isinstance(value, str) else len(str(value)) // 2 + 2


def _validators(new: NewFeed, room: int) -> Item:
    """Keep a validator verbatim or not at all (spec H7, security T16).

    A short one is always worth its room: without it every check would get the whole document.
    """
    kept: Item = {}
    for name, value in (("last_modified", new.validators.last_modified), ("etag", new.validators.etag)):
        if not value or len(value) > _VALIDATOR_CHARS or not (value.isascii() and value.isprintable()):
            continue
        if len(value) <= _SMALL_VALIDATOR_CHARS or len(name) + len(value) <= room:
            kept[name] = value
            room -= len(name) + len(value)
    return kept


def _web_url(url: str | None) -> str | None:
    """Leave out what a document gives as URL but is `javascript:`, or too long: one that was cut is another URL."""
    return url if url and len(url) <= _URL_CHARS and parse_http_url(url) else None


def feed_host(url: str) -> str:
    """Return the host that FEED and its index keys name for a URL."""
    parsed = parse_url(url)
    return parsed.hostname if parsed else ""
