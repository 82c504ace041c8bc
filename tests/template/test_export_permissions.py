"""The AWS actions of exports, and the right to sign with one key of KMS."""

from __future__ import annotations

import re
from typing import Any

import pytest

from feedward.adapters.dynamodb.feeds.feed_reader import DynamoExportedFeeds
from feedward.adapters.dynamodb.state.export_jobs import DynamoExportJobs
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.tenants.subscriptions import DynamoSubscriptions
from feedward.adapters.kms import KmsSigner
from feedward.services.export import export_now
from tests.fakes.feed_store import PATIENT
from tests.template.test_permissions import Recorder, granted
from tests.template.translation import resources, source
from tests.unit.services.export.exporting import Exporting

# Objects: parts of files, and the index for exports of a search.
OF_COLLECT = {
    ("s3:GetObject", "BodiesBucket/exports/*"),
    ("s3:PutObject", "BodiesBucket/exports/*"),
    *(("s3:GetObject", f"SearchBucket/{key}") for key in ("manifest.json", "bases/*", "deltas/*")),
}


def asked_by_exports() -> set[tuple[str, str]]:
    """The requests to the tables by the job of a large export, of each kind."""
    directory = Exporting()
    recorder: Any = Recorder(directory.faults)
    names = directory.contents.names
    tables = Tables(recorder, names, PATIENT)
    directory.feed("tea", category="Food")
    directory.imported("https://tea.example/feed\n")
    directory.exported_feeds, directory.export_jobs = DynamoExportedFeeds(tables), DynamoExportJobs(tables)
    directory.subscriptions = DynamoSubscriptions(tables)
    for query in ({}, {"topic": "food"}, {"tag": ""}):
        directory.job("json", **query)
    recorder.asked.clear()
    assert directory.steps() == 3
    logical = {names.feeds: "FeedsTable", names.state: "StateTable", names.tenants: "TenantsTable"}
    parts = ((action, *resource.partition("/")) for action, resource in recorder.asked)
    return {(action, logical[table] + mark + index) for action, table, mark, index in parts}


@pytest.fixture(autouse=True)
def _all_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_now, "INLINE_BYTES", 0)


def test_collecting_may_write_exports() -> None:
    asked = asked_by_exports()

    assert ("Query", "FeedsTable/index/by_topic") in asked
    assert asked | OF_COLLECT <= granted("CollectFunctionRole")


def test_the_key_may_sign_only_where_there_is_one_and_nothing_else() -> None:
    policy = resources("AWS::IAM::Policy")["PackSigningKeyPolicy"]
    (statement,) = policy["Properties"]["PolicyDocument"]["Statement"]
    asked: set[str] = set()

    class Kms:
        def get_public_key(self, **_: Any) -> dict[str, Any]:
            asked.add("kms:GetPublicKey")
            return {"SigningAlgorithms": ["ECDSA_SHA_256"]}

        def sign(self, **_: Any) -> dict[str, Any]:
            asked.add("kms:Sign")
            return {"Signature": b"x"}

    KmsSigner("arn", Kms).sign(b"0" * 32)

    assert policy["Condition"] == "HasPackSigningKey"
    assert policy["Properties"]["Roles"] == [{"Ref": "CollectFunctionRole"}, {"Ref": "DirectoryFunctionRole"}]
    assert set(statement["Action"]) == asked
    assert statement["Resource"] == {"Ref": "PackSigningKeyArn"}


@pytest.mark.parametrize(
    ("arn", "is_taken"),
    [
        ("", True),
        ("arn:aws:kms:eu-west-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab", True),
        ("arn:aws-cn:kms:cn-north-1:123456789012:key/mrk-1234", True),
        ("arn:aws:kms:eu-west-1:123456789012:alias/x", False),
        ("arn:aws:kms:*:123456789012:key/*", False),
        ("key/1", False),
    ],
)
def test_the_key_is_named_by_its_arn(arn: str, is_taken: bool) -> None:
    allowed = re.compile(source()["Parameters"]["PackSigningKeyArn"]["AllowedPattern"])

    assert bool(allowed.search(arn)) is is_taken
