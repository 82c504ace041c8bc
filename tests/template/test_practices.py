"""Practices that no linter knows: how this stack protects its data, its logs, its permissions and its endpoints."""

from __future__ import annotations

import dataclasses
import json
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from feedward.adapters import aws_calls
from feedward.adapters.dynamodb.frontier.row_items import ATTRIBUTES as ROW_ATTRIBUTES
from feedward.adapters.dynamodb.store.client import CONNECT_TIMEOUT_S
from feedward.adapters.s3 import bucket
from feedward.api.access.access_routes import key_routes, quota_routes, tenant_routes
from feedward.api.collect_routes import collect_routes
from feedward.api.directory_routes import directory_routes, export_routes, import_routes, stats_routes
from feedward.api.discover_routes import discover_routes
from feedward.api.openapi import openapi_document
from feedward.api.page_files import PageFiles, page_routes
from feedward.api.push_routes import PATH as CALLBACK
from feedward.api.push_routes import push_routes
from feedward.api.webhooks.webhook_routes import webhook_routes
from feedward.authorizer import READ_TIMEOUT_S
from feedward.bootstrap import REQUEST_S
from feedward.config import ATTEMPTS_AT_MOST, HOST_PAUSE_AT_MOST_S, Settings
from feedward.deadline import ATTEMPT_S, RETURN_S
from feedward.events.envelope import ITEMS_PUBLISHED, REVIVAL_REQUESTED, SOURCE, SUBSCRIPTION_CREATED
from feedward.frontier.settings import DEFAULT_SETTINGS, MoveOn
from feedward.messages import collect_event, health_event
from feedward.messages import partial_batch as batch
from feedward.scheduling.lateness import LATE_AFTER_S, LONGEST_DELAY_S
from feedward.services.access.authorize import READ_S
from feedward.services.canonicalize.canonicalize_urls import BATCH_S, STORE_GRACE_S, THREADS
from feedward.services.check import check_batch
from feedward.services.check.check_batch import RECEIVES
from feedward.services.collect import collect_batch, read_frontier
from feedward.services.directory.read_feeds import ANSWER_S
from feedward.services.discover.limits import JOB_LIMITS
from tests.template.translation import TEMPLATE, properties, resources, source, translated

ROOT = Path(__file__).parents[2]
# The rights of each function. A wider right is a decision, taken here and in docs/decisions.md.
REGISTER = {
    "dynamodb:BatchGetItem",
    "dynamodb:ConditionCheckItem",
    "dynamodb:GetItem",
    "dynamodb:PutItem",
    "dynamodb:Query",
    "dynamodb:UpdateItem",
}
ALLOWED_ACTIONS = {
    "CanonicalizeFunctionRole": REGISTER,
    "DiscoverFunctionRole": {
        *REGISTER,
        "dynamodb:DeleteItem",
        "events:PutEvents",
        "sqs:DeleteMessage",
        "sqs:GetQueueAttributes",
        "sqs:ReceiveMessage",
        "sqs:SendMessage",
    },
    "HealthCheckFunctionRole": {
        *REGISTER,
        "dynamodb:DeleteItem",
        "events:PutEvents",
        "kms:Decrypt",  # of secrets of subscriptions to hubs
        "kms:Encrypt",
        "sqs:DeleteMessage",
        "sqs:GetQueueAttributes",
        "sqs:ReceiveMessage",
        "sqs:SendMessage",
    },
    "AuthorizeFunctionRole": {"dynamodb:GetItem", "dynamodb:UpdateItem"},
    "DirectoryFunctionRole": {
        *REGISTER,
        "dynamodb:DeleteItem",
        "dynamodb:Scan",  # of the index by state, for a list of all feeds
        "events:PutEvents",
        "kms:Encrypt",  # of secrets of webhooks
        "s3:DeleteObject",  # of deleted tenants
        "s3:GetObject",  # files of imports
        "s3:ListBucket",
        "s3:PutObject",
        "sqs:GetQueueAttributes",  # for the stats
        "sqs:ReceiveMessage",  # of dead letters alone
        "sqs:SendMessage",
    },
    "PageFunctionRole": set(),
    "IndexFunctionRole": {
        "dynamodb:BatchGetItem",
        "dynamodb:DescribeStream",
        "dynamodb:GetRecords",
        "dynamodb:GetShardIterator",
        "dynamodb:ListStreams",
        "dynamodb:PutItem",
        "dynamodb:Query",
        "s3:DeleteObject",
        "s3:GetObject",
        "s3:ListBucket",
        "s3:PutObject",
        "sqs:SendMessage",  # to the dead letters of the stream
    },
    "DirectoryScheduleRole": {"lambda:InvokeFunction", "sqs:SendMessage"},
    "IndexScheduleRole": {"lambda:InvokeFunction", "sqs:SendMessage"},
    "CollectFunctionRole": {
        *REGISTER,
        "dynamodb:DeleteItem",
        "events:PutEvents",
        "dynamodb:Scan",  # of the registry, where the key is another one
        "s3:GetObject",
        "s3:ListBucket",
        "s3:PutObject",
        "sqs:DeleteMessage",
        "sqs:GetQueueAttributes",
        "sqs:ReceiveMessage",
        "sqs:SendMessage",
    },
    "CollectScheduleRole": {"lambda:InvokeFunction", "sqs:SendMessage"},
    "HealthScheduleRole": {"lambda:InvokeFunction", "sqs:SendMessage"},
    "NotifyFunctionRole": {
        "dynamodb:BatchGetItem",
        "dynamodb:DeleteItem",
        "dynamodb:GetItem",
        "dynamodb:Query",
        "dynamodb:UpdateItem",
        "events:PutEvents",
        "kms:Decrypt",
        "sqs:DeleteMessage",
        "sqs:GetQueueAttributes",
        "sqs:ReceiveMessage",
        "sqs:SendMessage",
    },
    "PushFunctionRole": {"dynamodb:GetItem", "dynamodb:UpdateItem", "kms:Decrypt", "sqs:SendMessage"},
    "NotifyScheduleRole": {"lambda:InvokeFunction", "sqs:SendMessage"},
    "DiscoverScheduleRole": {"lambda:InvokeFunction", "sqs:SendMessage"},  # only where nothing is checked
}
# Variables that others read: the Powertools, the C library.
OTHERS_VARIABLES = {"POWERTOOLS_SERVICE_NAME", "POWERTOOLS_METRICS_NAMESPACE", "LOG_LEVEL", "RES_OPTIONS"}
INDEXES = {
    "UrlsTable": {"by_feed": ("feed_id", "url_hash")},
    "FeedsTable": {
        "slots": ("slot", "slot_from"),
        "due": ("due_shard", "next_check_at"),
        "by_state": ("state_shard", "feed_id"),
        "by_domain": ("domain_shard", "feed_id"),
        "by_topic": ("topic_shard", "feed_id"),
        "pending": ("pending_shard", "pending_since"),
    },
    "FrontierTable": {"due": ("due_shard", "next_fetch_at"), "by_error": ("error_shard", "row_id")},
    "SitesTable": {"pending": ("pending_shard", "pending_since")},
    "StateTable": {},
    "LineageTable": {"listed": ("list_shard", "list_place")},
    "TenantsTable": {"by_feed": ("feed_id", "tenant_id"), "pending": ("pending_shard", "pending_since")},
    "WebhooksTable": {"due": ("due_shard", "due_at")},
    "KeysTable": {},
}
KEYS = {
    "UrlsTable": ("url_hash",),
    "FeedsTable": ("feed_id", "sk"),
    "FrontierTable": ("row_id",),
    "SitesTable": ("site_hash", "sk"),
    "StateTable": ("pk", "sk"),
    "LineageTable": ("pk", "sk"),
    "TenantsTable": ("tenant_id", "sk"),
    "WebhooksTable": ("pk", "sk"),
    "KeysTable": ("key_id",),
}

