"""The queue of discovery jobs: messages arrive as they were sent, and messages that cannot be sent are reported."""

from __future__ import annotations

import json
from typing import Any, TypeAlias

import pytest

from feedward.adapters.aws_calls import aws_client
from feedward.adapters.sqs import MESSAGE_BYTES, SqsDiscoverQueue
from feedward.deadline import Deadline
from feedward.errors import FeedwardError, QueueUnavailable, Throttled
from tests.contract.benches.queues import QueueBench, real_queue
from tests.fakes.discover_queue import URL, FakeDiscoverQueue, InMemorySqs
from tests.fakes.feed_store import PATIENT

MESSAGE = {"version": 1, "type": "discover", "job_id": "a.b", "ü": "ü😀"}


Bench: TypeAlias = QueueBench[SqsDiscoverQueue]


@pytest.fixture(params=["fake", "sqs"])
def bench(request: pytest.FixtureRequest) -> Bench:
    if request.param == "sqs":
        return real_queue(request, SqsDiscoverQueue)
    fake = FakeDiscoverQueue()
    return QueueBench(fake, lambda: fake.sqs.bodies)


def messages(bench: Bench) -> list[Any]:
    return [json.loads(body) for body in bench.received()]


def test_a_message_arrives_as_it_was_sent(bench: Bench) -> None:
    bench.queue.send(MESSAGE)
    assert messages(bench) == [MESSAGE]


def test_the_largest_message_arrives_and_a_larger_one_is_refused(bench: Bench) -> None:
    room = MESSAGE_BYTES - len(json.dumps({"a": ""}, separators=(",", ":")))
    bench.queue.send({"a": "x" * room})
    with pytest.raises(FeedwardError, match="too large for a queue"):
        bench.queue.send({"a": "x" * (room + 1)})
    assert messages(bench) == [{"a": "x" * room}]


def test_without_time_nothing_is_sent(bench: Bench) -> None:
    with pytest.raises(QueueUnavailable):
        bench.queue.within(Deadline.after(0)).send(MESSAGE)
    assert messages(bench) == []


@pytest.mark.parametrize("knob", ["throttles", "fails"])
def test_a_busy_or_broken_queue_is_asked_again(knob: str) -> None:
    queue = FakeDiscoverQueue()
    setattr(queue.sqs, knob, 2)
    queue.send(MESSAGE)
    assert queue.messages == [MESSAGE]


@pytest.mark.parametrize(("knob", "error"), [("throttles", Throttled), ("fails", QueueUnavailable)])
def test_a_queue_that_stays_unavailable_is_named_in_the_error(knob: str, error: type[FeedwardError]) -> None:
    queue = FakeDiscoverQueue()
    setattr(queue.sqs, knob, 10**9)
    with pytest.raises(error):
        queue.send(MESSAGE)
    assert queue.messages == []


def test_a_queue_that_is_not_there_is_our_mistake_and_not_asked_again(real_sqs: Any) -> None:
    lost = SqsDiscoverQueue(real_sqs, URL.replace("discover", "nowhere"), PATIENT)
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
