"""What the directory function works with, for tests: the real adapters on a fake directory's tables and bus."""

from __future__ import annotations

from typing import Any

from feedward.adapters.dynamodb.feeds.actions import DynamoFeedActions
from feedward.adapters.dynamodb.feeds.checks import DynamoCheckStore
from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves
from feedward.adapters.dynamodb.feeds.reader import DynamoFeedReader
from feedward.adapters.dynamodb.feeds.revivals import DynamoRevivals
from feedward.adapters.dynamodb.frontier.frontier_store import DynamoFrontierStore
from feedward.adapters.dynamodb.lineage.lineage_store import DynamoLineageStore
from feedward.adapters.dynamodb.state.begun_tasks import DynamoBegunTasks
from feedward.adapters.dynamodb.state.host_limiter import DynamoHostLimiter
from feedward.adapters.dynamodb.state.idempotency import DynamoIdempotencyRecords
from feedward.adapters.dynamodb.state.robots import DynamoRobotsStore
from feedward.services.collect.ports import CollectParts
from tests.fakes.bodies import FakeBodies
from tests.fakes.collecting import UNHURRIED
from tests.fakes.directory import FakeDirectory
from tests.fakes.feed_store import PATIENT
from tests.fakes.frontier_queue import FakeFrontierQueue
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
        self.frontier_queue = FakeFrontierQueue()
        self.collect = CollectParts(
            fetcher=directory.fetcher,
            frontier=DynamoFrontierStore(client, names, PATIENT),
            lineage=DynamoLineageStore(client, names, PATIENT),
            bodies=FakeBodies(),
            queue=self.frontier_queue,
            robots=DynamoRobotsStore(client, names, PATIENT),
            limiter=DynamoHostLimiter(client, names, PATIENT),
            begun=DynamoBegunTasks(client, names, PATIENT),
            clock=directory.clock,
            settings=UNHURRIED,
            now_ms=lambda: int(directory.clock.time * 1000),
            sleep=directory.clock.advance,
        )
