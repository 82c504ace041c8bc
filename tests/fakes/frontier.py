"""The frontier for tests of everything above it: the real adapter, on DynamoDB in memory, with views inside.

`FakeFrontierStore(feeds)` shares tables and knobs with a FakeFeedStore, `FakeFrontierStore()` has tables of its own.
"""

from __future__ import annotations

from feedward.adapters.dynamodb.frontier.frontier_store import DynamoFrontierStore
from tests.fakes.feed_store import FakeFeedStore
from tests.frontier_contents import FrontierContents


class FakeFrontierStore(DynamoFrontierStore):
    """A frontier in memory."""

    def __init__(self, feeds: FakeFeedStore | None = None) -> None:
        self.feeds = feeds or FakeFeedStore()
        self.faults = self.feeds.faults
        self.contents = FrontierContents(self.feeds.contents)
        super().__init__(self.feeds.tables)
