"""The queue of checks: every message that is reported as accepted arrives, with its delay, and no other."""

from __future__ import annotations

from collections import Counter
from typing import Any, TypeAlias

import pytest

from feedward.adapters.sqs import MESSAGE_BYTES, SqsWorkQueue
from feedward.deadline import Deadline
from feedward.errors import FeedwardError, QueueUnavailable, Throttled
from feedward.health.due_feed import DueFeed, HealthMessage
from feedward.health.feed_health import FeedHealth
from feedward.scheduling.slots import Place
from tests.contract.benches.queues import QueueBench, real_queue
from tests.fakes.dynamodb_faults import FOR_EVER
from tests.fakes.feed_store import PATIENT
from tests.fakes.health_queue import FakeHealthQueue

NOW = 1_790_000_000


Bench: TypeAlias = QueueBench[SqsWorkQueue]


@pytest.fixture(params=["fake", "sqs"])
def bench(request: pytest.FixtureRequest) -> Bench:
    if request.param == "sqs":
        return real_queue(request, SqsWorkQueue)
    fake = FakeHealthQueue()
    return QueueBench(fake, lambda: [body for body, delay in fake.sqs.sent if delay == 0])


def message(name: str, *, feeds: int = 1, path: int = 10, delay_s: int = 0) -> HealthMessage:
    return HealthMessage(
        entries=tuple(_due(f"{name}-{n}", path) for n in range(feeds)), sent_at=NOW + delay_s, delay_s=delay_s
    )


def _due(name: str, path: int) -> DueFeed:
    url = "https://example.com/" + "x" * path
    health = FeedHealth(feed_id=name)
    return DueFeed(
        feed_id=name, url=url, url_hash=name, host="example.com", rev=1, place=Place(from_s=NOW), health=health
    )


def texts(messages: list[HealthMessage]) -> Counter[str]:
    return Counter(each.to_text() for each in messages)


def test_each_message_arrives_once(bench: Bench) -> None:
    messages = [message(f"m{n}", feeds=1 + n % 10) for n in range(33)]
    assert bench.queue.send_batch(messages) == messages
    assert Counter(bench.received()) == texts(messages)


def test_messages_that_are_too_large_together_go_apart(bench: Bench) -> None:
    messages = [message(f"m{n}", feeds=10, path=10_000) for n in range(12)]
    assert sum(len(each.to_text()) for each in messages) > 4 * MESSAGE_BYTES
    assert bench.queue.send_batch(messages) == messages
    assert Counter(bench.received()) == texts(messages)


def test_a_delayed_message_does_not_come_yet(bench: Bench) -> None:
    now, later = message("now"), message("later", delay_s=840)
    assert bench.queue.send_batch([later, now]) == [later, now]
    assert Counter(bench.received()) == texts([now])


def test_a_message_that_no_queue_takes_is_refused(bench: Bench) -> None:
    with pytest.raises(FeedwardError, match="too large for a queue"):
        bench.queue.send_batch([message("m", feeds=10, path=30_000)])


def test_nothing_to_send_makes_no_call(bench: Bench) -> None:
    assert bench.queue.send_batch([]) == []


def test_without_time_nothing_is_sent(bench: Bench) -> None:
    with pytest.raises(QueueUnavailable):
        bench.queue.within(Deadline.after(0)).send_batch([message("m")])
    assert not bench.received()


def test_a_message_that_the_queue_fails_to_take_is_sent_again_alone() -> None:
    queue = FakeHealthQueue()
    queue.sqs.refuses = 3
    messages = [message(f"m{n}") for n in range(10)]
    assert queue.send_batch(messages) == messages
    assert Counter(body for body, _ in queue.sqs.sent) == texts(messages)
    assert queue.sqs.calls == 2


def test_messages_that_the_queue_keeps_refusing_are_not_reported_as_sent() -> None:
    queue = FakeHealthQueue()
    messages = [message(f"m{n}") for n in range(10)]
    queue.sqs.refuses = 10 + 10 * (PATIENT.attempts - 2) + 4
    taken = queue.send_batch(messages)
    assert taken == messages[4:]
    assert Counter(body for body, _ in queue.sqs.sent) == texts(messages[4:])


@pytest.mark.parametrize(("knob", "error"), [("throttles", Throttled), ("fails", QueueUnavailable)])
def test_a_queue_that_stays_unavailable_is_named_in_the_error(knob: str, error: type[FeedwardError]) -> None:
    queue = FakeHealthQueue()
    setattr(queue.sqs, knob, FOR_EVER)
    with pytest.raises(error):
        queue.send_batch([message("m")])


@pytest.mark.parametrize("knob", ["throttles", "fails"])
def test_a_busy_or_broken_queue_is_asked_again(knob: str) -> None:
    queue = FakeHealthQueue()
    setattr(queue.sqs, knob, 2)
    messages = [message(f"m{n}") for n in range(25)]
    assert queue.send_batch(messages) == messages
    assert Counter(body for body, _ in queue.sqs.sent) == texts(messages)


def test_a_queue_that_fails_half_way_has_taken_the_earlier_messages() -> None:
    queue = FakeHealthQueue()
    real = queue.sqs.send_message_batch

    def once(**request: Any) -> Any:
        answer = real(**request)
        queue.sqs.fails = FOR_EVER
        return answer

    queue.sqs.send_message_batch = once  # type: ignore[method-assign]
    messages = [message(f"m{n}") for n in range(25)]
    assert queue.send_batch(messages) == messages[:10]


def test_a_lost_answer_sends_twice_and_loses_nothing() -> None:
    queue = FakeHealthQueue()
    queue.sqs.loses_answers = 1
    messages = [message(f"m{n}") for n in range(3)]
    assert queue.send_batch(messages) == messages
    assert Counter(body for body, _ in queue.sqs.sent) == texts(messages * 2)
