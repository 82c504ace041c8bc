"""Where discovery jobs wait: ports.DiscoverQueue over an SQS queue."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from feedward.adapters.calls import Calls
from feedward.adapters.dynamodb.backoff import Backoff
from feedward.errors import FeedwardError, QueueUnavailable

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

MESSAGE_BYTES: Final = 256 * 1024


class SqsDiscoverQueue:
    """ports.DiscoverQueue. One object serves all threads."""

    def __init__(
        self,
        client: SQSClient,
        queue_url: str,
        backoff: Backoff | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._queue_url = queue_url
        self._calls = Calls(QueueUnavailable, backoff, monotonic)

    def send(self, message: Mapping[str, Any], *, within_s: float | None = None) -> None:
        """Send one message. One that was sent though nobody said so comes twice, which workers bear (I6).

        Raises FeedwardError for one of more than 256 KB, which no retry would make smaller.
        """
        body = json.dumps(message, separators=(",", ":"))
        if len(body) > MESSAGE_BYTES:  # ASCII: a character is a byte
            raise FeedwardError(f"a message of {len(body)} bytes is more than a queue takes")
        self._calls.within(within_s).ask(self._client.send_message, QueueUrl=self._queue_url, MessageBody=body)
