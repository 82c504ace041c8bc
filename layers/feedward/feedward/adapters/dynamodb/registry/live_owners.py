"""The owning feeds of many URLs, merged feeds resolved, from batch reads (rules I3, D5)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from feedward.adapters.dynamodb.registry.lookup import owners
from feedward.adapters.dynamodb.store.keys import feed_key
from feedward.adapters.dynamodb.store.tables import Tables


def live_owners(tables: Tables, url_hashes: Sequence[str]) -> dict[str, str]:
    """Return the ids of the surviving feeds by hash. Hashes of unknown feeds are left out."""
    found = owners(tables, url_hashes)
    into: dict[str, str] = {}
    asked = list(dict.fromkeys(found.values()))
    while asked:
        keys = [feed_key(feed_id) for feed_id in asked]
        rows = tables.batch_get(tables.names.feeds, keys, ("feed_id", "merged_into"))
        into |= {row["feed_id"]: row.get("merged_into") or row["feed_id"] for row in rows}
        asked = [feed_id for feed_id in dict.fromkeys(into.values()) if feed_id not in into]
        asked = [] if not rows else asked
    return {each: feed_id for each, owner in found.items() if (feed_id := _survivor(owner, into))}


def _survivor(feed_id: str, into: Mapping[str, str]) -> str | None:
    while feed_id in into and into[feed_id] < feed_id:
        feed_id = into[feed_id]
    return feed_id if feed_id in into else None
