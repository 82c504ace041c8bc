"""Reads the registry: the feed that owns a URL, and the feed that survived a merge (rule I3)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence

from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import feed_key, url_key
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.errors import FeedwardError, InvalidInput
from feedward.urls.key import url_hash
from feedward.urls.safety import MAX_URL_CHARS


def by_hash(urls: Iterable[str], scope: str) -> dict[str, str]:
    """Return the first spelling of each URL by hash, in order.

    Invalid URLs, and URLs that are too long to fetch, cannot be registered and are left out.
    """
    spellings: dict[str, str] = {}
    for url in urls:
        with contextlib.suppress(InvalidInput):
            if len(url) <= MAX_URL_CHARS:
                spellings.setdefault(url_hash(url, scope), url)
    return spellings


def owners(tables: Tables, url_hashes: Sequence[str]) -> dict[str, str]:
    """Return the feed_ids by hash, in the order of the hashes. Hashes without a feed are left out.

    A registry row that only a frontier row claimed has no feed_id.
    """
    rows = tables.batch_get(tables.names.urls, [url_key(each) for each in url_hashes], ("url_hash", "feed_id"))
    feed_ids = {row["url_hash"]: row.get("feed_id") for row in rows}
    return {each: feed_id for each in url_hashes if (feed_id := feed_ids.get(each))}


def live_feed(tables: Tables, feed_id: str) -> Item | None:
    """Return the FEED item of a feed_id; tombstones are resolved. None if the feed is unknown.

    Raises FeedwardError if `merged_into` is not a smaller id, which feedward never writes.
    """
    while feed := tables.get(tables.names.feeds, feed_key(feed_id)):
        into = feed.get("merged_into")
        if into is None:
            return feed
        if into >= feed_id:
            raise FeedwardError(f"feed {feed_id} is merged into {into}, which is not a smaller id")
        feed_id = into
    return None
