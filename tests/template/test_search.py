"""The stream, the bucket and the function of the search index."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest

from feedward.messages.index_event import Task, decode_task
from feedward.search.manifest import REBUILD_S
from feedward.services.search.index_feeds import FEEDS_AT_ONCE, index_feeds
from feedward.services.search.maintain_index import maintain_index, rebuild_index
from tests.fakes.directory import NOW
from tests.fakes.directory_parts import FakeDirectoryParts
from tests.functions.conftest import read_event
from tests.functions.directory_function import make_directory_function
from tests.template.test_permissions import Recorder, granted
from tests.template.translation import properties, resources, source

MAPPING = properties("AWS::Lambda::EventSourceMapping")["FeedsStreamToIndex"]
BUCKET = properties("AWS::S3::Bucket")["SearchBucket"]
FUNCTION = properties("AWS::Lambda::Function")["IndexFunction"]
# Lambda's own rights in the function's name, to read the stream and to drop a batch.
EVENT_SOURCE = {
    *((f"{name}", "FeedsTable.Stream") for name in ("DescribeStream", "GetRecords", "GetShardIterator", "ListStreams")),
    ("sqs:SendMessage", "IndexDeadLetterQueue"),
}


# --- the stream ---------------------------------------------------------------------------------------


def test_the_stream_has_keys_only_and_wakes_the_function_for_items_that_can_change_a_document() -> None:
    assert properties("AWS::DynamoDB::Table")["FeedsTable"]["StreamSpecification"] == {"StreamViewType": "KEYS_ONLY"}
    (pattern,) = MAPPING["FilterCriteria"]["Filters"]

    assert json.loads(pattern["Pattern"]) == {"dynamodb": {"Keys": {"sk": {"S": ["FEED", "META"]}}}}
    assert MAPPING["EventSourceArn"] == {"Fn::GetAtt": ["FeedsTable", "StreamArn"]}
    assert MAPPING["FunctionName"] == {"Ref": "IndexFunction"}
    assert MAPPING["StartingPosition"] == "TRIM_HORIZON"


def test_a_bad_record_holds_up_the_others_for_a_while_only() -> None:
    assert MAPPING["BisectBatchOnFunctionError"] is True
    assert MAPPING["FunctionResponseTypes"] == ["ReportBatchItemFailures"]
    assert 1 <= MAPPING["MaximumRetryAttempts"] <= 100
    assert timedelta(hours=1) <= timedelta(seconds=MAPPING["MaximumRecordAgeInSeconds"]) <= timedelta(hours=12)
    assert MAPPING["DestinationConfig"] == {
        "OnFailure": {"Destination": {"Fn::GetAtt": ["IndexDeadLetterQueue", "Arn"]}}
    }


def test_a_change_is_found_within_2_minutes() -> None:
    """The window, a first search that asks 10 s later, and a batch of a few seconds twice."""
    assert MAPPING["MaximumBatchingWindowInSeconds"] <= 30
    assert MAPPING["BatchSize"] <= 2 * FEEDS_AT_ONCE


def test_waiting_changes_have_an_alarm() -> None:
    alarm = properties("AWS::CloudWatch::Alarm")["IndexIteratorAgeAlarm"]

    assert (alarm["Namespace"], alarm["MetricName"], alarm["Statistic"]) == ("AWS/Lambda", "IteratorAge", "Maximum")
    assert alarm["Dimensions"] == [{"Name": "FunctionName", "Value": {"Ref": "IndexFunction"}}]
    assert alarm["Threshold"] <= 600_000


# --- the function -------------------------------------------------------------------------------------


def test_the_schedule_is_the_maintenance() -> None:
    schedule = properties("AWS::Scheduler::Schedule")["IndexFunctionMaintain"]
    target = schedule["Target"]

    assert schedule["ScheduleExpression"] == "rate(1 minute)"
    assert json.loads(target["Input"]) == read_event("schedule_maintain_index")
    assert decode_task(json.loads(target["Input"])) is Task.MAINTAIN
    assert target["Arn"] == {"Fn::GetAtt": ["IndexFunction", "Arn"]}
    assert target["DeadLetterConfig"] == {"Arn": {"Fn::GetAtt": ["ScheduleDeadLetterQueue", "Arn"]}}


def test_a_claim_of_a_rebuild_lasts_as_long_as_a_call_may() -> None:
    assert FUNCTION["Timeout"] == REBUILD_S


def test_the_disks_have_the_sizes_that_the_comments_state() -> None:
    directory = properties("AWS::Lambda::Function")["DirectoryFunction"]

    assert FUNCTION["EphemeralStorage"]["Size"] >= 5 * 460
    assert directory["EphemeralStorage"]["Size"] >= 4 * 2 * 120


def test_the_function_has_exactly_the_permissions_that_it_uses() -> None:
    function = make_directory_function()
    recorder: Any = Recorder(function.directory.faults)
    parts = FakeDirectoryParts(function.directory, client=recorder)
    maintain_index(ports=parts)
    feed_id = function.feed("garden", title="Garden")
    function.directory.sites.found_at(feed_id, site_id="5" * 64)
    assert index_feeds([feed_id], ports=parts).sent == 1
    function.directory.clock.advance(2 * 24 * 3600)
    rebuild_index(ports=parts)
    parts.search.feed.compact(now=NOW)
    function.directory.clock.advance(2 * 24 * 3600)
    rebuild_index(ports=parts)

    names = function.directory.contents.names
    tables = {names.feeds: "FeedsTable", names.sites: "SitesTable"}
    asked = {
        (action, resource.replace(table, name))
        for action, resource in recorder.asked
        for table, name in tables.items()
        if table in resource
    }
    objects = {(f"s3:{action}", "SearchBucket/*") for action, key in parts.search.s3.asked if key}
    assert {action for action, _ in objects} == {"s3:GetObject", "s3:PutObject", "s3:DeleteObject"}
    assert granted_to_index() == asked | objects | {("s3:ListBucket", "SearchBucket")} | EVENT_SOURCE


def granted_to_index() -> set[tuple[str, str]]:
    """The role's rights; those on the stream by its own name."""
    stream = {action for action, name in EVENT_SOURCE if name == "FeedsTable.Stream"}
    return {
        (action, "FeedsTable.Stream" if action in stream else name) for action, name in granted("IndexFunctionRole")
    }


