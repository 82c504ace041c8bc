"""cfn-lint on template.yaml, and on SAM's translation of it: each sees faults that the other does not."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import pytest
from samtranslator.model.exceptions import InvalidDocumentException

from tests.template.translation import TEMPLATE, translate, translated


@functools.cache
def all_rules() -> Any:
    """cfn-lint's rules. They read many files, which takes longer than the lint of a small template."""
    from cfnlint.config import ConfigMixIn
    from cfnlint.runner import Runner

    return Runner(ConfigMixIn()).rules


def lint(text: str, *, without: tuple[str, ...] = ()) -> list[str]:
    # Takes seconds, and each worker loads this file.
    from cfnlint.config import ConfigMixIn
    from cfnlint.decode.decode import decode_str
    from cfnlint.runner import run_template_by_data

    template, faults = decode_str(text)
    settings = ConfigMixIn(regions=["eu-central-1"], ignore_checks=list(without))
    found = faults or run_template_by_data(template, settings, all_rules())
    return [f"{match.rule.id} {match.message} at line {match.linenumber}" for match in found]


def gate(text: str) -> list[str]:
    """The faults of a SAM template as it is written, or else of SAM's translation of it."""
    try:
        return lint(text) or lint(json.dumps(translate(text)))
    except InvalidDocumentException as error:
        return [str(cause.message) for cause in error.causes]


def test_template_is_clean() -> None:
    assert lint(TEMPLATE.read_text()) == []


def test_translated_template_is_clean() -> None:
    # SAM copies the variables of all functions into those that a shape leaves out: one side of an If is never reached.
    assert lint(json.dumps(translated()), without=("W1028",)) == []


# Of each kind of resource one, with the lines that the faults change: the whole template takes seconds a time.
EXCERPT = """
Transform: AWS::Serverless-2016-10-31
Parameters:
  LogRetentionDays: {Type: Number, Default: 30, AllowedValues: [7, 30]}
Resources:
  UrlsTable:
    Type: AWS::DynamoDB::Table
    DeletionPolicy: Retain
    UpdateReplacePolicy: Retain
    Properties:
      BillingMode: PAY_PER_REQUEST
      AttributeDefinitions:
        - {AttributeName: url_hash, AttributeType: S}
        - {AttributeName: feed_id, AttributeType: S}
      KeySchema:
        - {AttributeName: url_hash, KeyType: HASH}
      GlobalSecondaryIndexes:
        - IndexName: by_feed
          KeySchema:
            - {AttributeName: feed_id, KeyType: HASH}
          Projection: {ProjectionType: KEYS_ONLY}
  CanonicalizeFunction:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: functions/canonicalize/
      Handler: app.handler
      Runtime: python3.13
      MemorySize: 1024
      Timeout: 25
      Environment:
        Variables:
          URLS_TABLE: !Ref UrlsTable
  CanonicalizeLogGroup:
    Type: AWS::Logs::LogGroup
    DeletionPolicy: Delete
    UpdateReplacePolicy: Delete
    Properties:
      RetentionInDays: !Ref LogRetentionDays
"""


def test_the_excerpt_is_clean() -> None:
    assert gate(EXCERPT) == []


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("URLS_TABLE: !Ref UrlsTable", "URLS_TABLE: !Ref UrlTable"),
        ("Timeout: 25", "Timeout: 901"),
        ("MemorySize: 1024", "MemorySise: 1024"),
        ("Runtime: python3.13", "Runtime: python3.7"),
        ("AttributeName: url_hash, KeyType: HASH", "AttributeName: url_hesh, KeyType: HASH"),
        ("RetentionInDays: !Ref LogRetentionDays", "RetentionInDays: 8"),
        ("ProjectionType: KEYS_ONLY", "ProjectionType: KEYS"),
    ],
)
def test_the_gate_sees_a_fault(right: str, wrong: str) -> None:
    assert right in TEMPLATE.read_text()
    assert right in EXCERPT

    assert gate(EXCERPT.replace(right, wrong))


def test_translation_does_not_depend_on_the_working_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    assert translate(TEMPLATE.read_text())["Resources"]
