"""Corrections of MiniStack's checks of roles, so that they decide like AWS."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from feedward_local.aws.role_checks import as_over_tls, check_as_aws_does, source_of


def checks(action: str | None) -> Any:
    """A module of MiniStack's for a request of this action."""
    known = SimpleNamespace(
        extract_iam_action=lambda *_: action,
        request_tag_context=lambda *_: {"aws:tagkeys": ["stays"]},
    )
    check_as_aws_does(known)
    return known


@pytest.mark.parametrize(
    ("asked", "checked"),
    [
        ("sqs:SendMessageBatch", "sqs:SendMessage"),
        ("sqs:DeleteMessageBatch", "sqs:DeleteMessage"),
        ("sqs:SendMessage", "sqs:SendMessage"),
        ("dynamodb:BatchGetItem", "dynamodb:BatchGetItem"),
        (None, None),
    ],
)
def test_a_batch_needs_the_action_of_its_entries(asked: str | None, checked: str | None) -> None:
    assert checks(asked).extract_iam_action("sqs", "POST", "/", {}, b"", {}) == checked


def events(*sources: str) -> bytes:
    return json.dumps({"Entries": [{"Source": source} for source in sources]}).encode()


def test_the_source_of_events_is_a_condition_of_the_call() -> None:
    known = checks(None)

    assert known.request_tag_context("events", "events:PutEvents", events("feedward"), {}) == {
        "aws:tagkeys": ["stays"],
        "events:source": "feedward",
    }
    assert "events:source" not in known.request_tag_context("events", "events:PutRule", events("feedward"), {})


@pytest.mark.parametrize(
    "body", [events(), events("feedward", "another"), b"", b"[]", b'{"Entries": 1}', b'{"Entries": [{}]}', b"\xff"]
)
def test_events_of_no_or_of_several_sources_meet_no_condition(body: bytes) -> None:
    assert source_of(body) is None


def test_a_request_over_loopback_counts_as_one_over_tls() -> None:
    scope = {"type": "http", "headers": [(b"host", b"127.0.0.1")]}

    assert as_over_tls(scope)["headers"] == [(b"host", b"127.0.0.1"), (b"x-forwarded-proto", b"https")]
    assert scope["headers"] == [(b"host", b"127.0.0.1")]
