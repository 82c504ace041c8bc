"""Keys and tenants on the whole stack: by direct invocation, and the traces of secrets afterwards."""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from feedward.access.key import Key, parse_key
from feedward_local.api_client.by_hand import StackByHand
from tests.local.stack_aws import STACK, StackAws
from tests.local.stack_process import StackProcess

FULL_KEY = re.compile(r"fw_[0-9A-Za-z]{12}_[0-9A-Za-z]{36}")


@pytest.fixture
def by_hand(stack: StackProcess) -> StackByHand:
    return StackByHand(STACK, StackAws(stack.state / "demo").client)


def new_key(by_hand: StackByHand, tenant: str, scope: str = "admin") -> Key:
    body = {"name": "a key", "scope": scope, "tenant_id": tenant}
    made = by_hand.call("POST", "/v1/keys", body, has="key")
    assert made.status == 201, made.document
    key = parse_key(made.document["key"])
    assert key is not None
    return key


def files_below(folder: Path) -> Iterator[str]:
    """The texts of all files. MiniStack swaps folders while it saves, so that some may vanish meanwhile."""
    for path, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                yield (Path(path) / name).read_text(errors="replace")


def test_keys_come_and_go_and_a_tenant_with_them(by_hand: StackByHand, stack: StackProcess) -> None:
    first, second = new_key(by_hand, "acme"), new_key(by_hand, "acme", "read")
    newer = by_hand.call("POST", f"/v1/keys/{first.key_id}/rotate", {"tenant_id": "acme"}, has="key").document
    assert newer["replaces"]["id"] == first.key_id
    assert by_hand.call("DELETE", f"/v1/keys/{second.key_id}?tenant_id=acme", has="").status == 204
    listed = by_hand.call("GET", "/v1/keys?tenant_id=acme", has="keys").document["keys"]
    assert [(each["id"], each["status"]) for each in listed] == [
        (first.key_id, "live"),
        (second.key_id, "revoked"),
        (newer["id"], "live"),
    ]

    gone = by_hand.call("DELETE", "/v1/tenants/acme", has="removed")
    assert (gone.status, gone.document["deleted_at"]) == (202, None)
    assert gone.document["looks_again_at"] is not None
    listed = by_hand.call("GET", "/v1/keys?tenant_id=acme", has="keys").document["keys"]
    assert {each["status"] for each in listed} == {"revoked"}
    assert by_hand.call("POST", "/v1/keys", {"name": "x", "scope": "read", "tenant_id": "acme"}, has="").status == 409
    assert "acme" in {each["id"] for each in by_hand.call("GET", "/v1/tenants", has="tenants").document["tenants"]}
    assert stack.call("GET", "/v1/health")[0] == 200


def test_no_table_no_object_and_no_log_of_the_stack_has_a_secret(by_hand: StackByHand, stack: StackProcess) -> None:
    key = new_key(by_hand, "zulu")
    aws = StackAws(stack.state / "demo")
    kept = []
    for name in aws.dynamodb.list_tables()["TableNames"]:
        for page in aws.dynamodb.get_paginator("scan").paginate(TableName=name):
            kept += [json.dumps(item) for item in page["Items"]]
    kept += files_below(stack.state)
    kept.append(stack.shown)
    assert any(key.key_id in text for text in kept)
    assert [text[:200] for text in kept if key.secret in text or FULL_KEY.search(text)] == []