TABLES = properties("AWS::DynamoDB::Table")
FUNCTIONS = properties("AWS::Lambda::Function")
LOG_GROUPS = properties("AWS::Logs::LogGroup")
ALARMS = properties("AWS::CloudWatch::Alarm")
QUEUES = properties("AWS::SQS::Queue")
SCHEDULES = properties("AWS::Scheduler::Schedule")
RULES = properties("AWS::Events::Rule")
# Missing data is bad news from these only.
ALARMS_OF_SILENCE = {"SweepMissingAlarm", "RowSweepMissingAlarm", "WebhookSweepMissingAlarm"}
# Whose schedules these are, and the parameter that switches them off.
SCHEDULED = {"HealthCheckFunction": "SweepState", "CollectFunction": "FrontierSweepState"}
PERIODS = {"Sweep": 60, "Repair": 900, "Reconcile": 900}
# Objects of a bucket have no name but their prefix.
OBJECTS = [
    {"Fn::Sub": "${BodiesBucket.Arn}/bodies/*"},
    {"Fn::Sub": "${BodiesBucket.Arn}/exports/*"},
    {"Fn::Sub": "${BodiesBucket.Arn}/imports/*"},
    {"Fn::Sub": "${SearchBucket.Arn}/*"},
    {"Fn::Sub": "${SearchBucket.Arn}/bases/*"},
    {"Fn::Sub": "${SearchBucket.Arn}/deltas/*"},
]
EVENTS = ROOT / "events"


def keys_of(schema: list[dict[str, str]]) -> tuple[str, ...]:
    return tuple(key["AttributeName"] for key in sorted(schema, key=lambda key: key["KeyType"] != "HASH"))


