"""Two stacks in one account share no name, no metric and no alarm, in the template or in the metrics of the code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from feedward.observability import log as observability
from tests.template.translation import Stack

FIRST, SECOND = Stack("feedward"), Stack("feedward-two")
# Properties with the name of a resource; such names belong to the account, not to the stack.
NAMES = {
    "AlarmName",
    "BucketName",
    "FunctionName",
    "LayerName",
    "LogGroupName",
    "Name",
    "QueueName",
    "RoleName",
    "TableName",
}
LINE_OF_METRICS = "_aws"


def names(stack: Stack) -> set[str]:
    """The names of the stack's resources, by kind."""
    return {
        f"{kind} {value}"
        for kind in {resource["Type"] for resource in stack.resources.values()}
        for properties in stack.properties(kind).values()
        for name, value in properties.items()
        if name in NAMES
    }


def watched(stack: Stack) -> set[str]:
    """The metrics that alarms of the stack look at: name and dimensions, or a whole query."""
    return {metric for alarm in stack.properties("AWS::CloudWatch::Alarm").values() for metric in metrics_of(alarm)}


def metrics_of(alarm: dict[str, Any]) -> Iterator[str]:
    if "Metrics" in alarm:
        yield from (query["Expression"] for query in alarm["Metrics"])
    else:
        yield json.dumps([alarm["Namespace"], alarm["MetricName"], alarm["Dimensions"]])


def service(stack: Stack) -> str:
    """The value of the dimension `service` of all functions of the stack."""
    (told,) = {
        function["Environment"]["Variables"]["POWERTOOLS_SERVICE_NAME"]
        for function in stack.properties("AWS::Lambda::Function").values()
    }
    return str(told)


def test_no_name_of_a_resource_is_given_twice() -> None:
    assert {name.partition(" ")[0] for name in names(FIRST)} >= {"AWS::SQS::Queue", "AWS::Lambda::LayerVersion"}
    assert not names(FIRST) & names(SECOND)


def test_no_alarm_looks_at_a_metric_of_the_other_stack() -> None:
    assert watched(FIRST)
    assert not watched(FIRST) & watched(SECOND)


def test_the_service_of_the_metrics_is_the_stack() -> None:
    assert (service(FIRST), service(SECOND)) == ("feedward", "feedward-two")


def test_alarms_on_our_own_metrics_watch_the_functions_of_their_own_stack() -> None:
    for stack in (FIRST, SECOND):
        own = [alarm for alarm in stack.properties("AWS::CloudWatch::Alarm").values() if is_ours(alarm)]

        assert own
        assert all(alarm["Dimensions"] == [{"Name": "service", "Value": service(stack)}] for alarm in own)


def is_ours(alarm: dict[str, Any]) -> bool:
    return bool(alarm.get("Namespace") == "feedward")


@pytest.mark.parametrize("stack", [FIRST, SECOND], ids=["feedward", "feedward-two"])
def test_every_metric_that_is_emitted_names_the_stack(
    stack: Stack, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("POWERTOOLS_SERVICE_NAME", service(stack))
    monkeypatch.setenv("POWERTOOLS_METRICS_NAMESPACE", "feedward")
    observability.metrics.cache_clear()

    observability.count_by("code", "FeedSweepFailed", ["throttled"])
    observability.observe("RequestsPerCheck", [1.0])
    emitted = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    observability.metrics.cache_clear()

    assert len(emitted) == 2
    assert {line["service"] for line in emitted} == {stack.name}
    for line in emitted:
        (told,) = line[LINE_OF_METRICS]["CloudWatchMetrics"]
        assert all("service" in dimensions for dimensions in told["Dimensions"])
