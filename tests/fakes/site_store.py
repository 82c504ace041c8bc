"""The site store for tests of everything above it: the real one, on DynamoDB in memory, with knobs and a view inside.

`FakeSiteStore(feeds)` shares tables and knobs with a FakeFeedStore, `FakeSiteStore()` has tables of its own.
"""

from __future__ import annotations

from feedward.adapters.dynamodb.feeds.outbox import DynamoOutbox
from feedward.adapters.dynamodb.sites.site_store import DynamoSiteStore
from tests.fakes.feed_store import FakeFeedStore


class FakeSiteStore(DynamoSiteStore):
    """A site store in memory. Its `feeds` are the directory's, in the same tables."""

    def __init__(self, feeds: FakeFeedStore | None = None) -> None:
        self.feeds = feeds or FakeFeedStore()
        self.faults = self.feeds.faults
        self.contents = self.feeds.contents
        super().__init__(self.feeds.tables)


def fake_outbox(feeds: FakeFeedStore) -> DynamoOutbox:
    """The outbox entries of the feeds of this store."""
    return DynamoOutbox(feeds.tables)
