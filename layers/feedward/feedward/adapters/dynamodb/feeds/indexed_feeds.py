"""Reads feeds for the search index, and stores the versions that were sent: ports.IndexedFeeds (rule Q15)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from feedward.adapters.dynamodb.feeds.directory_feeds import list_shards, read_directory_feed
from feedward.adapters.dynamodb.feeds.document_items import read_recent
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import FEED, INDEXED, META, RECENT, feed_key, site_key
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.adapters.dynamodb.store.transaction import Transaction
from feedward.errors import FeedwardError
from feedward.health.directory_feed import FeedQuery
from feedward.search.document import NO_SITE, SiteTexts
from feedward.search.indexed_feed import DELETED_VERSION, IndexedFeed, Noted

_ITEMS: Final = (FEED, META, RECENT, INDEXED)
# A batch read takes 100 items.
_FEEDS_AT_ONCE: Final = 100 // len(_ITEMS)
_ENTRIES_AT_ONCE: Final = 500
# In a transaction, because it takes many items in one call.
_NOTES_AT_ONCE: Final = 100
_OF_A_SITE: Final = ("site_hash", "title", "url", "language")


class DynamoIndexedFeeds(TableStore):
    """ports.IndexedFeeds. Thread-safe."""

    def read(self, feed_ids: Sequence[str]) -> list[IndexedFeed]:
        """Return these feeds in this order, from consistent reads."""
        found: list[IndexedFeed] = []
        for start in range(0, len(feed_ids), _FEEDS_AT_ONCE):
            found += self._read(feed_ids[start : start + _FEEDS_AT_ONCE])
        return found

    def shared(self) -> Iterator[IndexedFeed]:
        """Yield all shared feeds, in the order of the index by state."""
        feed_ids = self._shared_ids()
        while some := list(islice(feed_ids, _FEEDS_AT_ONCE)):
            yield from self._read(some)

    def note(self, notes: Mapping[str, Noted]) -> None:
        """Write INDEXED of each feed. The stream filters it out, so it triggers no function."""
        left = iter(notes.items())
        while some := list(islice(left, _NOTES_AT_ONCE)):
            transaction = Transaction()
            for feed_id, noted in some:
                item = {**feed_key(feed_id, INDEXED), "digest": noted.digest, "version": noted.version}
                transaction.put(self._tables.names.feeds, item)
            self._tables.transact(transaction)

    def _read(self, feed_ids: Sequence[str]) -> list[IndexedFeed]:
        keys = [feed_key(feed_id, sk) for feed_id in feed_ids for sk in _ITEMS]
        items: dict[str, dict[str, Item]] = {feed_id: {} for feed_id in feed_ids}
        for item in self._tables.batch_get(self._tables.names.feeds, keys):
            items[item["feed_id"]][item["sk"]] = item
        sites = self._sites({str(of[META]["site_id"]) for of in items.values() if of.get(META, {}).get("site_id")})
        return [_indexed_feed(feed_id, of, sites) for feed_id, of in items.items()]

    def _sites(self, site_ids: set[str]) -> dict[str, SiteTexts]:
        if not site_ids:
            return {}
        keys = [site_key(site_id) for site_id in sorted(site_ids)]
        rows = self._tables.batch_get(self._tables.names.sites, keys, _OF_A_SITE)
        return {row["site_hash"]: _site_texts(row) for row in rows}

    def _shared_ids(self) -> Iterator[str]:
        """Yield the ids of the shared feeds. The index lags, so the caller reads the feeds themselves.

        A feed whose state changes meanwhile may come twice, or not at all: then its stream record has the change.
        """
        tables = self._tables
        seen: set[str] = set()
        for index, attribute, key, _ in list_shards(FeedQuery(), None):
            rows = tables.query(tables.names.feeds, (attribute, key), index=index, page_items=_ENTRIES_AT_ONCE)
            for feed_id in (row["feed_id"] for row in rows):
                if feed_id not in seen:
                    seen.add(feed_id)
                    yield feed_id


def _indexed_feed(feed_id: str, items: Mapping[str, Item], sites: Mapping[str, SiteTexts]) -> IndexedFeed:
    feed, meta = items.get(FEED), items.get(META, {})
    noted = _noted(items.get(INDEXED))
    if feed is None:
        return IndexedFeed(feed_id=feed_id, version=DELETED_VERSION, feed=None, noted=noted)
    version = int(feed.get("rev") or 0) + int(meta.get("rev") or 0)
    if "merged_into" in feed:
        return IndexedFeed(feed_id=feed_id, version=version, feed=None, noted=noted)
    try:
        found = read_directory_feed(feed, meta)
        items_of = read_recent(items[RECENT]).items if RECENT in items else ()
    except (FeedwardError, LookupError, TypeError, ValueError):
        return IndexedFeed(feed_id=feed_id, version=version, feed=None, noted=noted, is_unreadable=True)
    site = sites.get(found.site_id or "", NO_SITE)
    return IndexedFeed(feed_id=feed_id, version=version, feed=found, items=items_of, site=site, noted=noted)


def _noted(item: Item | None) -> Noted | None:
    return Noted(item["digest"], item["version"]) if item else None


def _site_texts(row: Item) -> SiteTexts:
    return SiteTexts(title=row.get("title") or "", url=row.get("url") or "", language=row.get("language") or "")
