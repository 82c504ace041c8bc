"""The queues of the contract suite: each adapter over SQS in memory and over MiniStack, and the texts that arrived."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import pytest

from feedward.adapters.aws_calls import Backoff
from tests.fakes.feed_store import PATIENT

Queue = TypeVar("Queue")


@dataclass
class QueueBench(Generic[Queue]):
    """One queue under test. `received` takes the arrived messages out of it, as they were sent."""

    queue: Queue
    received: Callable[[], list[str]]


def real_queue(request: pytest.FixtureRequest, adapter: Callable[[Any, str, Backoff], Queue]) -> QueueBench[Queue]:
    """The adapter over a queue of its own on MiniStack."""
    client = request.getfixturevalue("real_sqs")
    url = new_queue(client)
    return QueueBench(adapter(client, url, PATIENT), lambda: received(client, url))


def new_queue(client: Any) -> str:
    """Make a queue, and return its URL."""
    url: str = client.create_queue(QueueName=f"q{uuid.uuid4().hex[:12]}")["QueueUrl"]
    return url


def received(client: Any, url: str) -> list[str]:
    """Return the texts of all visible messages."""
    bodies: list[str] = []
    while messages := client.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
        bodies.extend(message["Body"] for message in messages)
    return bodies
