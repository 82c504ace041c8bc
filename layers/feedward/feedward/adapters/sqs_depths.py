"""About how many messages queues have: ports.QueueDepths over SQS (rule G9)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from feedward.adapters.calls import Backoff, Calls, ServicePort
from feedward.errors import QueueUnavailable
from feedward.stats.counts import QueueDepth

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient


class SqsDepths(ServicePort):
    """ports.QueueDepths. The dead letters are those of the queue that each one names as its own. Thread-safe."""

    def __init__(self, client: SQSClient, queue_urls: Mapping[str, str], backoff: Backoff | None = None) -> None:
        """`queue_urls` are the URLs by the names that people read."""
        super().__init__(Calls(QueueUnavailable, backoff))
        self._client, self._queue_urls = client, dict(queue_urls)

    def read(self) -> Sequence[QueueDepth]:
        """Return what each queue has, in the order of their names."""
        with ThreadPoolExecutor(max_workers=len(self._queue_urls) or 1) as threads:
            return tuple(threads.map(self._depth, sorted(self._queue_urls)))

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
        redrive = json.loads(attributes.get("RedrivePolicy", "{}"))
        if not redrive:
            return 0
        name = str(redrive["deadLetterTargetArn"]).rpartition(":")[2]
        return _whole(self._attributes(f"{url.rpartition('/')[0]}/{name}"), "ApproximateNumberOfMessages")

    def _attributes(self, url: str) -> Mapping[str, str]:
        answer: Any = self._calls.ask(self._client.get_queue_attributes, QueueUrl=url, AttributeNames=["All"])
        attributes: Mapping[str, str] = answer.get("Attributes", {})
        return attributes


def _whole(attributes: Mapping[str, str], name: str) -> int:
    return int(attributes.get(name, "0"))
