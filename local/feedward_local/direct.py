"""What is done on a local stack with the rights of its AWS account, past the API: calls of functions, the first key."""

from __future__ import annotations

import json
from typing import Any

from feedward_local.deploy import resources
from feedward_local.ministack import MiniStack
from feedward_local.routes import FUNCTION

OPERATOR = "the local stack's operator"


def ask_directly(ministack: MiniStack, path: str) -> None:
    """Let each function that may have the path answer it once, as if its caller had no key: it is warm then."""
    event = {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "headers": {},
        "requestContext": {"http": {"method": "GET", "path": path}},
    }
    client = ministack.client("lambda")
    for name, one in resources(ministack).items():
        if one.kind == FUNCTION and name.removesuffix("Function") in ("Canonicalize", "Discover", "Directory"):
            client.invoke(FunctionName=one.physical_id, Payload=json.dumps(event))


def first_key(ministack: MiniStack) -> str | None:
    """Create an operator's key if there is none that works, and return its text; None if there is one."""
    from feedward.access.caller import SELF_HOSTED, Scope  # noqa: PLC0415 - an open stack needs none of these
    from feedward.adapters.clock import SystemClock  # noqa: PLC0415
    from feedward.adapters.dynamodb.access.key_store import DynamoKeyStore  # noqa: PLC0415
    from feedward.adapters.dynamodb.store.keys import TableNames  # noqa: PLC0415
    from feedward.adapters.dynamodb.store.tables import Tables  # noqa: PLC0415
    from feedward.services.access.manage_keys import KeyDraft, create_key, list_keys  # noqa: PLC0415

    made = resources(ministack)
    names = TableNames(
        urls="", feeds="", state="", tenants=made["TenantsTable"].physical_id, keys=made["KeysTable"].physical_id
    )
    client: Any = ministack.client("dynamodb")
    ports = _KeyPorts(DynamoKeyStore(Tables(client, names)), SystemClock())
    known = list_keys(SELF_HOSTED, ports=ports)
    if any(key.scope is Scope.OPERATOR and key.is_live(ports.clock.now()) for key in known):
        return None
    return create_key(SELF_HOSTED, KeyDraft(name=OPERATOR, scope=Scope.OPERATOR), ports=ports).text


class _KeyPorts:
    def __init__(self, keys: Any, clock: Any) -> None:
        self.keys, self.clock = keys, clock
