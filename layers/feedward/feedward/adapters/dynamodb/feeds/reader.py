"""Reads feeds for the API: ports.FeedReader (rules R10, G1)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from itertools import islice
from typing import Final

from feedward.adapters.dynamodb.feeds.directory_feeds import ATTRIBUTES, list_shards, read_directory_feed
from feedward.adapters.dynamodb.feeds.document_items import read_recent
from feedward.adapters.dynamodb.registry.lookup import live_feed
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import FEED, META, RECENT, feed_key
from feedward.adapters.dynamodb.store.tables import Tables, TableStore
from feedward.errors import FeedwardError
from feedward.health.directory_feed import DirectoryFeed, FeedQuery, Listed, ListPlace
from feedward.health.recent import RecentItem

# A batch read takes 100 items, and a feed has two.
_FEEDS_AT_ONCE: Final = 50


class DynamoFeedReader(TableStore):
    """ports.FeedReader. Thread-safe."""

    def feed(self, feed_id: str, *, tenant_id: str | None) -> DirectoryFeed | None:
        """Return the feed with this id; tombstones are resolved. None for another tenant's feed too (rule I8)."""
        tables = self._tables
        item = live_feed(tables, feed_id)
        if item is None:
            return None
        meta = tables.get(tables.names.feeds, feed_key(item["feed_id"], META))
        feed = read_directory_feed(item, meta or {})
        return feed if feed.is_visible_to(tenant_id) else None

    def listed(
        self,
        query: FeedQuery,
        *,
        tenant_id: str | None,
        after: ListPlace | None = None,
    ) -> Iterator[Listed]:
        """Yield the feeds of the index that fits the query, after a position, shard by shard. Pages are read lazily."""
        tables = self._tables
        shards = list_shards(query, tenant_id)
        for number in range(after.shard if after else 0, len(shards)):
            first = after.feed_id if after and after.shard == number else None
            ids = _listed_ids(tables, shards[number], first)
            while feed_ids := list(islice(ids, _FEEDS_AT_ONCE)):
                feeds = _feeds(tables, feed_ids)
                for feed_id in feed_ids:
                    feed = feeds.get(feed_id)
                    shown = feed if feed and feed.is_visible_to(tenant_id) else None
                    yield Listed(place=ListPlace(shard=number, feed_id=feed_id), feed=shown)

    def items(self, feed_id: str) -> tuple[RecentItem, ...]:
        """Return the feed's recent items, newest first."""
        tables = self._tables
        recent = tables.get(tables.names.feeds, feed_key(feed_id, RECENT))
        return read_recent(recent).items if recent else ()


def _listed_ids(tables: Tables, shard: tuple[str, str, str], after: str | None) -> Iterator[str]:
    index, attribute, key = shard
    start = {**feed_key(after), attribute: key} if after else None
    rows = tables.query(tables.names.feeds, (attribute, key), index=index, after=start, page_items=_FEEDS_AT_ONCE)
    return (row["feed_id"] for row in rows)


def _feeds(tables: Tables, feed_ids: list[str]) -> dict[str, DirectoryFeed]:
    """Return the feeds that are not merged, from one batch read."""
    keys = [feed_key(feed_id, sk) for feed_id in feed_ids for sk in (FEED, META)]
    by_key: dict[tuple[str, str], Item] = {
        (item["feed_id"], item["sk"]): item for item in tables.batch_get(tables.names.feeds, keys, ATTRIBUTES)
    }
    found: dict[str, DirectoryFeed] = {}
    for (feed_id, sk), item in by_key.items():
        if sk == FEED and "merged_into" not in item:
            # An invalid feed must not block a list. Reading it by its id raises.
            with contextlib.suppress(FeedwardError):
                found[feed_id] = read_directory_feed(item, by_key.get((feed_id, META), {}))
    return found
