"""Feeds by URL: ports.FeedStore and ports.PendingMerges over UrlsTable and FeedsTable (rule R9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from feedward.adapters.dynamodb.registry.lookup import by_hash, live_feed, owners
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.model import Known

if TYPE_CHECKING:
    from feedward.registration import NewFeed, Registration


class DynamoFeedStore(TableStore):
    """ports.FeedStore. Thread-safe."""

    def find(self, urls: Sequence[str], *, scope: str = "") -> Known | None:
        """Return the feed of the first URL that is registered (rule C10): a batch read, and on a hit a read of FEED."""
        hashes = list(by_hash(urls, scope))
        if not hashes:
            return None
        tables = self._tables
        for feed_id in dict.fromkeys(owners(tables, hashes).values()):
            if feed := live_feed(tables, feed_id):
                is_failing = feed["consecutive_failures"] > 0
                return Known(url=feed["url"], is_failing=is_failing, data={"feed_id": feed["feed_id"]})
        return None

    def owners(self, urls: Sequence[str], *, scope: str = "") -> Mapping[str, str]:
        """Return the feed_id of each registered URL: a batch read of the URLs, and one of the feeds found."""
        from feedward.adapters.dynamodb.registry.live_owners import live_owners  # noqa: PLC0415

        hashes = by_hash(urls, scope)
        found = live_owners(self._tables, list(hashes)) if hashes else {}
        return {url: found[each] for url in urls for each in by_hash([url], scope) if each in found}

    def register(self, feed: NewFeed) -> Registration:
        """Operation Register: claim the URLs, or join or merge the feeds that own them (rules I1, I3, I4)."""
        from feedward.adapters.dynamodb.feeds import register  # noqa: PLC0415 - lookups do not load it

        return register.register(self._tables, feed)

    def attach(self, feed_id: str, urls: Sequence[str], *, scope: str = "") -> None:
        """Claim further URLs for a feed, if they are free. Writes nothing if all are registered."""
        from feedward.adapters.dynamodb.feeds import register  # noqa: PLC0415

        register.attach(self._tables, feed_id, by_hash(urls, scope))

    def respell(self, feed_id: str, url: str, *, now: int) -> str:
        """Replace the feed's URL by another spelling. Returns the URL after the call."""
        from feedward.adapters.dynamodb.feeds.relocation import respell  # noqa: PLC0415

        return respell(self._tables, feed_id, url, now)

    def repoint(self, feed_id: str, *, now: int) -> bool:
        """Re-point the URLs of the merged feed `feed_id`. Returns True if no URL remains. Idempotent."""
        from feedward.adapters.dynamodb.feeds import tombstones  # noqa: PLC0415

        return tombstones.repoint(self._tables, feed_id, now)
