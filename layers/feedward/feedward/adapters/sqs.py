"""Sends messages: ports.DiscoverQueue and ports.WorkQueue over SQS.

If the response to a call is lost, the retry sends its messages twice. Workers are idempotent (rule I6).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, Self

from feedward.adapters.aws_calls import Backoff, Calls, ServicePort
from feedward.deadline import Deadline
from feedward.errors import FeedwardError, NotDeployed, QueueUnavailable, Throttled
from feedward.ports.work import Message

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

    # Referenced as text below: a sender of one kind does not load the other.
    from feedward.frontier.messages import CollectMessage  # noqa: F401
    from feedward.health.due_feed import HealthMessage  # noqa: F401

# Limit of one message, and of all messages of one call.
MESSAGE_BYTES: Final = 256 * 1024
ENTRIES_AT_ONCE: Final = 10


class SqsDiscoverQueue(ServicePort):
    """ports.DiscoverQueue. Thread-safe."""

    def __init__(self, client: SQSClient, queue_url: str, backoff: Backoff | None = None) -> None:
        super().__init__(Calls(QueueUnavailable, backoff))
        self._client = client
        self._queue_url = queue_url

    def send(self, message: Mapping[str, Any], *, group: str | None = None) -> None:
        """Send one message. Raises FeedwardError if it is larger than 256 KB, which no retry would change."""
        body = json.dumps(message, separators=(",", ":"))
        _refuse_too_large(body)
        self._calls.ask(self._client.send_message, QueueUrl=self._queue_url, MessageBody=body, **_fair(group))


@dataclass(frozen=True, slots=True)
class _Entry(Generic[Message]):
    """A message and its body."""

    message: Message
    body: str


class SqsWorkQueue(ServicePort):
    """ports.WorkQueue: sends messages with delays, several per call. Thread-safe."""

    def __init__(self, client: SQSClient, queue_url: str, backoff: Backoff | None = None) -> None:
        super().__init__(Calls(QueueUnavailable, backoff))
        self._client = client
        self._queue_url = queue_url

    def send_batch(self, messages: Sequence[Message]) -> Sequence[Message]:
        """Send the messages in batches. Returns those that the queue accepted, in order.

        Raises Throttled or QueueUnavailable if the queue accepted none and did not respond. Raises FeedwardError if a
        message is larger than 256 KB.
        """
        taken: list[Message] = []
        for batch in _batches([_Entry(message, message.to_text()) for message in messages]):
            try:
                taken += self._send(batch)
            except (Throttled, QueueUnavailable):
                if not taken:
                    raise
                break
        return taken

    def _send(self, batch: Sequence[_Entry[Message]]) -> list[Message]:
        """Send one batch. Single failed entries are retried as often as a call."""
        left = dict(enumerate(batch))
        for _ in self._calls.backoff.tries():
            entries: Any = [self._entry(index, entry) for index, entry in left.items()]
            try:
                answer = self._calls.ask(self._client.send_message_batch, QueueUrl=self._queue_url, Entries=entries)
            except (Throttled, QueueUnavailable):
                if len(left) == len(batch):
                    raise
                break
            for sent in answer.get("Successful", ()):
                left.pop(int(sent["Id"]), None)
            if not left:
                break
        return [entry.message for index, entry in enumerate(batch) if index not in left]

    def _entry(self, index: int, entry: _Entry[Message]) -> dict[str, Any]:
        sent = {"Id": str(index), "MessageBody": entry.body, "DelaySeconds": entry.message.delay_s}
        return {**sent, **_fair(getattr(entry.message, "group", None))}


def _batches(entries: Sequence[_Entry[Message]]) -> Iterator[list[_Entry[Message]]]:
    """Yield the entries in batches for one call each."""
    batch: list[_Entry[Message]] = []
    size = 0
    for entry in entries:
        _refuse_too_large(entry.body)
        if len(batch) == ENTRIES_AT_ONCE or size + len(entry.body) > MESSAGE_BYTES:
            yield batch
            batch, size = [], 0
        batch.append(entry)
        size += len(entry.body)
    if batch:
        yield batch


def _fair(group: str | None) -> dict[str, Any]:
    """Return the message group for the fair queue (rule QT7, rule K11); nothing without a group."""
    return {"MessageGroupId": group} if group else {}


def _refuse_too_large(body: str) -> None:
    if len(body) > MESSAGE_BYTES:  # ASCII: a character is a byte
        raise FeedwardError(f"a message of {len(body)} bytes is too large for a queue")


class UndeployedQueue:
    """ports.WorkQueue that accepts no message."""

    def within(self, _deadline: Deadline) -> Self:
        """Return itself: it waits for nothing."""
        return self

    def send_batch(self, _messages: Sequence[Message]) -> Sequence[Message]:
        """Raise NotDeployed: the function that would read the messages is not deployed."""
        raise NotDeployed("it was deployed with Refresh=false: no function would read the message")
