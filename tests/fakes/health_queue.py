"""The queue of checks for tests of everything above it: the real adapter, over SQS in memory, with knobs.

`FakeHealthQueue()` implements ports.WorkQueue. `queue.sqs` has the knobs and the sent messages.
"""
# ruff: noqa: N803 - the arguments have botocore's names

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from feedward.adapters.sqs import SqsWorkQueue
from feedward.health.due_feed import HealthMessage
from tests.fakes.dynamodb_table import client_error
from tests.fakes.feed_store import PATIENT

URL = "https://sqs.us-east-1.amazonaws.com/000000000000/health"
_BYTES = 256 * 1024


class InMemorySqs:
    """Stands in for botocore's client of SQS.

    throttles, fails: calls answered so. refuses: entries of calls that are not taken. loses_answers: calls that are
    done, but whose answer is an error.
    """

    def __init__(self) -> None:
        self.sent: list[tuple[str, int]] = []
        self.calls = 0
        self.throttles = 0
        self.fails = 0
        self.refuses = 0
        self.loses_answers = 0

    def send_message_batch(self, *, QueueUrl: str, Entries: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        self.calls += 1
        self._check(QueueUrl, Entries)
        if self._spend("throttles"):
            raise _error("RequestThrottled", 403)
        if self._spend("fails"):
            raise _error("InternalError", 500)
        results: dict[str, Any] = {"Successful": [], "Failed": []}
        for entry in Entries:
            if self._spend("refuses"):
                results["Failed"].append({"Id": entry["Id"], "Code": "InternalError", "SenderFault": False})
            else:
                self.sent.append((entry["MessageBody"], entry["DelaySeconds"]))
                results["Successful"].append({"Id": entry["Id"], "MessageId": str(len(self.sent))})
        if self._spend("loses_answers"):
            raise _error("InternalError", 500)
        return results

    def _check(self, url: str, entries: Sequence[Mapping[str, Any]]) -> None:
        if url != URL:
            raise _error("AWS.SimpleQueueService.NonExistentQueue", 400)
        if not 1 <= len(entries) <= 10:
            raise _error("AWS.SimpleQueueService.TooManyEntriesInBatchRequest", 400)
        if len({entry["Id"] for entry in entries}) < len(entries):
            raise _error("AWS.SimpleQueueService.BatchEntryIdsNotDistinct", 400)
        if sum(len(entry["MessageBody"].encode()) for entry in entries) > _BYTES:
            raise _error("AWS.SimpleQueueService.BatchRequestTooLong", 400)
        if not all(0 <= entry["DelaySeconds"] <= 900 for entry in entries):
            raise _error("InvalidParameterValue", 400)

    def _spend(self, knob: str) -> bool:
        left: int = getattr(self, knob)
        setattr(self, knob, max(left - 1, 0))
        return left > 0


class FakeHealthQueue(SqsWorkQueue):
    """A queue in memory."""

    def __init__(self) -> None:
        self.sqs = InMemorySqs()
        super().__init__(self.sqs, URL, PATIENT)  # type: ignore[arg-type]

    @property
    def messages(self) -> list[HealthMessage]:
        """The sent messages, in order."""
        return [HealthMessage.from_text(body) for body, _ in self.sqs.sent]

    @property
    def feed_ids(self) -> list[str]:
        """The sent feeds, in order, with repetitions."""
        return [feed.feed_id for message in self.messages for feed in message.entries]


def _error(code: str, status: int) -> Exception:
    return client_error(code, "SendMessageBatch", ResponseMetadata={"HTTPStatusCode": status})
