"""A directory that revives feeds, for tests: a fake one with moves, revivals, checks and their queue."""

from __future__ import annotations

from typing import Any

from feedward.adapters.dynamodb.feeds.checks import DynamoCheckStore
from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves
from feedward.adapters.dynamodb.feeds.revivals import DynamoRevivals
from tests.fakes.directory import FakeDirectory
from tests.fakes.health_queue import FakeHealthQueue
from tests.fakes.lifespan import Mortal


class FakeRevivalDirectory(FakeDirectory):
    """services.revive.revive.RevivalDirectory over the fake directory's tables, with its knobs."""

    def __init__(self, network: Any, **members: Any) -> None:
        super().__init__(network, **members)
        tables = self.tables
        self.moves = DynamoFeedMoves(tables)
        self.revivals = DynamoRevivals(tables)
        self.checks = DynamoCheckStore(tables)
        self.health_queue = FakeHealthQueue()
        self.health_queue._client = Mortal(self.health_queue._client, self.lifespan)  # type: ignore[assignment]
