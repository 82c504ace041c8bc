"""The queue of rows and jobs for tests of everything above it: the real adapter, over SQS in memory, with knobs.

`FakeFrontierQueue()` implements ports.FrontierQueue. `queue.sqs` has the knobs and what was sent.
"""

from __future__ import annotations

from feedward.adapters.sqs import SqsWorkQueue
from feedward.frontier.messages import CollectMessage
from tests.fakes.feed_store import PATIENT
from tests.fakes.health_queue import URL, InMemorySqs


class FakeFrontierQueue(SqsWorkQueue):
    """A queue in memory."""

    def __init__(self) -> None:
        self.sqs = InMemorySqs()
        super().__init__(self.sqs, URL, PATIENT)  # type: ignore[arg-type]

    @property
    def messages(self) -> list[CollectMessage]:
        """What was sent, in order."""
        return [CollectMessage.from_text(body) for body, _ in self.sqs.sent]

    @property
    def delays(self) -> list[int]:
        """The delay of each message that was sent, in order."""
        return [delay for _, delay in self.sqs.sent]

    def take(self) -> list[CollectMessage]:
        """What was sent since the last time, whatever its delay."""
        messages = self.messages
        self.sqs.sent.clear()
        return messages
