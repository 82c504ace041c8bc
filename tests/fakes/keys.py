"""Keys for tests of everything above their store: the real stores, on DynamoDB in memory."""

from __future__ import annotations

from feedward.adapters.dynamodb.access.key_store import DynamoKeyStore
from feedward.adapters.dynamodb.access.presented_keys import DynamoPresentedKeys
from tests.fakes.feed_store import FakeFeedStore


def fake_keys(feeds: FakeFeedStore) -> DynamoKeyStore:
    """The tenants' keys, in the tables of this store, with its knobs."""
    return DynamoKeyStore(feeds.tables)


def fake_presented_keys(feeds: FakeFeedStore) -> DynamoPresentedKeys:
    """The same keys, as the authorizer finds them."""
    return DynamoPresentedKeys(feeds.tables)
