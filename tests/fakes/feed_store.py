"""The feed store for tests of everything above it: the real one, on DynamoDB in memory, with knobs and a view inside.

`FakeFeedStore()` implements ports.FeedStore. `fake.faults` are the knobs (conflicts, throttles, unread keys, index
lag), `fake.contents` shows the stored items. Waits take no time.
"""

from __future__ import annotations

from feedward.adapters.aws_calls import Backoff
from feedward.adapters.dynamodb.feeds.feed_store import DynamoFeedStore
from feedward.adapters.dynamodb.store.tables import Tables
from tests.fakes.dynamodb import InMemoryDynamoDB
from tests.fakes.dynamodb_faults import FaultyDynamoDB
from tests.store_contents import StoreContents
from tests.template_tables import create_tables

PATIENT = Backoff(sleep=lambda _: None)


class FakeFeedStore(DynamoFeedStore):
    """A feed store in memory. Each has tables of its own."""

    def __init__(self) -> None:
        client = InMemoryDynamoDB()
        names = create_tables(client)
        self.faults = FaultyDynamoDB(client)
        self.contents = StoreContents(client, names)
        super().__init__(Tables(self.faults, names, PATIENT))  # type: ignore[arg-type]

    @property
    def tables(self) -> Tables:
        """The tables, for other stores over them."""
        return self._tables
