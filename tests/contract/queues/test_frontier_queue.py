"""The queue of collecting: like the queue of checks, with its own messages (see test_health_queue)."""

from __future__ import annotations

from collections import Counter
from typing import TypeAlias

import pytest

from feedward.adapters.sqs import MESSAGE_BYTES, SqsWorkQueue
from feedward.deadline import Deadline
from feedward.errors import QueueUnavailable
from feedward.frontier.messages import CollectMessage, Job, JobMessage, read_message
from feedward.scheduling.messages import json_object
from tests.contract.benches.frontier import NOW, new_row
from tests.contract.benches.queues import QueueBench, real_queue
from tests.fakes.frontier_queue import FakeFrontierQueue

Bench: TypeAlias = QueueBench[SqsWorkQueue]


@pytest.fixture(params=["fake", "sqs"])
def bench(request: pytest.FixtureRequest) -> Bench:
    if request.param == "sqs":
        return real_queue(request, SqsWorkQueue)
    fake = FakeFrontierQueue()
    return QueueBench(fake, lambda: [body for body, delay in fake.sqs.sent if delay == 0])


def message(name: str, *, rows: int = 1, path: int = 10, delay_s: int = 0) -> CollectMessage:
    made = [new_row(f"{name}{n}", f"https://example.com/{name}/{n}/{'x' * path}") for n in range(rows)]
    return CollectMessage(entries=tuple(made), sent_at=NOW + delay_s, delay_s=delay_s)


def test_rows_and_jobs_arrive_as_they_were_sent(bench: Bench) -> None:
    rows, job = message("m", rows=10), JobMessage(sent_at=NOW, job=Job.RUN, job_id="run")
    sent: list[CollectMessage | JobMessage] = [rows, job]
    assert bench.queue.send_batch(sent) == sent
    arrived = [read_message(json_object(text)) for text in bench.received()]
    assert [each for each in arrived if isinstance(each, JobMessage)] == [job]
    [read] = [each for each in arrived if isinstance(each, CollectMessage)]
    assert len(read.entries) == 10
    assert {(row.row_id, row.sent_at) for row in read.entries} == {(row.row_id, NOW) for row in rows.entries}


def test_each_message_arrives_once_and_too_large_ones_go_apart(bench: Bench) -> None:
    messages = [message(f"m{n}", rows=10, path=1900) for n in range(33)]
    assert sum(len(each.to_text()) for each in messages) > 2 * MESSAGE_BYTES
    assert bench.queue.send_batch(messages) == messages
    assert Counter(bench.received()) == Counter(each.to_text() for each in messages)


def test_a_delayed_message_does_not_come_yet(bench: Bench) -> None:
    now, later = message("now"), message("later", delay_s=840)
    assert bench.queue.send_batch([later, now]) == [later, now]
    assert bench.received() == [now.to_text()]


def test_without_time_nothing_is_sent(bench: Bench) -> None:
    with pytest.raises(QueueUnavailable):
        bench.queue.within(Deadline.after(0)).send_batch([message("m")])
    assert not bench.received()
