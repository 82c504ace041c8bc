"""Reads feeds for the API and for exports: ports.FeedReader and ports.ExportedFeeds (rules R10, G1, EX6)."""

from __future__ import annotations

import contextlib
import heapq
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from feedward.adapters.dynamodb.feeds.directory_feeds import Shard, list_shards, names_hubs, read_directory_feed
from feedward.adapters.dynamodb.feeds.document_items import read_recent
from feedward.adapters.dynamodb.registry.lookup import live_feed
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import FEED, META, PUSH, RECENT, feed_key
from feedward.adapters.dynamodb.store.tables import Tables, TableStore
from feedward.errors import FeedwardError, InvalidInput
from feedward.health.directory_feed import DirectoryFeed, FeedQuery, Listed, ListPlace
from feedward.health.recent_items import RecentItem

# A batch read takes 100 items, and a feed has two.
_FEEDS_AT_ONCE: Final = 50
# Entries of the index, which are keys: those of the largest page, then 80 KB a read to skip feeds of other tenants.
_FIRST_ENTRIES: Final = 101
_ENTRIES_AT_ONCE: Final = 500
_SHARDS_AT_ONCE: Final = 8


class DynamoFeedReader(TableStore):
    """ports.FeedReader. Thread-safe."""

    def feed(self, feed_id: str, *, tenant_id: str | None) -> DirectoryFeed | None:
        """Return the feed with this id; tombstones are resolved. None for another tenant's feed too (rule I8)."""
        tables = self._tables
        item = live_feed(tables, feed_id)
        if item is None:
            return None
        meta = tables.get(tables.names.feeds, feed_key(item["feed_id"], META))
        push = _push_items(tables, [item["feed_id"]]) if names_hubs(item, meta or {}) else {}
        feed = read_directory_feed(item, meta or {}, push.get(item["feed_id"]))
        return feed if feed.is_visible_to(tenant_id) else None

    def feeds(self, feed_ids: Sequence[str], *, tenant_id: str | None) -> dict[str, DirectoryFeed]:
        """Return the feeds with these ids that the tenant may see, without tombstones."""
        found = _feeds(self._tables, list(dict.fromkeys(feed_ids)))
        return {feed_id: feed for feed_id, feed in found.items() if feed.is_visible_to(tenant_id)}

    def listed(
        self,
        query: FeedQuery,
        *,
        tenant_id: str | None,
        after: ListPlace | None = None,
    ) -> Iterator[Listed]:
        """Yield the feeds of the index that fits the query, after a position. Pages are read lazily."""
        tables = self._tables
        shards = list_shards(query, tenant_id)
        places = _scanned(tables, shards, after) if query.takes_all else _queried(tables, shards, after)
        following = next(places, None)
        while following is not None:
            batch = _batch(following, places, len(shards))
            following = next(places, None)
            feeds = _feeds(tables, [place.feed_id for place in batch if place.shard < len(shards)])
            for place in batch:
                feed = feeds.get(place.feed_id)
                shown = feed if feed and feed.is_visible_to(tenant_id) else None
                yield Listed(place=place, feed=shown, is_last=following is None and place is batch[-1])

    def items(self, feed_id: str) -> tuple[RecentItem, ...]:
        """Return the feed's recent items, newest first."""
        tables = self._tables
        recent = tables.get(tables.names.feeds, feed_key(feed_id, RECENT))
        return read_recent(recent).items if recent else ()

    def recent(self, feed_ids: Sequence[str]) -> dict[str, tuple[RecentItem, ...]]:
        """Return the recent items of these feeds, from one batch read."""
        keys = [feed_key(feed_id, RECENT) for feed_id in dict.fromkeys(feed_ids)]
        items = self._tables.batch_get(self._tables.names.feeds, keys) if keys else []
        return {item["feed_id"]: read_recent(item).items for item in items}


def _batch(first: ListPlace, places: Iterator[ListPlace], shards: int) -> list[ListPlace]:
    """Return the next places, with as many feeds of the list's own shards as one batch read takes."""
    batch = [first]
    feeds = int(first.shard < shards)
    while feeds < _FEEDS_AT_ONCE and len(batch) < _ENTRIES_AT_ONCE:
        some = list(islice(places, _FEEDS_AT_ONCE - feeds))
        if not some:
            break
        batch += some
        feeds += sum(place.shard < shards for place in some)
    return batch


