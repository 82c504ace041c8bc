"""Approximate depths of queues, and dead letters: ports.QueueDepths and DeadLetters over SQS (rule G9)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Final

from feedward.adapters.aws_calls import Backoff, Calls, ServicePort
from feedward.errors import QueueUnavailable
from feedward.stats.counts import QueueDepth
from feedward.stats.dead_letters import DeadLetter, read_letter

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient


_RECEIVES: Final = 12
# The time for which a received message is hidden, so that the next receive returns others.
_HIDDEN_S: Final = 2


class SqsDepths(ServicePort):
    """ports.QueueDepths and DeadLetters. Each queue names its own dead-letter queue. Thread-safe."""

    def __init__(self, client: SQSClient, queue_urls: Mapping[str, str], backoff: Backoff | None = None) -> None:
        """`queue_urls` are the URLs by display name."""
        super().__init__(Calls(QueueUnavailable, backoff))
        self._client, self._queue_urls = client, dict(queue_urls)

    def read(self) -> Sequence[QueueDepth]:
        """Return the depth of each queue, in the order of their names."""
        with ThreadPoolExecutor(max_workers=len(self._queue_urls) or 1) as threads:
            return tuple(threads.map(self._depth, sorted(self._queue_urls)))

    def letters(self, name: str, *, at_most: int) -> Sequence[DeadLetter]:
        """Receive dead letters, up to 10 a call, without deleting them: each is visible again after 2 seconds."""
        url = self._queue_urls.get(name)
        dead = self._dead_letter_queue(url, self._attributes(url)) if url else None
        found: dict[str, DeadLetter] = {}
        for _ in range(_RECEIVES if dead else 0):
            before = len(found)
            found |= {letter.message_id: letter for letter in self._received(str(dead))}
            if len(found) == before or len(found) >= at_most:
                break
        return list(found.values())[:at_most]

    def _received(self, url: str) -> Iterator[DeadLetter]:
        answer: Any = self._calls.ask(
            self._client.receive_message,
            QueueUrl=url,
            MaxNumberOfMessages=10,
            VisibilityTimeout=_HIDDEN_S,
            AttributeNames=["SentTimestamp", "ApproximateReceiveCount"],
        )
        for message in answer.get("Messages", []):
            said = message.get("Attributes", {})
            yield read_letter(
                message["MessageId"],
                message["Body"],
                sent_at=_whole(said, "SentTimestamp") // 1000,
                receives=_whole(said, "ApproximateReceiveCount"),
            )

    def _depth(self, name: str) -> QueueDepth:
        url = self._queue_urls[name]
        found = self._attributes(url)
        return QueueDepth(
            name=name,
            waiting=_whole(found, "ApproximateNumberOfMessages") + _whole(found, "ApproximateNumberOfMessagesDelayed"),
            in_work=_whole(found, "ApproximateNumberOfMessagesNotVisible"),
            dead_letters=self._dead_letters(url, found),
        )

    def _dead_letters(self, url: str, attributes: Mapping[str, str]) -> int:
        dead = self._dead_letter_queue(url, attributes)
        return _whole(self._attributes(dead), "ApproximateNumberOfMessages") if dead else 0

    def _dead_letter_queue(self, url: str, attributes: Mapping[str, str]) -> str | None:
        redrive = json.loads(attributes.get("RedrivePolicy", "{}"))
        if not redrive:
            return None
        name = str(redrive["deadLetterTargetArn"]).rpartition(":")[2]
        return f"{url.rpartition('/')[0]}/{name}"

    def _attributes(self, url: str) -> Mapping[str, str]:
        answer: Any = self._calls.ask(self._client.get_queue_attributes, QueueUrl=url, AttributeNames=["All"])
        attributes: Mapping[str, str] = answer.get("Attributes", {})
        return attributes


def _whole(attributes: Mapping[str, str], name: str) -> int:
    return int(attributes.get(name, "0"))
