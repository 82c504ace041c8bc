"""Events that wake collecting: tasks, its own messages, and events that the bus forwards, of which each may be bad."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from feedward.errors import InvalidInput, StoreUnavailable
from feedward.frontier.item_links import ItemLinks
from feedward.frontier.messages import CollectMessage, Job, JobMessage
from feedward.messages.collect_event import Task, decode_batch, decode_message, decode_task
from feedward.messages.partial_batch import Received

SAMPLE = Path(__file__).parents[3] / "events" / "sqs_items_published.json"
EVENT: dict[str, Any] = json.loads(json.loads(SAMPLE.read_text())["Records"][0]["body"])


@pytest.mark.parametrize("task", Task)
def test_a_task_is_known_by_its_name(task: Task) -> None:
    assert decode_task({"do": task.value}) is task


def test_an_event_in_the_queue_is_known_by_its_envelope() -> None:
    assert decode_message(json.dumps(EVENT)) == ItemLinks(
        feed_id="01JDR3M5V0XQ8S6Y2K4H7N9PTD",
        tenant_id=None,
        links=("https://example.com/second", "https://example.com/first"),
    )


def test_a_message_that_is_no_event_is_our_own() -> None:
    job = JobMessage(sent_at=5, job=Job.RUN, job_id="run")
    assert decode_message(job.to_text()) == job


@pytest.mark.parametrize(
    ("members", "field"),
    [
        ({"detail-type": "FeedMoved"}, "detail-type"),
        ({"detail-type": None}, "detail-type"),
        ({"detail": None}, "detail"),
        ({"detail": "text"}, "detail"),
        ({"detail": {}}, "version"),
        ({"detail": {**EVENT["detail"], "collect_items": False}}, "collect_items"),
    ],
)
def test_an_event_that_cannot_be_used_names_the_member(members: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        decode_message(json.dumps(EVENT | members))
    assert refused.value.field == field


@pytest.mark.parametrize("body", ["", "{", "[]", None, 7, "null", "[" * 100_000])
def test_a_value_that_is_no_object_is_refused(body: Any) -> None:
    with pytest.raises(InvalidInput):
        decode_message(body)


def test_failures_stand_where_their_messages_do() -> None:
    bodies = ["bad", json.dumps(EVENT), CollectMessage(entries=(), sent_at=1).to_text()]
    decoded = decode_batch([Received(body=body) for body in bodies])
    away = StoreUnavailable("away")
    assert [type(each) for each in decoded.readable] == [ItemLinks, CollectMessage]
    first, second, third = decoded.failures([away, None])
    assert isinstance(first, InvalidInput)
    assert (second, third) == (away, None)
