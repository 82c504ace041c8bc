"""Messages of a tenant's own work name the tenant as their group, so that the queue is fair (rule QT7)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from feedward.adapters.sqs import SqsDiscoverQueue, SqsWorkQueue
from feedward.frontier.messages import Job, JobMessage
from feedward.intake.job import ImportStep
from feedward.services.intake.start_import import send_steps
from tests.contract.benches.queues import new_queue, received
from tests.fakes.feed_store import PATIENT

NOW = 1_790_000_000


class Noting:
    """A client that records the group of each message."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.groups: list[str | None] = []

    def send_message(self, **request: Any) -> Any:
        self.groups.append(request.get("MessageGroupId"))
        return self._client.send_message(**request)

    def send_message_batch(self, **request: Any) -> Any:
        self.groups += [entry.get("MessageGroupId") for entry in request["Entries"]]
        return self._client.send_message_batch(**request)


@pytest.fixture
def sqs(real_sqs: Any) -> Any:
    return Noting(real_sqs)


def test_steps_of_a_tenants_import_are_of_its_group_and_arrive(sqs: Any, real_sqs: Any) -> None:
    url = new_queue(real_sqs)
    queue: Any = SqsWorkQueue(sqs, url, PATIENT)

    send_steps([ImportStep(tenant_id="acme", import_id="i")], queue=queue, now=NOW)
    send_steps([ImportStep(tenant_id=None, import_id="i")], queue=queue, now=NOW)

    assert sqs.groups == ["acme", None]
    assert len(received(real_sqs, url)) == 2


def test_a_job_of_a_discovery_is_of_its_tenants_group(sqs: Any, real_sqs: Any) -> None:
    url = new_queue(real_sqs)
    queue = SqsDiscoverQueue(sqs, url, PATIENT)

    queue.send({"n": 1}, group="acme")
    queue.send({"n": 2})

    assert sqs.groups == ["acme", None]
    assert len(received(real_sqs, url)) == 2


def test_the_group_is_part_of_a_job_so_that_its_later_steps_have_it() -> None:
    message = JobMessage(sent_at=NOW, job=Job.IMPORT, job_id="x", group="acme")

    assert JobMessage.from_object(json.loads(message.to_text())) == message
