"""The lineage store for tests of everything above it: the real one, on DynamoDB in memory, with a view inside.

`FakeLineageStore(feeds)` shares tables and knobs with a FakeFeedStore, `FakeLineageStore()` has tables of its own.
"""

from __future__ import annotations

from feedward.adapters.dynamodb.lineage.lineage_store import DynamoLineageStore
from tests.fakes.feed_store import FakeFeedStore
from tests.lineage_contents import LineageContents


class FakeLineageStore(DynamoLineageStore):
    """A lineage store in memory."""

    def __init__(self, feeds: FakeFeedStore | None = None) -> None:
        self.feeds = feeds or FakeFeedStore()
        self.faults = self.feeds.faults
        self.contents = LineageContents(self.feeds.contents)
        super().__init__(self.feeds.tables)
