"""The template's part of webhooks: the events of the queue, the callers of the function, and the start of work."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from feedward.deadline import RETURN_S
from feedward.events.envelope import SOURCE
from feedward.messages.notify_event import decode_task
from feedward.services.webhooks.attempt_leases import HELD_S
from feedward.services.webhooks.deliver import ATTEMPT_S
from feedward.services.webhooks.work_batch import SETTINGS, TASK_S
from feedward.webhooks.delivery import LEASE_S
from feedward.webhooks.events import TYPES
from tests.template.test_limits import number_in
from tests.template.translation import properties, resources

EVENTS = Path(__file__).parents[2] / "events"
FUNCTION = properties("AWS::Lambda::Function")["NotifyFunction"]


def test_the_queue_gets_the_events_that_webhooks_get_and_no_internal_one() -> None:
    rule = properties("AWS::Events::Rule")["WebhookEventsRule"]
    (target,) = rule["Targets"]

    assert rule["EventPattern"] == {"source": [SOURCE], "detail-type": sorted(TYPES)}
    assert target["Arn"] == {"Fn::GetAtt": ["WebhookQueue", "Arn"]}
    assert target["DeadLetterConfig"] == {"Arn": {"Fn::GetAtt": ["WebhookDeadLetterQueue", "Arn"]}}


def test_a_message_is_hidden_for_six_times_as_long_as_the_function_may_run_and_fails_alone() -> None:
    queue = properties("AWS::SQS::Queue")["WebhookQueue"]
    mapping = properties("AWS::Lambda::EventSourceMapping")["WebhookQueueToFunction"]

    assert queue["VisibilityTimeout"] == 6 * FUNCTION["Timeout"] == SETTINGS.again_after_s
    assert queue["RedrivePolicy"]["maxReceiveCount"] == 5
    assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert (mapping["BatchSize"], mapping["ScalingConfig"]) == (
        10,
        {"MaximumConcurrency": {"Ref": "WebhookMaximumConcurrency"}},
    )


@pytest.mark.parametrize(("task", "rate"), [("sweep", "rate(1 minute)"), ("repair", "rate(15 minutes)")])
def test_the_schedule_wakes_the_function_with_a_task_that_it_knows(task: str, rate: str) -> None:
    schedule = properties("AWS::Scheduler::Schedule")[f"NotifyFunction{task.title()}"]
    sample = json.loads((EVENTS / f"schedule_webhook_{task}.json").read_text())

    assert schedule["ScheduleExpression"] == rate
    assert schedule["State"] == {"Ref": "WebhookSweepState"}
    assert json.loads(schedule["Target"]["Input"]) == sample
    assert decode_task(sample) == task


def test_an_attempt_that_has_begun_ends_before_the_function_its_lease_and_its_places_do() -> None:
    begins_s = FUNCTION["Timeout"] - RETURN_S - SETTINGS.task_s - SETTINGS.reserve_s

    assert begins_s == 30
    assert number_in(r"an attempt that has begun is never cut short: none begins in the last (\d+) s") == 30
    assert number_in(r"a batch may begin tasks for (\d+) s, and one takes up to 20") == begins_s
    assert SETTINGS.task_s == TASK_S > ATTEMPT_S
    assert ATTEMPT_S + 5 < HELD_S < LEASE_S <= FUNCTION["Timeout"]


def test_the_key_of_secrets_outlives_the_stack_and_its_own_use() -> None:
    key = resources("AWS::KMS::Key")["WebhookKey"]

    assert key["DeletionPolicy"] == key["UpdateReplacePolicy"] == "Retain"
    assert key["Properties"]["EnableKeyRotation"] is True