def _queried(tables: Tables, shards: Sequence[Shard], after: ListPlace | None) -> Iterator[ListPlace]:
    """Yield the places of an index after a place, shard by shard: a domain or a state is in a few of them.

    The first shard often fills a page. If it does not, the next ones are read side by side.
    """
    first = _shard_of(shards, after) if after else 0
    yield from _places(tables, shards, first, after)
    for start in range(first + 1, len(shards), _SHARDS_AT_ONCE):
        numbers = range(start, min(start + _SHARDS_AT_ONCE, len(shards)))
        yield from _side_by_side([_places(tables, shards, number, None) for number in numbers])


def _places(tables: Tables, shards: Sequence[Shard], number: int, after: ListPlace | None) -> Iterator[ListPlace]:
    index, attribute, key, sk = shards[number]
    start = _index_key(after.feed_id, attribute, key, sk) if after else None
    rows = tables.query(tables.names.feeds, (attribute, key), index=index, after=start, page_items=_FEEDS_AT_ONCE)
    return (ListPlace(shard=number, feed_id=row["feed_id"]) for row in rows)


def _side_by_side(shards: Sequence[Iterator[ListPlace]]) -> Iterator[ListPlace]:
    """Yield the places of shards one after the other, with the first page of each read at the same time."""
    from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415 - most lists do without

    with ThreadPoolExecutor(_SHARDS_AT_ONCE, thread_name_prefix="feedward-shards") as pool:
        firsts = list(pool.map(lambda places: next(places, None), shards))
    for first, others in zip(firsts, shards, strict=True):
        if first is not None:
            yield first
            yield from others


def _scanned(tables: Tables, shards: Sequence[Shard], after: ListPlace | None) -> Iterator[ListPlace]:
    """Yield the places of a whole index, in its own order: a list of all feeds would have to read every shard.

    The index also holds the private feeds of other tenants. Their places have no shard of this list.
    """
    index, attribute, _, _ = shards[0]
    numbers = {key: number for number, (_, _, key, _) in enumerate(shards)}
    start = _start_key(shards, after) if after else None
    at_most = _FIRST_ENTRIES
    while True:
        rows, start = tables.scan(tables.names.feeds, after=start, at_most=at_most, index=index)
        yield from (ListPlace(shard=numbers.get(row[attribute], len(shards)), feed_id=row["feed_id"]) for row in rows)
        if start is None:
            return
        at_most = _ENTRIES_AT_ONCE


def _start_key(shards: Sequence[Shard], after: ListPlace) -> dict[str, str]:
    """Return the index key of a place. Raises InvalidInput (`cursor`) for a place of another list.

    It reads nothing: the response must not reveal whether a feed with this id exists (rule I8).
    """
    _, attribute, key, sk = shards[_shard_of(shards, after)]
    return _index_key(after.feed_id, attribute, key, sk)


def _shard_of(shards: Sequence[Shard], after: ListPlace) -> int:
    """Return the number of a place's shard. Raises InvalidInput (`cursor`) for a shard that the list does not have."""
    if after.shard >= len(shards):
        raise InvalidInput("cursor", "not a cursor of this list")
    return after.shard


def _index_key(feed_id: str, attribute: str, key: str, sk: str) -> dict[str, str]:
    return {**feed_key(feed_id, sk), attribute: key}


def _feeds(tables: Tables, feed_ids: list[str]) -> dict[str, DirectoryFeed]:
    """Return the feeds that are not merged, from one batch read."""
    keys = [feed_key(feed_id, sk) for feed_id in feed_ids for sk in (FEED, META)]
    by_key: dict[tuple[str, str], Item] = {
        (item["feed_id"], item["sk"]): item for item in tables.batch_get(tables.names.feeds, keys)
    }
    live = {feed_id: item for (feed_id, sk), item in by_key.items() if sk == FEED and "merged_into" not in item}
    metas = {feed_id: by_key.get((feed_id, META), {}) for feed_id in live}
    push = _push_items(tables, [feed_id for feed_id, item in live.items() if names_hubs(item, metas[feed_id])])
    found: dict[str, DirectoryFeed] = {}
    for feed_id, item in live.items():
        # An invalid feed must not block a list. Reading it by its id raises.
        with contextlib.suppress(FeedwardError):
            found[feed_id] = read_directory_feed(item, metas[feed_id], push.get(feed_id))
    return found


def _push_items(tables: Tables, feed_ids: Sequence[str]) -> dict[str, Item]:
    """Return the items of these feeds' subscriptions to hubs, from one batch read."""
    keys = [feed_key(feed_id, PUSH) for feed_id in feed_ids]
    items = tables.batch_get(tables.names.feeds, keys, ("feed_id", "state", "trust")) if keys else []
    return {item["feed_id"]: item for item in items}


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
