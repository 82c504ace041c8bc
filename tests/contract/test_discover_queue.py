"""The queue of discovery jobs: what is sent arrives as it was sent, and what cannot be sent is said."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from pytest_localstack.session import RunningSession

from feedward.adapters.calls import aws_client
from feedward.adapters.sqs import MESSAGE_BYTES, SqsDiscoverQueue
from feedward.errors import FeedwardError, QueueUnavailable, Throttled
from tests.fakes.discover_queue import URL, FakeDiscoverQueue, InMemorySqs
from tests.fakes.feed_store import PATIENT

MESSAGE = {"version": 1, "type": "discover", "job_id": "a.b", "ü": "ü😀"}


@dataclass
class Bench:
    """One queue under test, and what lies in it."""

    queue: SqsDiscoverQueue
    received: Callable[[], list[Any]]


@pytest.fixture(scope="session")
def sqs(aws_session: RunningSession) -> Iterator[Any]:
    with aws_session.botocore.patch_botocore():
        client = aws_client("sqs")
    yield client
    client.close()


@pytest.fixture(params=["fake", "sqs"])
def bench(request: pytest.FixtureRequest) -> Bench:
    if request.param == "fake":
        fake = FakeDiscoverQueue()
        return Bench(fake, lambda: fake.messages)
    client = request.getfixturevalue("sqs")
    url = client.create_queue(QueueName=f"q{uuid.uuid4().hex[:12]}")["QueueUrl"]

    def received() -> list[Any]:
        messages = client.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages", ())
        return [json.loads(message["Body"]) for message in messages]

    return Bench(SqsDiscoverQueue(client, url, PATIENT), received)


def test_a_message_arrives_as_it_was_sent(bench: Bench) -> None:
    bench.queue.send(MESSAGE)
    assert bench.received() == [MESSAGE]


def test_the_largest_message_arrives_and_a_larger_one_is_refused(bench: Bench) -> None:
    room = MESSAGE_BYTES - len(json.dumps({"a": ""}, separators=(",", ":")))
    bench.queue.send({"a": "x" * room})
    with pytest.raises(FeedwardError, match="more than a queue takes"):
        bench.queue.send({"a": "x" * (room + 1)})
    assert bench.received() == [{"a": "x" * room}]


def test_without_time_nothing_is_sent(bench: Bench) -> None:
    with pytest.raises(QueueUnavailable):
        bench.queue.send(MESSAGE, within_s=0)
    assert bench.received() == []


@pytest.mark.parametrize("knob", ["throttles", "fails"])
def test_a_busy_or_broken_queue_is_asked_again(knob: str) -> None:
    queue = FakeDiscoverQueue()
    setattr(queue.sqs, knob, 2)
    queue.send(MESSAGE)
    assert queue.messages == [MESSAGE]


@pytest.mark.parametrize(("knob", "error"), [("throttles", Throttled), ("fails", QueueUnavailable)])
def test_a_queue_that_stays_so_says_what_it_is(knob: str, error: type[FeedwardError]) -> None:
    queue = FakeDiscoverQueue()
    setattr(queue.sqs, knob, 10**9)
    with pytest.raises(error):
        queue.send(MESSAGE)
    assert queue.messages == []


def test_a_queue_that_is_not_there_is_our_mistake_and_not_asked_again(sqs: Any) -> None:
    lost = SqsDiscoverQueue(sqs, URL.replace("discover", "nowhere"), PATIENT)
    with pytest.raises(FeedwardError, match="does not take this request"):
        lost.send(MESSAGE)
    with pytest.raises(FeedwardError, match="does not take this request"):
        SqsDiscoverQueue(InMemorySqs(), "https://elsewhere", PATIENT).send(MESSAGE)  # type: ignore[arg-type]


def test_a_queue_that_cannot_be_reached_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    away = aws_client("sqs", endpoint_url="http://127.0.0.1:9")
    with pytest.raises(QueueUnavailable, match="could not be reached"):
        SqsDiscoverQueue(away, URL, PATIENT).send(MESSAGE)
    away.close()
