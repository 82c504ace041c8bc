"""The tenants' subscriptions for tests of everything above them: the real store, on DynamoDB in memory."""

from __future__ import annotations

from feedward.adapters.dynamodb.tenants.subscriptions import DynamoSubscriptions
from tests.fakes.feed_store import FakeFeedStore


def fake_subscriptions(feeds: FakeFeedStore) -> DynamoSubscriptions:
    """Subscriptions to the feeds of this store, with its tables and knobs."""
    return DynamoSubscriptions(feeds.tables)