def statements(role: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for policy in role.get("Policies", ()):
        yield from policy["PolicyDocument"]["Statement"]


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def routes() -> dict[str, dict[str, Any]]:
    """The API's routes by path: each is for any method, and its function knows which there are."""
    (api,) = properties("AWS::ApiGatewayV2::Api").values()
    paths = api["Body"]["paths"]
    assert {method for item in paths.values() for method in item} == {"x-amazon-apigateway-any-method"}
    return {path: item["x-amazon-apigateway-any-method"] for path, item in paths.items()}


# --- data -----------------------------------------------------------------------------------------


def test_there_are_all_tables() -> None:
    assert {name: keys_of(table["KeySchema"]) for name, table in TABLES.items()} == KEYS


@pytest.mark.parametrize("table", TABLES)
def test_table_survives_mistakes(table: str) -> None:
    resource, settings = resources("AWS::DynamoDB::Table")[table], TABLES[table]

    assert resource["DeletionPolicy"] == resource["UpdateReplacePolicy"] == "Retain"
    assert settings["PointInTimeRecoverySpecification"] == {"PointInTimeRecoveryEnabled": True}
    assert settings["SSESpecification"]["SSEEnabled"] is True
    assert settings["BillingMode"] == "PAY_PER_REQUEST"
    assert settings["DeletionProtectionEnabled"] == {"Ref": "TableDeletionProtection"}
    assert source()["Parameters"]["TableDeletionProtection"]["Default"] == "true"


@pytest.mark.parametrize("table", TABLES)
def test_table_has_all_its_indexes_from_the_first_day(table: str) -> None:
    indexes = TABLES[table].get("GlobalSecondaryIndexes", [])

    assert {index["IndexName"]: keys_of(index["KeySchema"]) for index in indexes} == INDEXES[table]


def test_every_index_but_those_of_due_entries_holds_keys_only() -> None:
    projections = {
        index["IndexName"]: index["Projection"]["ProjectionType"]
        for table in TABLES.values()
        for index in table.get("GlobalSecondaryIndexes", [])
    }

    assert [projections.pop(name) for name in ("due", "slots")] == ["INCLUDE", "INCLUDE"]
    assert set(projections.values()) == {"KEYS_ONLY"}


@pytest.mark.parametrize(
    ("table", "numbers"),
    [
        ("FeedsTable", ("due_shard", "next_check_at", "slot_from", "pending_since")),
        ("FrontierTable", ("due_shard", "next_fetch_at")),
    ],
)
def test_shards_of_due_are_numbers_and_times_are_numbers(table: str, numbers: tuple[str, ...]) -> None:
    types = {each["AttributeName"]: each["AttributeType"] for each in TABLES[table]["AttributeDefinitions"]}

    assert {types[name] for name in numbers} == {"N"}


def test_the_due_index_of_the_frontier_shows_all_that_a_row_is() -> None:
    (due,) = [each for each in TABLES["FrontierTable"]["GlobalSecondaryIndexes"] if each["IndexName"] == "due"]
    projected = set(due["Projection"]["NonKeyAttributes"])

    assert projected | {"row_id", "next_fetch_at"} == set(ROW_ATTRIBUTES)
    assert len(projected) <= 20, "an index projects no more"


def test_temporary_items_expire() -> None:
    assert TABLES["StateTable"]["TimeToLiveSpecification"] == {"AttributeName": "expires_at", "Enabled": True}


def test_nothing_has_a_name_that_a_second_stack_would_collide_with() -> None:
    assert not [name for name, table in TABLES.items() if "TableName" in table]
    assert not [name for name, function in FUNCTIONS.items() if "FunctionName" in function]
    for group in LOG_GROUPS.values():
        assert "${AWS::StackName}" in group["LogGroupName"]["Fn::Sub"]
    for schedule in SCHEDULES.values():
        assert "${AWS::StackName}" in schedule["Name"]["Fn::Sub"]
    for queue in QUEUES.values():
        assert "${AWS::StackName}" in queue.get("QueueName", {"Fn::Sub": "${AWS::StackName}"})["Fn::Sub"]
    assert [bus["Name"] for bus in properties("AWS::Events::EventBus").values()] == [{"Ref": "AWS::StackName"}]


# --- functions ------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", FUNCTIONS)
def test_function_runs_on_the_chosen_runtime_and_processor_with_the_layer(function: str) -> None:
    settings = FUNCTIONS[function]
    (layer,) = resources("AWS::Lambda::LayerVersion")

    assert settings["Runtime"] == "python3.13"
    assert settings["Architectures"] == [{"Ref": "Architecture"}]
    assert settings["Layers"] == [{"Ref": layer}]


def test_arm64_is_the_default_and_the_layer_is_built_for_the_same() -> None:
    architecture = source()["Parameters"]["Architecture"]
    layer = source()["Resources"]["FeedwardLayer"]

    assert architecture["Default"] == "arm64"
    assert architecture["AllowedValues"] == ["arm64", "x86_64"]
    assert layer["Metadata"] == {"BuildMethod": "makefile", "BuildArchitecture": {"Ref": "Architecture"}}
    assert layer["Properties"]["CompatibleArchitectures"] == [{"Ref": "Architecture"}]
    assert "ARCHITECTURE ?= arm64" in (ROOT / "layers/feedward/Makefile").read_text()


@pytest.mark.parametrize("function", FUNCTIONS)
def test_environment_holds_exactly_the_variables_that_the_settings_read(function: str) -> None:
    variables = FUNCTIONS[function]["Environment"]["Variables"]
    read: set[str] = set()

    class Recorder(dict[str, str]):
        def get(self, name: str, default: Any = None) -> Any:
            read.add(name)
            return super().get(name, default)

    Settings.from_env(Recorder(URLS_TABLE="u", FEEDS_TABLE="f", STATE_TABLE="s"))

    assert set(variables) - OTHERS_VARIABLES == read
    assert variables["RES_OPTIONS"] == "timeout:2 attempts:2"


def test_defaults_of_the_template_are_those_of_the_settings() -> None:
    defaults = {field.name: field.default for field in dataclasses.fields(Settings)}
    parameters = source()["Parameters"]

    assert parameters["MaxRedirects"]["Default"] == defaults["max_redirects"]
    assert (parameters["FollowRedirects"]["Default"] == "true") is defaults["follow_redirects"]
    assert parameters["RsshubBaseUrl"]["Default"] == defaults["rsshub_base_url"]
    frontier: Any = defaults["frontier"]
    assert parameters["FrontierMoveOn"]["Default"] == frontier.move_on
    assert parameters["FrontierMaxAttempts"]["Default"] == frontier.max_attempts
    assert parameters["FrontierHostPauseSeconds"]["Default"] == frontier.host_pause_s
    assert (parameters["FrontierRespectRobots"]["Default"] == "true") is frontier.respect_robots


def test_defaults_and_bounds_of_the_frontier_are_those_of_the_settings() -> None:
    parameters = source()["Parameters"]
    attempts, pause = parameters["FrontierMaxAttempts"], parameters["FrontierHostPauseSeconds"]

    assert parameters["FrontierMoveOn"]["Default"] == DEFAULT_SETTINGS.move_on.value
    assert parameters["FrontierMoveOn"]["AllowedValues"] == [each.value for each in MoveOn]
    assert (attempts["Default"], attempts["MaxValue"]) == (DEFAULT_SETTINGS.max_attempts, ATTEMPTS_AT_MOST)
    assert (pause["Default"], pause["MaxValue"]) == (DEFAULT_SETTINGS.host_pause_s, HOST_PAUSE_AT_MOST_S)
    assert (parameters["FrontierRespectRobots"]["Default"] == "true") is DEFAULT_SETTINGS.respect_robots


def test_function_outlives_a_batch_and_the_api_outlives_the_function() -> None:
    timeout = FUNCTIONS["CanonicalizeFunction"]["Timeout"]
    integration = routes()["/v1/canonicalize"]["x-amazon-apigateway-integration"]

    assert BATCH_S + STORE_GRACE_S + ATTEMPT_S < timeout < integration["timeoutInMillis"] / 1000 <= 30
    assert THREADS == 25


def test_no_attempt_of_a_queue_or_of_the_bus_takes_longer_than_one_of_the_store() -> None:
    assert aws_calls.CONNECT_TIMEOUT_S + aws_calls.READ_TIMEOUT_S <= ATTEMPT_S


def test_an_attempt_of_a_bucket_that_begins_before_the_deadline_of_a_task_ends_before_its_function() -> None:
    assert aws_calls.CONNECT_TIMEOUT_S + bucket.READ_TIMEOUT_S < ATTEMPT_S + RETURN_S


def test_discover_answers_long_before_the_api_gives_up_and_outlives_a_job() -> None:
    timeout = FUNCTIONS["DiscoverFunction"]["Timeout"]
    waits = {
        route["x-amazon-apigateway-integration"]["timeoutInMillis"]
        for name, route in routes().items()
        if "/v1/discoveries" in name or "/v1/sites" in name
    }

    assert waits == {15_000}
    assert JOB_LIMITS.answer_s + batch.RESERVE_S < ALARMS["DiscoverDurationAlarm"]["Threshold"] / 1000 < timeout


def test_the_directory_answers_before_the_api_gives_up_and_its_alarm_lies_between() -> None:
    timeout = FUNCTIONS["DirectoryFunction"]["Timeout"]
    paths = ("/v1/feeds", "/v1/subscriptions", "/v1/frontier", "/v1/runs", "/v1/items")
    waits = {
        route["x-amazon-apigateway-integration"]["timeoutInMillis"] / 1000
        for name, route in routes().items()
        if name.startswith(paths)
    }

    assert waits == {29}
    assert ANSWER_S + ATTEMPT_S < ALARMS["DirectoryDurationAlarm"]["Threshold"] / 1000 < timeout < 29
    assert read_frontier.ANSWER_S == ANSWER_S
    assert timeout > read_frontier.SUBMIT_S + ATTEMPT_S


def test_no_variable_looks_like_a_secret() -> None:
    for function in FUNCTIONS.values():
        for name, value in function["Environment"]["Variables"].items():
            assert not re.search(r"SECRET|PASSWORD|TOKEN|PRIVATE|CREDENTIAL", name)
            assert not (isinstance(value, str) and re.search(r"AKIA[0-9A-Z]{16}|[A-Za-z0-9/+]{40}", value))


# --- permissions ----------------------------------------------------------------------------------


def test_each_role_has_exactly_the_actions_it_needs() -> None:
    granted = {
        name: {action for statement in statements(role) for action in as_list(statement["Action"])}
        for name, role in properties("AWS::IAM::Role").items()
    }

    assert granted == ALLOWED_ACTIONS


@pytest.mark.parametrize("role", properties("AWS::IAM::Role"))
def test_no_statement_has_a_wildcard(role: str) -> None:
    for statement in statements(properties("AWS::IAM::Role")[role]):
        assert statement["Effect"] == "Allow"
        assert not [action for action in as_list(statement["Action"]) if "*" in action]
        assert not [target for target in as_list(statement["Resource"]) if "*" in str(target) and target not in OBJECTS]


@pytest.mark.parametrize(
    "role", ["DiscoverFunctionRole", "HealthCheckFunctionRole", "DirectoryFunctionRole", "CollectFunctionRole"]
)
def test_events_are_put_in_this_projects_name_only(role: str) -> None:
    (statement,) = [one for one in statements(properties("AWS::IAM::Role")[role]) if one["Sid"] == "Events"]

    assert statement["Resource"] == {"Fn::GetAtt": ["EventBus", "Arn"]}
    assert statement["Condition"] == {"StringEquals": {"events:source": SOURCE}}


def test_functions_log_and_trace_by_the_managed_policies_and_have_no_other() -> None:
    for role in properties("AWS::IAM::Role").values():
        names = {arn.rpartition("/")[2] for arn in role.get("ManagedPolicyArns", ())}
        assert names <= {"AWSLambdaBasicExecutionRole", "AWSXrayWriteOnlyAccess", "AWSXRayDaemonWriteAccess"}


# --- queues and the bus ---------------------------------------------------------------------------


@pytest.mark.parametrize("queue", QUEUES)
def test_queue_is_encrypted_and_refuses_calls_without_tls(queue: str) -> None:
    (policy,) = [one for one in properties("AWS::SQS::QueuePolicy").values() if {"Ref": queue} in one["Queues"]]
    (refusal,) = [one for one in policy["PolicyDocument"]["Statement"] if one["Effect"] == "Deny"]

    assert QUEUES[queue]["SqsManagedSseEnabled"] is True
    assert refusal["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}
    assert {"Fn::GetAtt": [queue, "Arn"]} in refusal["Resource"]


@pytest.mark.parametrize(
    ("queue", "function", "receives"),
    [
        ("DiscoverQueue", "DiscoverFunction", batch.RECEIVES_AT_MOST),
        # The last receive puts long slots under exception; the repair pass handles feeds that are due by exception.
        ("HealthQueue", "HealthCheckFunction", RECEIVES),
        # ... and to the rows.
        ("FrontierQueue", "CollectFunction", 3),
    ],
)
def test_a_message_is_hidden_for_six_times_as_long_as_the_function_may_run_and_kept_if_it_never_works(
    queue: str, function: str, receives: int
) -> None:
    dead_letters = queue.replace("Queue", "DeadLetterQueue")
    redrive, kept = QUEUES[queue]["RedrivePolicy"], QUEUES[dead_letters]
    (source_arn,) = kept["RedriveAllowPolicy"]["sourceQueueArns"]

    assert QUEUES[queue]["VisibilityTimeout"] == 6 * FUNCTIONS[function]["Timeout"]
    assert redrive["deadLetterTargetArn"] == {"Fn::GetAtt": [dead_letters, "Arn"]}
    assert redrive["maxReceiveCount"] == receives
    assert kept["MessageRetentionPeriod"] == 14 * 24 * 3600
    assert kept["MessageRetentionPeriod"] > QUEUES[queue]["MessageRetentionPeriod"]
    assert kept["RedriveAllowPolicy"]["redrivePermission"] == "byQueue"
    assert source_arn["Fn::Sub"].endswith(":" + QUEUES[queue]["QueueName"]["Fn::Sub"])


@pytest.mark.parametrize(
    ("queue", "function", "messages", "limit"),
    [
        ("DiscoverQueue", "DiscoverFunction", 1, "DiscoverMaximumConcurrency"),
        ("HealthQueue", "HealthCheckFunction", 5, "HealthMaximumConcurrency"),
        ("FrontierQueue", "CollectFunction", 10, "FrontierMaximumConcurrency"),
    ],
)
def test_one_message_fails_alone_and_work_does_not_run_without_limit(
    queue: str, function: str, messages: int, limit: str
) -> None:
    sources = properties("AWS::Lambda::EventSourceMapping").values()
    (mapping,) = [one for one in sources if one["EventSourceArn"] == {"Fn::GetAtt": [queue, "Arn"]}]

    assert mapping["FunctionName"] == {"Ref": function}
    assert mapping["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert mapping["BatchSize"] == messages  # more than 10 would need a window
    assert mapping["ScalingConfig"] == {"MaximumConcurrency": {"Ref": limit}}
    assert source()["Parameters"][limit]["MinValue"] == 2


@pytest.mark.parametrize(
    ("rule", "event", "detail", "queue"),
    [
        ("SubscriptionCreatedRule", SUBSCRIPTION_CREATED, {}, "Discover"),
        ("RevivalRequestedRule", REVIVAL_REQUESTED, {}, "Discover"),
        ("ItemsToCollectRule", ITEMS_PUBLISHED, {"detail": {"collect_items": [True]}}, "Frontier"),
    ],
)
def test_the_rule_passes_its_event_to_the_queue_and_keeps_undelivered_events(
    rule: str, event: str, detail: dict[str, Any], queue: str
) -> None:
    (target,) = RULES[rule]["Targets"]
    (allowed,) = allowed_to_send(queue)

    assert RULES[rule]["EventBusName"] == {"Ref": "EventBus"}
    assert RULES[rule]["EventPattern"] == {"source": [SOURCE], "detail-type": [event], **detail}
    assert target["Arn"] == {"Fn::GetAtt": [f"{queue}Queue", "Arn"]}
    assert target["DeadLetterConfig"] == {"Arn": {"Fn::GetAtt": [f"{queue}DeadLetterQueue", "Arn"]}}
    assert allowed["Principal"] == {"Service": "events.amazonaws.com"}
    assert allowed["Action"] == "sqs:SendMessage"
    assert allowed["Resource"] == [target["Arn"], target["DeadLetterConfig"]["Arn"]]
    assert {"Fn::GetAtt": [rule, "Arn"]} in allowed["Condition"]["ArnEquals"]["aws:SourceArn"]


def allowed_to_send(queue: str) -> list[dict[str, Any]]:
    """The statements of the queue's policy that allow something."""
    statements = properties("AWS::SQS::QueuePolicy")[f"{queue}QueuePolicy"]["PolicyDocument"]["Statement"]
    return [one for one in statements if one["Effect"] == "Allow"]


def test_only_rules_of_the_bus_may_send_to_a_queue_from_outside() -> None:
    policies = properties("AWS::SQS::QueuePolicy")
    allowed = [one for name in policies for one in allowed_to_send(name.removesuffix("QueuePolicy"))]
    sources = [json.dumps(arn) for one in allowed for arn in one["Condition"]["ArnEquals"]["aws:SourceArn"]]

    assert sorted(sources) == sorted(json.dumps({"Fn::GetAtt": [rule, "Arn"]}) for rule in RULES)


@pytest.mark.parametrize(
    ("rule", "sample", "event"),
    [
        ("SubscriptionCreatedRule", "sqs_subscription_created", SUBSCRIPTION_CREATED),
        ("RevivalRequestedRule", "sqs_revival_requested", REVIVAL_REQUESTED),
        ("ItemsToCollectRule", "sqs_items_published", ITEMS_PUBLISHED),
    ],
)
def test_the_sample_of_an_event_is_one_that_the_rule_passes_on(rule: str, sample: str, event: str) -> None:
    (record,) = json.loads((EVENTS / f"{sample}.json").read_text())["Records"]
    sent = json.loads(record["body"])

    pattern = dict(RULES[rule]["EventPattern"])
    of_detail = pattern.pop("detail", {})
    assert all(sent[name] in wanted for name, wanted in pattern.items())
    assert all(sent["detail"][name] in wanted for name, wanted in of_detail.items())
    jsonschema.validate(sent["detail"], json.loads((ROOT / f"docs/events/{event}.json").read_text()))


# --- schedules ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "role", "samples", "decode"),
    [
        ("HealthCheckFunction", "HealthScheduleRole", "schedule", health_event.decode_task),
        ("CollectFunction", "CollectScheduleRole", "schedule_frontier", collect_event.decode_task),
    ],
)
@pytest.mark.parametrize(
    ("schedule", "rate"),
    [("Sweep", "rate(1 minute)"), ("Repair", "rate(15 minutes)"), ("Reconcile", "rate(15 minutes)")],
)
def test_the_schedule_wakes_its_function_with_a_task_that_it_knows(
    schedule: str, rate: str, function: str, role: str, samples: str, decode: Callable[[object], str]
) -> None:
    settings = SCHEDULES[f"{function}{schedule}"]
    target, task = settings["Target"], schedule.lower()
    sample = json.loads((EVENTS / f"{samples}_{task}.json").read_text())

    assert settings["ScheduleExpression"] == rate
    assert settings["FlexibleTimeWindow"] == {"Mode": "OFF"}
    assert settings["State"] == {"Ref": SCHEDULED[function]}
    assert target["Arn"] == {"Fn::GetAtt": [function, "Arn"]}
    assert target["RoleArn"] == {"Fn::GetAtt": [role, "Arn"]}
    assert json.loads(target["Input"]) == sample
    assert decode(sample) == task
    assert target["DeadLetterConfig"] == {"Arn": {"Fn::GetAtt": ["ScheduleDeadLetterQueue", "Arn"]}}


def test_the_pass_of_subscriptions_runs_only_where_hubs_can_reach_the_api() -> None:
    settings = SCHEDULES["HealthCheckFunctionPush"]
    sample = json.loads((EVENTS / "schedule_push.json").read_text())

    assert (settings["ScheduleExpression"], settings["FlexibleTimeWindow"]) == ("rate(1 minute)", {"Mode": "OFF"})
    assert settings["State"] == {"Fn::If": ["PushIsOn", "ENABLED", "DISABLED"]}
    assert source()["Conditions"]["PushIsOn"] == {
        "Fn::And": [{"Condition": "SweepIsOn"}, {"Condition": "HasPublicBaseUrl"}]
    }
    assert json.loads(settings["Target"]["Input"]) == sample
    assert health_event.decode_task(sample) == "push"
    assert settings["Target"]["RetryPolicy"] == {"MaximumRetryAttempts": 1, "MaximumEventAgeInSeconds": 60}


def test_calls_of_hubs_have_a_throttle_and_a_limit_of_their_own() -> None:
    (stage,) = properties("AWS::ApiGatewayV2::Stage").values()

    assert stage["RouteSettings"][f"ANY {CALLBACK}"] == {
        "ThrottlingRateLimit": {"Ref": "PushThrottlingRateLimit"},
        "ThrottlingBurstLimit": {"Ref": "PushThrottlingBurstLimit"},
        "DetailedMetricsEnabled": True,
    }
    assert FUNCTIONS["PushFunction"]["ReservedConcurrentExecutions"]["Fn::If"][:2] == [
        "HasPushReservedConcurrency",
        {"Ref": "PushReservedConcurrency"},
    ]


@pytest.mark.parametrize("function", SCHEDULED)
def test_no_schedule_is_tried_for_longer_than_until_the_next_one(function: str) -> None:
    asked_again = resources("AWS::Lambda::EventInvokeConfig")[f"{function}EventInvokeConfig"]["Properties"]

    # In addition to these: index, deletions of tenants, discover without checks, two of webhooks, and that of push.
    assert len(SCHEDULES) == len(PERIODS) * len(SCHEDULED) + 6
    for name, period in PERIODS.items():
        retry = SCHEDULES[f"{function}{name}"]["Target"]["RetryPolicy"]
        assert retry["MaximumRetryAttempts"] <= 2
        assert 60 <= retry["MaximumEventAgeInSeconds"] <= period
    assert (asked_again["MaximumRetryAttempts"], asked_again["MaximumEventAgeInSeconds"]) == (0, 60)
    assert asked_again["FunctionName"] == {"Ref": function}


@pytest.mark.parametrize("parameter", SCHEDULED.values())
def test_all_schedules_can_be_switched_off(parameter: str) -> None:
    state = source()["Parameters"][parameter]

    assert (state["AllowedValues"], state["Default"]) == (["ENABLED", "DISABLED"], "ENABLED")


def test_started_work_of_a_batch_ends_before_the_function() -> None:
    timeout = FUNCTIONS["HealthCheckFunction"]["Timeout"]
    alarm = ALARMS["HealthCheckDurationAlarm"]["Threshold"] / 1000

    assert check_batch.SETTINGS.task_s == check_batch.CHECK_S > REQUEST_S
    assert timeout / 1.5 > check_batch.CHECK_S + check_batch.SETTINGS.reserve_s  # else hardly a check would begin
    assert timeout - check_batch.SETTINGS.reserve_s < alarm < timeout
    assert QUEUES["HealthQueue"]["VisibilityTimeout"] == check_batch.SETTINGS.again_after_s


def test_a_page_or_a_job_that_has_begun_ends_before_the_function_does() -> None:
    timeout = FUNCTIONS["CollectFunction"]["Timeout"]
    alarm = ALARMS["CollectDurationAlarm"]["Threshold"] / 1000

    assert collect_batch.SETTINGS.task_s == collect_batch.ROW_S > REQUEST_S
    assert timeout / 1.5 > collect_batch.ROW_S + collect_batch.SETTINGS.reserve_s  # else hardly a page would begin
    assert timeout - collect_batch.SETTINGS.reserve_s < alarm < timeout
    assert QUEUES["FrontierQueue"]["VisibilityTimeout"] == collect_batch.SETTINGS.again_after_s
    assert ALARMS["FrontierQueueAgeAlarm"]["Threshold"] >= LONGEST_DELAY_S + LATE_AFTER_S


@pytest.mark.parametrize(
    ("alarm", "function", "metric", "condition"),
    [
        ("SweepMissingAlarm", "HealthCheckFunction", "FeedsDue", "SweepIsOn"),
        ("RowSweepMissingAlarm", "CollectFunction", "RowsDue", "FrontierSweepIsOn"),
    ],
)
def test_a_sweep_that_is_missing_has_an_alarm_while_there_should_be_sweeps(
    alarm: str, function: str, metric: str, condition: str
) -> None:
    settings, variables = ALARMS[alarm], FUNCTIONS[function]["Environment"]["Variables"]

    assert resources("AWS::CloudWatch::Alarm")[alarm]["Condition"] == condition
    enabled = {"Fn::Equals": [{"Ref": SCHEDULED[function]}, "ENABLED"]}
    assert source()["Conditions"][condition] == {"Fn::And": [{"Condition": "Refreshes"}, enabled]}
    assert (settings["MetricName"], settings["Statistic"], settings["ComparisonOperator"]) == (
        metric,
        "SampleCount",
        "LessThanThreshold",
    )
    assert settings["Namespace"] == variables["POWERTOOLS_METRICS_NAMESPACE"]
    assert settings["Dimensions"] == [{"Name": "service", "Value": variables["POWERTOOLS_SERVICE_NAME"]}]


def test_sweeps_of_the_frontier_that_fail_again_and_again_have_an_alarm() -> None:
    alarm, by_sweeps = ALARMS["RowSweepFailedAlarm"], ALARMS["RowSweepMissingAlarm"]

    assert (alarm["MetricName"], alarm["Statistic"], alarm["Threshold"]) == ("RowSweepFailed", "Sum", 1)
    assert alarm["Period"] * alarm["EvaluationPeriods"] >= 900  # the next sweep does the work that one leaves
    assert (alarm["Namespace"], alarm["Dimensions"]) == (by_sweeps["Namespace"], by_sweeps["Dimensions"])


def test_an_outage_of_our_own_has_an_alarm() -> None:
    alarm, by_sweeps = ALARMS["OutageAlarm"], ALARMS["SweepMissingAlarm"]

    assert (alarm["MetricName"], alarm["ComparisonOperator"]) == ("OutageMinutes", "GreaterThanOrEqualToThreshold")
    assert (alarm["Namespace"], alarm["Dimensions"]) == (by_sweeps["Namespace"], by_sweeps["Dimensions"])


# --- API ------------------------------------------------------------------------------------------


OPEN_ROUTES = {"/v1/health"}
PAGE = {path.partition(" ")[2] for path in page_routes(lambda: PageFiles({}))}
# Open routes outside the API: the page for people, and the callback of hubs.
OTHERS_PATHS = PAGE | {CALLBACK}
"""Open too, and no part of the API that is described."""


def test_every_route_but_the_open_ones_asks_for_a_key() -> None:
    security = {name: route["security"] for name, route in routes().items()}
    described = openapi_document()["paths"]
    without = {path for path, item in described.items() if any(one.get("security") == [] for one in item.values())}

    assert {path for path, asked in security.items() if asked == [{"NONE": []}]} == OPEN_ROUTES | OTHERS_PATHS
    assert without == OPEN_ROUTES
    assert all(asked == [{"Keys": []}] for path, asked in security.items() if path not in OPEN_ROUTES | OTHERS_PATHS)


def test_the_gateway_asks_the_authorizer_by_the_header_alone_and_keeps_its_verdict_as_long_as_the_parameter_says() -> (
    None
):
    (scheme,) = resources("AWS::ApiGatewayV2::Api")["Api"]["Properties"]["Body"]["components"][
        "securitySchemes"
    ].values()
    authorizer = scheme["x-amazon-apigateway-authorizer"]

    assert "AuthorizeFunction" in json.dumps(authorizer["authorizerUri"])
    assert authorizer["identitySource"] == ["$request.header.Authorization"]
    assert authorizer["authorizerResultTtlInSeconds"] == {"Ref": "KeyCacheSeconds"}
    assert (authorizer["authorizerPayloadFormatVersion"], authorizer["enableSimpleResponses"]) == ("2.0", True)
    assert source()["Parameters"]["KeyCacheSeconds"]["Default"] == 60


def test_the_gateway_may_call_the_authorizer() -> None:
    allowed = [
        one["Properties"]
        for one in resources("AWS::Lambda::Permission").values()
        if one["Properties"]["FunctionName"] == {"Fn::GetAtt": ["AuthorizeFunction", "Arn"]}
    ]

    assert [one["Principal"] for one in allowed] == ["apigateway.amazonaws.com"]
    assert "/authorizers/*" in json.dumps(allowed[0]["SourceArn"])


def test_the_authorizer_outlasts_its_store() -> None:
    timeout = FUNCTIONS["AuthorizeFunction"]["Timeout"]

    assert CONNECT_TIMEOUT_S + READ_TIMEOUT_S + READ_S <= timeout <= 3


def test_routes_of_the_template_are_those_of_the_api_description() -> None:
    assert set(routes()) == set(openapi_document()["paths"]) | OTHERS_PATHS


NO_PORTS: Any = None
ROUTES_OF = {
    "DirectoryFunction": {
        *directory_routes(NO_PORTS),
        *collect_routes(NO_PORTS),
        *import_routes(NO_PORTS),
        *export_routes(NO_PORTS),
        *webhook_routes(NO_PORTS),
        *quota_routes(NO_PORTS),
        *stats_routes(NO_PORTS),
        *key_routes(NO_PORTS),
        *tenant_routes(NO_PORTS),
    },
    "DiscoverFunction": {*discover_routes(NO_PORTS)},
    "PageFunction": {*page_routes(lambda: PageFiles({}))},
    "PushFunction": {*push_routes(NO_PORTS, NO_PORTS)},
    "CanonicalizeFunction": {"POST /v1/canonicalize", "GET /v1/health", "GET /v1/openapi.json"},
}


@pytest.mark.parametrize("path", routes())
def test_a_path_leads_to_the_function_that_has_all_its_methods(path: str) -> None:
    of_others = {"get"} if path in PAGE else {"get", "post"} if path == CALLBACK else {}
    methods = openapi_document()["paths"].get(path, of_others)
    described = {f"{method.upper()} {path}" for method in methods}
    (function,) = re.findall(
        r"functions/\$\{(\w+)", json.dumps(routes()[path]["x-amazon-apigateway-integration"]["uri"])
    )

    assert {key for key in ROUTES_OF[function] if key.partition(" ")[2] == path} == described


@pytest.mark.parametrize("path", routes())
def test_the_gateway_may_call_the_function_of_a_path_with_any_method(path: str) -> None:
    arns = [json.dumps(each["SourceArn"]) for each in properties("AWS::Lambda::Permission").values()]
    below = re.sub(r"\{\w+\}", "*", path)

    assert any(arn.endswith(f'/*{below}", {{"__ApiId__": {{"Ref": "Api"}}, "__Stage__": "*"}}]}}') for arn in arns), (
        arns
    )


@pytest.mark.parametrize("route", routes())
def test_route_uses_payload_version_2(route: str) -> None:
    assert routes()[route]["x-amazon-apigateway-integration"]["payloadFormatVersion"] == "2.0"


def test_stage_is_throttled_and_logs_each_access_as_json() -> None:
    (stage,) = properties("AWS::ApiGatewayV2::Stage").values()

    assert stage["DefaultRouteSettings"]["ThrottlingRateLimit"] == {"Ref": "ThrottlingRateLimit"}
    assert stage["DefaultRouteSettings"]["ThrottlingBurstLimit"] == {"Ref": "ThrottlingBurstLimit"}
    assert "$context.requestId" in stage["AccessLogSettings"]["Format"]
    assert "\n" not in stage["AccessLogSettings"]["Format"]
    assert stage["AccessLogSettings"]["DestinationArn"] == {"Fn::GetAtt": ["ApiLogGroup", "Arn"]}


# --- operation ------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", FUNCTIONS)
def test_function_logs_json_into_a_group_of_its_own(function: str) -> None:
    logging = FUNCTIONS[function]["LoggingConfig"]

    assert logging["LogFormat"] == "JSON"
    assert logging["ApplicationLogLevel"] == {"Ref": "LogLevel"}
    assert logging["LogGroup"]["Ref"] in LOG_GROUPS
    groups = [each["LoggingConfig"]["LogGroup"]["Ref"] for each in FUNCTIONS.values()]
    assert len(set(groups)) == len(groups)


def test_metrics_are_never_dropped_by_the_log_level() -> None:
    assert source()["Parameters"]["LogLevel"]["AllowedValues"] == ["DEBUG", "INFO"]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_report_lines_with_the_memory_used_are_logged(function: str) -> None:
    assert FUNCTIONS[function]["LoggingConfig"]["SystemLogLevel"] == "INFO"


def test_every_log_group_forgets() -> None:
    assert LOG_GROUPS
    assert all(group["RetentionInDays"] == {"Ref": "LogRetentionDays"} for group in LOG_GROUPS.values())


@pytest.mark.parametrize("alarm", ALARMS)
def test_alarm_notifies_the_topic_and_has_a_section_in_the_manual(alarm: str) -> None:
    settings = ALARMS[alarm]
    manual = (ROOT / "docs" / "operations.md").read_text()

    assert settings["AlarmActions"]["Fn::If"][:2] == ["HasAlarmTopic", [{"Ref": "AlarmTopicArn"}]]
    assert settings["TreatMissingData"] == ("breaching" if alarm in ALARMS_OF_SILENCE else "notBreaching")
    assert f"\n## {section(alarm)}\n" in manual
    assert section(alarm) == alarm or alarm.endswith(section(alarm).removeprefix("Table"))


def section(alarm: str) -> str:
    """The section of the manual that the alarm's description names: its own, or one for all alarms of a kind."""
    return str(ALARMS[alarm]["AlarmDescription"].partition(" docs/operations.md, ")[2])


@pytest.mark.parametrize("function", FUNCTIONS)
def test_function_has_alarms_for_errors_throttles_and_duration(function: str) -> None:
    watched = {
        alarm["MetricName"]
        for alarm in ALARMS.values()
        if {"Ref": function} in [dimension["Value"] for dimension in alarm.get("Dimensions", ())]
    }

    assert watched - {"RecursiveInvocationsDropped", "IteratorAge"} == {"Errors", "Throttles", "Duration"}


def test_duration_alarm_lies_between_a_full_batch_and_the_timeout() -> None:
    timeout_ms = FUNCTIONS["CanonicalizeFunction"]["Timeout"] * 1000

    assert BATCH_S * 1000 < ALARMS["CanonicalizeDurationAlarm"]["Threshold"] < timeout_ms


@pytest.mark.parametrize("queue", [name for name in QUEUES if name.endswith("DeadLetterQueue")])
def test_dead_letters_have_an_alarm(queue: str) -> None:
    alarm = ALARMS[queue.replace("LetterQueue", "LettersAlarm")]

    assert alarm["MetricName"] == "ApproximateNumberOfMessagesVisible"
    assert alarm["Dimensions"][0]["Value"]["Fn::GetAtt"] == [queue, "QueueName"]
    assert alarm["Threshold"] == 1


@pytest.mark.parametrize("queue", ["DiscoverQueue", "HealthQueue", "FrontierQueue"])
def test_work_that_waits_has_an_alarm(queue: str) -> None:
    alarm = ALARMS[f"{queue}AgeAlarm"]

    assert alarm["MetricName"] == "ApproximateAgeOfOldestMessage"
    assert alarm["Dimensions"][0]["Value"]["Fn::GetAtt"] == [queue, "QueueName"]
    assert alarm["Threshold"] >= 2 * QUEUES[queue]["VisibilityTimeout"]


def test_api_failures_have_an_alarm() -> None:
    assert ALARMS["ApiServerErrorsAlarm"]["MetricName"] == "5xx"


def test_the_manual_has_no_alarm_that_is_gone() -> None:
    manual = (ROOT / "docs" / "operations.md").read_text()

    assert set(re.findall(r"^## (\w+Alarm)$", manual, re.MULTILINE)) == {section(alarm) for alarm in ALARMS}


def test_outputs_name_the_tables_the_queues_the_api_and_the_bus() -> None:
    assert {f"{table}Name" for table in TABLES} | {"ApiUrl", "EventBusName"} <= set(translated()["Outputs"])
    assert {f"{queue}Url" for queue in QUEUES} <= set(translated()["Outputs"])


def test_no_account_and_no_region_is_written_down() -> None:
    text = TEMPLATE.read_text() + (ROOT / "samconfig.toml").read_text()

    assert not re.search(r"\b\d{12}\b", text)
    assert not re.search(r"\b(?:us|eu|ap|sa|ca|me|af)-[a-z]+-\d\b", text)


def test_samconfig_tags_its_resources_and_keeps_the_template_check_on() -> None:
    config = tomllib.loads((ROOT / "samconfig.toml").read_text())

    for name in ("default", "prod"):
        assert config[name]["deploy"]["parameters"]["tags"].startswith("project=feedward")
        assert config[name]["deploy"]["parameters"]["confirm_changeset"] is True
        assert "lint" not in config[name].get("validate", {}).get("parameters", {})
