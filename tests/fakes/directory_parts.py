"""What the directory function works with, for tests: the real adapters on a fake directory's tables and bus."""

from __future__ import annotations

from typing import Any

from feedward.adapters.dynamodb.checks import DynamoCheckStore
from feedward.adapters.dynamodb.feed_actions import DynamoFeedActions
from feedward.adapters.dynamodb.feed_moves import DynamoFeedMoves
from feedward.adapters.dynamodb.feed_reader import DynamoFeedReader
from feedward.adapters.dynamodb.idempotency import DynamoIdempotencyRecords
from feedward.adapters.dynamodb.revivals import DynamoRevivals
from tests.fakes.directory import FakeDirectory
from tests.fakes.feed_store import PATIENT
from tests.fakes.health_queue import FakeHealthQueue


class FakeDirectoryParts:
    """The ports of the services behind the directory function, over this directory, with its knobs.

    `client` is what asks the tables, where it is another one.
    """

    def __init__(self, directory: FakeDirectory, client: Any = None) -> None:
        client = client or directory.faults
        names = directory.contents.names
        self.feed_reader = DynamoFeedReader(client, names, PATIENT)
        self.feed_actions = DynamoFeedActions(client, names, PATIENT)
        self.checks = DynamoCheckStore(client, names, PATIENT)
        self.moves = DynamoFeedMoves(client, names, PATIENT)
        self.audit = self.moves
        self.revivals = DynamoRevivals(client, names, PATIENT)
        self.idempotency = DynamoIdempotencyRecords(client, names, PATIENT)
        self.outbox = directory.outbox
        self.subscriptions = directory.subscriptions
        self.bus = directory.bus
        self.clock = directory.clock
        self.health_queue = FakeHealthQueue()
