"""Alarms that only an account can show: dropped messages, tables that throttle or fail, a slow API."""

from __future__ import annotations

import re
from typing import Any

import pytest

from feedward.services.canonicalize.canonicalize_urls import BATCH_S
from tests.template.translation import properties

ALARMS = properties("AWS::CloudWatch::Alarm")
FUNCTIONS = properties("AWS::Lambda::Function")
TABLES = properties("AWS::DynamoDB::Table")
QUERY = re.compile(
    r'SELECT SUM\((\w+)\) FROM SCHEMA\("AWS/DynamoDB", Operation, TableName\) WHERE TableName = \'\$\{(\w+)\}\''
)


def queues_sent_to(function: str) -> set[str]:
    """The queues that the function's role may send to."""
    return {
        resource["Fn::GetAtt"][0]
        for policy in properties("AWS::IAM::Role")[f"{function}Role"].get("Policies", [])
        for statement in policy["PolicyDocument"]["Statement"]
        if "sqs:SendMessage" in as_list(statement["Action"])
        for resource in as_list(statement["Resource"])
    }


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def wakes() -> dict[str, set[str]]:
    """The functions that each function can wake by a message."""
    sources = properties("AWS::Lambda::EventSourceMapping").values()
    woken = {each["EventSourceArn"]["Fn::GetAtt"][0]: each["FunctionName"]["Ref"] for each in sources}
    return {name: {woken[queue] for queue in queues_sent_to(name) if queue in woken} for name in FUNCTIONS}


def woken_in_the_end(function: str) -> set[str]:
    """The functions that a call of this one can lead to, itself among them where it is in a loop."""
    reached: set[str] = set()
    following = wakes()[function]
    while following - reached:
        reached |= following
        following = {further for each in reached for further in wakes()[each]}
    return reached


def in_loops() -> set[str]:
    return {function for function in FUNCTIONS if function in woken_in_the_end(function)}


# --- loops ----------------------------------------------------------------------------------------


def test_lambda_lets_those_functions_loop_whose_messages_wake_them_and_no_other() -> None:
    allowed = {name for name, function in FUNCTIONS.items() if function.get("RecursiveLoop") == "Allow"}

    assert (
        allowed
        == in_loops()
        == {
            "DiscoverFunction",
            "HealthCheckFunction",
            "CollectFunction",
            "NotifyFunction",
        }
    )


@pytest.mark.parametrize("function", sorted(in_loops()))
def test_a_message_of_a_loop_that_is_dropped_after_all_has_an_alarm(function: str) -> None:
    alarm = ALARMS[function.replace("Function", "RecursionAlarm")]

    assert (alarm["Namespace"], alarm["MetricName"]) == ("AWS/Lambda", "RecursiveInvocationsDropped")
    assert alarm["Dimensions"] == [{"Name": "FunctionName", "Value": {"Ref": function}}]
    assert (alarm["Statistic"], alarm["Threshold"], alarm["EvaluationPeriods"]) == ("Sum", 1, 1)


# --- tables ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    ("alarm", "metric"), [("ThrottlesAlarm", "ThrottledRequests"), ("ErrorsAlarm", "SystemErrors")]
)
def test_each_table_has_an_alarm_over_all_its_operations(table: str, alarm: str, metric: str) -> None:
    settings = ALARMS[table + alarm]
    (query,) = settings["Metrics"]
    asked = QUERY.fullmatch(query["Expression"]["Fn::Sub"])

    assert asked is not None
    assert asked.groups() == (metric, table)
    assert query["Period"] * settings["EvaluationPeriods"] == 600
    assert settings["ComparisonOperator"] == "GreaterThanOrEqualToThreshold"


# --- API ------------------------------------------------------------------------------------------


def test_an_api_that_answers_later_than_a_batch_may_has_an_alarm() -> None:
    (stage,) = properties("AWS::ApiGatewayV2::Stage").values()
    alarm = ALARMS["ApiLatencyAlarm"]
    dimensions = {each["Name"]: each["Value"] for each in alarm["Dimensions"]}
    longest_ms = max(
        route["x-amazon-apigateway-integration"]["timeoutInMillis"]
        for api in properties("AWS::ApiGatewayV2::Api").values()
        for path in api["Body"]["paths"].values()
        for route in path.values()
        if "timeoutInMillis" in route["x-amazon-apigateway-integration"]
    )

    assert (alarm["Namespace"], alarm["MetricName"], alarm["ExtendedStatistic"]) == ("AWS/ApiGateway", "Latency", "p99")
    assert dimensions == {"ApiId": stage["ApiId"], "Stage": stage["StageName"]}
    assert BATCH_S * 1000 < alarm["Threshold"] < longest_ms
