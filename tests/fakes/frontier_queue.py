"""The queue of rows and jobs for tests of everything above it: the real adapter, over SQS in memory, with knobs.

`FakeFrontierQueue()` implements ports.WorkQueue. `queue.sqs` has the knobs and the sent messages.
"""

from __future__ import annotations

from feedward.adapters.sqs import SqsWorkQueue
from feedward.frontier.messages import CollectMessage, JobMessage, read_message
from feedward.scheduling.messages import json_object
from tests.fakes.feed_store import PATIENT
from tests.fakes.health_queue import URL, InMemorySqs


class FakeFrontierQueue(SqsWorkQueue):
    """A queue in memory."""

    def __init__(self) -> None:
        self.sqs = InMemorySqs()
        super().__init__(self.sqs, URL, PATIENT)  # type: ignore[arg-type]

    @property
    def messages(self) -> list[CollectMessage]:
        """The sent messages of rows, in order. Raises InvalidInput if a job was sent as well."""
        return [CollectMessage.from_text(body) for body, _ in self.sqs.sent]

    @property
    def jobs(self) -> list[JobMessage]:
        """The sent jobs, in order. Raises InvalidInput if rows were sent as well."""
        return [JobMessage.from_object(json_object(body)) for body, _ in self.sqs.sent]

    @property
    def row_ids(self) -> list[str]:
        """The sent rows, in order, with repetitions."""
        return [row.row_id for message in self.messages for row in message.entries]

    @property
    def delays(self) -> list[int]:
        """The delay of each sent message, in order."""
        return [delay for _, delay in self.sqs.sent]

    def take(self) -> list[CollectMessage | JobMessage]:
        """The messages sent since the last call, without waiting for their delay."""
        messages = [read_message(json_object(body)) for body, _ in self.sqs.sent]
        self.sqs.sent.clear()
        return messages

    def take_rows(self) -> list[CollectMessage]:
        """The same, if only rows were sent."""
        messages = self.messages
        self.sqs.sent.clear()
        return messages
