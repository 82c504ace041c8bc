"""The stack with checks and collecting, and the one without (Refresh=false): a directory with discovery."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.fakes.dynamodb import InMemoryDynamoDB
from tests.template.test_permissions import Recorder, drive_on_in_every_way, granted
from tests.template.translation import Stack, source, translated
from tests.template_tables import create_tables

WHOLE, FINDING = Stack("feedward"), Stack("feedward", Refresh="false")
# The resources of checks and collecting. The tables stay: a stack that refreshes again has lost nothing.
ONLY_REFRESHING = re.compile(
    r"(?:Health|Collect|RowSweep|Sweep|Outage|ItemsToCollect|Frontier(?!Table$)|LineageTable(?=[A-Z]))[A-Za-z]*"
)
ONLY_FINDING = {"DiscoverReconcilePolicy", "DiscoverReconcileSchedule", "DiscoverScheduleRole"}
SHARED_KINDS = {"AWS::DynamoDB::Table", "AWS::S3::Bucket", "AWS::Events::EventBus", "AWS::ApiGatewayV2::Api"}


def of_kind(stack: Stack, kind: str) -> set[str]:
    return {name for name, one in stack.resources.items() if one["Type"] == kind}


def mentioned(value: Any) -> Iterator[str]:
    """The logical ids that a resolved value names."""
    yield from re.findall(r"feedward/(?!AWS::)(\w+)", json.dumps(value))


def test_without_refresh_there_is_neither_a_function_nor_a_queue_schedule_or_alarm_of_checks_and_collecting() -> None:
    left_out = WHOLE.resources.keys() - FINDING.resources.keys()

    assert {name for name in FINDING.resources if ONLY_REFRESHING.fullmatch(name)} == set()
    assert left_out == {name for name in WHOLE.resources if ONLY_REFRESHING.fullmatch(name)}
    assert {name for name in left_out if WHOLE.resources[name]["Type"] == "AWS::Lambda::Function"} == {
        "CollectFunction",
        "HealthCheckFunction",
    }
    schedules = {name for name in left_out if WHOLE.resources[name]["Type"] == "AWS::Scheduler::Schedule"}
    passes = ("Sweep", "Repair", "Reconcile")
    of_both = {f"{name}Function{each}" for name in ("HealthCheck", "Collect") for each in passes}
    assert schedules == of_both | {"HealthCheckFunctionPush"}


def test_both_shapes_have_the_same_tables_buckets_bus_and_api() -> None:
    for kind in SHARED_KINDS:
        assert of_kind(FINDING, kind) == of_kind(WHOLE, kind)
        assert FINDING.properties(kind) == WHOLE.properties(kind)


def test_without_refresh_only_the_replacement_of_the_reconcile_pass_remains() -> None:
    assert FINDING.resources.keys() - WHOLE.resources.keys() == ONLY_FINDING


@pytest.mark.parametrize("stack", [WHOLE, FINDING], ids=["whole", "finding"])
def test_a_shape_names_nothing_that_it_does_not_have(stack: Stack) -> None:
    for name, resource in stack.resources.items():
        named = set(mentioned(stack.resolve(resource.get("Properties", {})))) - {
            "AWS"
        }  # ${AWS::AccountId} and the like
        assert named <= stack.resources.keys(), name


def test_outputs_of_missing_resources_are_left_out() -> None:
    for name, output in translated()["Outputs"].items():
        if "Condition" not in output:
            told = set(mentioned(FINDING.resolve(output["Value"]))) - {"AWS"}
            assert told <= FINDING.resources.keys(), name


def test_common_resources_of_both_shapes_differ_in_queues_and_rights_only() -> None:
    differing = {
        name: one["Type"]
        for name, one in FINDING.resources.items()
        if name in WHOLE.resources
        and FINDING.resolve(one.get("Properties", {})) != WHOLE.resolve(WHOLE.resources[name].get("Properties", {}))
    }

    assert set(differing.values()) <= {"AWS::Lambda::Function", "AWS::IAM::Role"}
    for name in of_kind(FINDING, "AWS::Lambda::Function"):
        mine, theirs = (stack.properties("AWS::Lambda::Function")[name] for stack in (FINDING, WHOLE))
        told, whole = (each.pop("Environment")["Variables"] for each in (mine, theirs))
        assert mine == theirs
        assert {each for each in told if told[each] != whole[each]} == {
            "FRONTIER_QUEUE_URL",
            "HEALTH_QUEUE_URL",
            "REFRESH",
        }
        assert (told["HEALTH_QUEUE_URL"], told["FRONTIER_QUEUE_URL"], told["REFRESH"]) == ("", "", "false")


def test_the_parameter_is_on_unless_it_is_switched_off() -> None:
    parameter = source()["Parameters"]["Refresh"]

    assert (parameter["Default"], parameter["AllowedValues"]) == ("true", ["true", "false"])


def test_discover_may_reconcile_where_it_has_to_and_only_there() -> None:
    recorder = Recorder(InMemoryDynamoDB())
    drive_on_in_every_way(recorder, create_tables(recorder.client))
    policy = translated()["Resources"]["DiscoverReconcilePolicy"]

    assert policy["Condition"] == "OnlyFinds"
    further = granted("DiscoverFunctionRole", policy["Properties"])
    own = granted("DiscoverFunctionRole")
    assert recorder.asked <= own | further
    assert further & own == set()
    assert further <= recorder.asked