# --- the bucket ---------------------------------------------------------------------------------------


def test_only_the_functions_reach_the_bucket_and_only_over_tls() -> None:
    (rule,) = BUCKET["BucketEncryption"]["ServerSideEncryptionConfiguration"]
    (statement,) = properties("AWS::S3::BucketPolicy")["SearchBucketPolicy"]["PolicyDocument"]["Statement"]

    assert rule["ServerSideEncryptionByDefault"]["SSEAlgorithm"] == "AES256"
    assert set(BUCKET["PublicAccessBlockConfiguration"].values()) == {True}
    assert BUCKET["OwnershipControls"] == {"Rules": [{"ObjectOwnership": "BucketOwnerEnforced"}]}
    assert (statement["Effect"], statement["Condition"]) == ("Deny", {"Bool": {"aws:SecureTransport": "false"}})


def test_no_rule_by_age_deletes_a_base_that_is_in_use() -> None:
    (rule,) = BUCKET["LifecycleConfiguration"]["Rules"]

    assert rule.keys() == {"Id", "Status", "AbortIncompleteMultipartUpload"}
    assert "VersioningConfiguration" not in BUCKET
    assert resources("AWS::S3::Bucket")["SearchBucket"]["DeletionPolicy"] == "Retain"


# --- OpenSearch ---------------------------------------------------------------------------------------


def test_a_cluster_may_be_called_by_the_functions_of_search_alone_and_only_where_there_is_one() -> None:
    policy = resources("AWS::IAM::Policy")["OpenSearchPolicy"]
    (statement,) = policy["Properties"]["PolicyDocument"]["Statement"]

    assert policy["Condition"] == "HasOpenSearch"
    assert policy["Properties"]["Roles"] == [{"Ref": "IndexFunctionRole"}, {"Ref": "DirectoryFunctionRole"}]
    assert statement["Resource"] == {"Fn::Sub": "${OpenSearchDomainArn}/*"}
    assert all(action.startswith("es:ESHttp") and "*" not in action for action in statement["Action"])


@pytest.mark.parametrize(("value", "is_allowed"), [("sqlite", True), ("opensearch", True), ("other", False)])
def test_the_backends_are_those_of_the_settings(value: str, is_allowed: bool) -> None:
    assert (value in source()["Parameters"]["SearchBackend"]["AllowedValues"]) is is_allowed
