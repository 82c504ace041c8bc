"""Shared feeds in the order of their ids: ports.ExportedFeeds (rule EX6)."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from feedward.adapters.dynamodb.feeds.directory_feeds import Shard, list_shards
from feedward.adapters.dynamodb.feeds.reader import DynamoFeedReader
from feedward.adapters.dynamodb.store.keys import feed_key
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.health.directory_feed import DirectoryFeed, FeedQuery

_FEEDS_AT_ONCE: Final = 50
# The page size of each shard: 64 shards are open at the same time, and an entry is two keys.
_ENTRIES_AT_ONCE: Final = 500


class DynamoExportedFeeds(TableStore):
    """ports.ExportedFeeds. Thread-safe."""

    def in_order(self, query: FeedQuery, *, after: str = "") -> Iterator[DirectoryFeed]:
        """Yield the shared feeds of the lists that match the query, after an id.

        Each shard of an index is sorted by id, so the shards are merged as they are read: memory holds a page of each.
        """
        shards = [self._ids(shard, after) for shard in list_shards(query, None)]
        yield from self._feeds(_once(heapq.merge(*shards)), None)

    def of_ids(self, feed_ids: Sequence[str], *, tenant_id: str | None) -> Iterator[DirectoryFeed]:
        """Yield the feeds with these ids that the tenant may see, in this order."""
        yield from self._feeds(iter(feed_ids), tenant_id)

    def _ids(self, shard: Shard, after: str) -> Iterator[str]:
        index, attribute, key, sk = shard
        start = {**feed_key(after, sk), attribute: key} if after else None
        tables = self._tables
        rows = tables.query(tables.names.feeds, (attribute, key), index=index, after=start, page_items=_ENTRIES_AT_ONCE)
        return (row["feed_id"] for row in rows)

    def _feeds(self, ids: Iterator[str], tenant_id: str | None) -> Iterator[DirectoryFeed]:
        reader = DynamoFeedReader(self._tables)
        while some := list(islice(ids, _FEEDS_AT_ONCE)):
            found = reader.feeds(some, tenant_id=tenant_id)
            yield from (found[feed_id] for feed_id in some if feed_id in found)


def _once(ids: Iterator[str]) -> Iterator[str]:
    """Yield each id of a sorted sequence once: a feed may be in two shards while its state changes."""
    last = ""
    for feed_id in ids:
        if feed_id != last:
            yield feed_id
        last = feed_id
