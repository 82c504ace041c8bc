"""The meaning of a message of DiscoverQueue, and the reason for a meaningless one."""

from __future__ import annotations

import json
from typing import Any

import pytest

from feedward.errors import InvalidInput
from feedward.events.envelope import RevivalRequested, revival_requested
from feedward.health.decision import RevivalReason
from feedward.messages.discover_message import DiscoverJob, SubscriptionCreated, decode_message
from feedward.services.discover.site_run import discover_message
from feedward.ulid import new_ulid

JOB_ID = f"{'5' * 64}.{new_ulid(1_790_000_000)}"
JOB = {"version": 1, "type": "discover", "job_id": JOB_ID}
EVENT = {"detail-type": "SubscriptionCreated", "source": "feedward", "detail": {"version": 1, "url": "example.com"}}


def test_a_worker_reads_the_message_that_an_answer_sent() -> None:
    assert decode_message(json.dumps(discover_message(JOB_ID))) == DiscoverJob(job_id=JOB_ID)


def test_an_event_of_the_bus_is_known_by_its_detail_type() -> None:
    assert decode_message(json.dumps(EVENT)) == SubscriptionCreated(detail={"version": 1, "url": "example.com"})


def test_a_request_to_revive_a_feed_is_read_whole() -> None:
    asked = RevivalRequested(event_id="2" * 26, feed_id="0" * 26, reason=RevivalReason.GONE, occurred_at=1_790_000_000)
    event = {"detail-type": "RevivalRequested", "source": "feedward", "detail": revival_requested(asked)}

    assert decode_message(json.dumps(event)) == asked


def test_a_sender_that_is_newer_may_say_more() -> None:
    assert decode_message(json.dumps({**JOB, "reason": "slow"})) == DiscoverJob(job_id=JOB_ID)


@pytest.mark.parametrize(
    ("message", "field"),
    [
        ({}, "version"),
        ({**JOB, "version": 2}, "version"),
        ({**JOB, "version": "1"}, "version"),
        ({**JOB, "type": "collect"}, "type"),
        ({"version": 1, "job_id": JOB_ID}, "type"),
        ({"version": 1, "type": "discover"}, "job_id"),
        ({**JOB, "job_id": "5" * 64}, "job_id"),
        ({**JOB, "job_id": f"{JOB_ID}x"}, "job_id"),
        ({**JOB, "job_id": 7}, "job_id"),
        ({**EVENT, "detail-type": "FeedDiscovered"}, "detail-type"),
        ({**EVENT, "detail-type": None}, "detail-type"),
        ({**EVENT, "detail": "example.com"}, "detail"),
        ({"detail-type": "SubscriptionCreated"}, "detail"),
        ({"detail-type": "RevivalRequested"}, "detail"),
        ({"detail-type": "RevivalRequested", "detail": {"version": 2}}, "version"),
        ({"detail-type": "RevivalRequested", "detail": {"version": 1, "reason": "boredom"}}, "reason"),
    ],
)
def test_a_message_that_cannot_be_used_names_the_field(message: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        decode_message(json.dumps(message))
    assert refused.value.field == field


@pytest.mark.parametrize("body", ["", "no JSON", "[]", "null", '"text"', "1", "[" * 100_000, None, 5, {"version": 1}])
def test_a_text_that_is_no_json_object_is_no_message(body: object) -> None:
    with pytest.raises(InvalidInput) as refused:
        decode_message(body)
    assert refused.value.field == ""
