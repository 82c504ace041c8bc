"""The discovery queue for tests of everything above it: the real adapter, over SQS in memory, with knobs.

`FakeDiscoverQueue()` implements ports.DiscoverQueue. `queue.sqs` has the knobs and the sent messages.
"""
# ruff: noqa: N803 - the arguments have botocore's names

from __future__ import annotations

import json
from typing import Any

from feedward.adapters.sqs import SqsDiscoverQueue
from tests.fakes.dynamodb_table import client_error
from tests.fakes.feed_store import PATIENT

URL = "https://sqs.us-east-1.amazonaws.com/000000000000/discover"


class InMemorySqs:
    """Stands in for botocore's client of SQS. throttles: throttled calls. fails: calls that end in an error."""

    def __init__(self) -> None:
        self.bodies: list[str] = []
        self.groups: list[str | None] = []
        self.throttles = 0
        self.fails = 0

    def send_message(self, *, QueueUrl: str, MessageBody: str, MessageGroupId: str | None = None) -> dict[str, Any]:
        if QueueUrl != URL:
            raise _error("AWS.SimpleQueueService.NonExistentQueue", 400)
        if len(MessageBody.encode()) > 1024 * 1024:
            raise _error("InvalidParameterValue", 400)
        if self.throttles:
            self.throttles -= 1
            raise _error("RequestThrottled", 403)
        if self.fails:
            self.fails -= 1
            raise _error("InternalError", 500)
        self.bodies.append(MessageBody)
        self.groups.append(MessageGroupId)
        return {"MessageId": str(len(self.bodies))}


class FakeDiscoverQueue(SqsDiscoverQueue):
    """A queue in memory."""

    def __init__(self) -> None:
        self.sqs = InMemorySqs()
        super().__init__(self.sqs, URL, PATIENT)  # type: ignore[arg-type]

    @property
    def messages(self) -> list[Any]:
        """The sent messages, in order."""
        return [json.loads(body) for body in self.sqs.bodies]


def _error(code: str, status: int) -> Exception:
    return client_error(code, "SendMessage", ResponseMetadata={"HTTPStatusCode": status})
