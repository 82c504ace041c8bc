"""The page lists dead letters by their object: an operator sees them, and they stay in the queue."""

from __future__ import annotations

import json

import pytest

from tests.local.page.looking import Looking
from tests.local.stack_aws import StackAws
from tests.local.stack_process import StackProcess

pytestmark = pytest.mark.local_stack


def test_dead_letters_are_listed_with_their_objects(looking: Looking, begun: StackProcess) -> None:
    aws = StackAws(begun.state / "demo")
    queue = aws.ids["FrontierDeadLetterQueue"]
    for number in range(12):
        aws.sqs.send_message(QueueUrl=queue, MessageBody=json.dumps({"type": "run", "job_id": f"RUN{number}"}))
    try:
        looking.go("/queues")
        looking.heading("Failed for good: Pages, imports and exports", level=2).wait_for()
        messages = looking.page.get_by_role("list", name="Messages").locator("> li")
        assert messages.count() == 12
        assert looking.link("RUN7").get_attribute("href") == "#/runs/RUN7"
        assert aws.waiting("FrontierDeadLetterQueue") == 12
    finally:
        aws.sqs.purge_queue(QueueUrl=queue)
