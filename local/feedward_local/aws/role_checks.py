"""Corrects MiniStack's check of the functions' roles where it differs from AWS.

It runs inside MiniStack, with roles enforced (`--iam`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

# AWS has no action for these: a batch needs the action of its entries.
BATCH_OF = {
    "sqs:SendMessageBatch": "sqs:SendMessage",
    "sqs:DeleteMessageBatch": "sqs:DeleteMessage",
    "sqs:ChangeMessageVisibilityBatch": "sqs:ChangeMessageVisibility",
}
PUT_EVENTS = "events:PutEvents"
TLS = (b"x-forwarded-proto", b"https")


def check_as_aws_does(actions: Any) -> None:
    """Change `actions`, MiniStack's module that returns the action of a request and its conditions."""
    known = vars(actions)
    known["extract_iam_action"] = _action_of_entries(actions.extract_iam_action)
    known["request_tag_context"] = _with_source(actions.request_tag_context)


def as_over_tls(scope: Mapping[str, Any]) -> dict[str, Any]:
    """Return a request as if over TLS, which loopback replaces: queue policies deny requests without it."""
    return {**scope, "headers": [*scope["headers"], TLS]}


def source_of(body: bytes) -> str | None:
    """Return the source of all events in a call of PutEvents, the value of `events:source`. None if they differ."""
    try:
        sources = {entry["Source"] for entry in json.loads(body)["Entries"]}
    except (ValueError, LookupError, TypeError):
        return None
    return sources.pop() if len(sources) == 1 else None


def _action_of_entries(extract: Callable[..., str | None]) -> Callable[..., str | None]:
    def extracted(*request: Any) -> str | None:
        action = extract(*request)
        return BATCH_OF.get(action, action) if action else action

    return extracted


def _with_source(context: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    def told(service: str, action: str, body: bytes, *parameters: Any) -> dict[str, Any]:
        found = context(service, action, body, *parameters)
        source = source_of(body) if action == PUT_EVENTS else None
        return {**found, "events:source": source} if source else found

    return told
