"""Feeds that are due, written straight into the tables, for tests of the sweep."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from feedward.scheduling.shards import due_shard
from feedward.ulid import derived_ulid
from tests.store_contents import StoreContents

NOW = 1_790_000_000


def feed_item(name: str, *, at: int = NOW - 30, host: str | None = None, **attributes: Any) -> dict[str, Any]:
    """Return the FEED of a feed of this name, due at `at`; without a host it has one of its own."""
    host = host or f"{name}.example.com"
    url = f"https://{host}/{name}.xml"
    return {
        "feed_id": derived_ulid(NOW - 10**6, name),
        "sk": "FEED",
        "url": url,
        "url_hash": f"hash-of-{url}",
        "host": host,
        "rev": 1,
        "state": "healthy",
        "consecutive_failures": 0,
        "next_check_at": at,
        "due_shard": due_shard(host),
        **attributes,
    }


def put_feeds(contents: StoreContents, items: Iterable[dict[str, Any]]) -> list[str]:
    """Write the items, past every store, and return their feed_ids."""
    items = list(items)
    contents.put_items("feeds", items)
    return [item["feed_id"] for item in items]
