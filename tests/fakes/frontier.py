"""The frontier for tests of everything above it: the real adapters, on DynamoDB and SQS in memory, with views inside.

`FakeFrontierStore(feeds)` shares tables and knobs with a FakeFeedStore, `FakeFrontierStore()` has tables of its own.
`FakeFrontierQueue()` has its knobs in `queue.sqs`.
"""

from __future__ import annotations

from feedward.adapters.dynamodb.frontier.frontier_store import DynamoFrontierStore
from feedward.adapters.dynamodb.state.host_turns import DynamoHostTurns
from feedward.adapters.dynamodb.state.robots import DynamoRobotsStore
from feedward.adapters.sqs import SqsFrontierQueue
from feedward.frontier.messages import CollectMessage
from tests.fakes.feed_store import PATIENT, FakeFeedStore
from tests.fakes.health_queue import URL, InMemorySqs
from tests.frontier_contents import FrontierContents


class FakeFrontierStore(DynamoFrontierStore):
    """A frontier in memory."""

    def __init__(self, feeds: FakeFeedStore | None = None) -> None:
        self.feeds = feeds or FakeFeedStore()
        self.faults = self.feeds.faults
        self.contents = FrontierContents(self.feeds.contents)
        super().__init__(self.feeds.tables)


class FakeFrontierQueue(SqsFrontierQueue):
    """A queue in memory."""

    def __init__(self) -> None:
        self.sqs = InMemorySqs()
        super().__init__(self.sqs, URL, PATIENT)  # type: ignore[arg-type]

    @property
    def messages(self) -> list[CollectMessage]:
        """What was sent, in order; what its delay was is not part of it."""
        return [CollectMessage.from_text(body) for body, _ in self.sqs.sent]

    @property
    def row_ids(self) -> list[str]:
        """The rows that were sent, in order, each as often as it was."""
        return [row.row_id for message in self.messages for row in message.rows]


def fake_robots(fake: FakeFeedStore) -> DynamoRobotsStore:
    """What is kept of robots.txt, in the tables of a fake."""
    return DynamoRobotsStore(fake.tables)


def fake_turns(fake: FakeFeedStore) -> DynamoHostTurns:
    """Turns at hosts, in the tables of a fake."""
    return DynamoHostTurns(fake.tables)
