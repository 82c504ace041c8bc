"""Operations on a local stack with the rights of its AWS account, without the API: function calls, the first key."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from feedward_local.deploy import resources
from feedward_local.errors import LocalStackError
from feedward_local.ministack import MiniStack
from feedward_local.routes import FUNCTION

DIRECTORY, OPERATOR, LIVE = "DirectoryFunction", "operator", "live"
NAME = "the local stack's operator"
# The authorizer's verdict on a key that may read.
ALLOWED = {"verdict": "ok", "tenant": "_self", "key_id": "local", "scope": "read", "expires_at": 0}


def ask_directly(ministack: MiniStack, path: str) -> None:
    """Warm up each function that may serve the path with one request without a key."""
    client = ministack.client("lambda")
    for name, one in resources(ministack).items():
        if one.kind == FUNCTION and name.removesuffix("Function") in ("Canonicalize", "Discover", "Directory"):
            client.invoke(FunctionName=one.physical_id, Payload=json.dumps(_request(path)))


def load_index(ministack: MiniStack) -> None:
    """Have two workers of the directory function load the search index: a first view makes two requests at once."""
    event = _request("/v1/stats") | {"rawQueryString": "parts=directory"}
    event["requestContext"]["authorizer"] = {"lambda": ALLOWED}
    function, payload = resources(ministack)[DIRECTORY].physical_id, json.dumps(event)
    client = ministack.client("lambda")
    with ThreadPoolExecutor(2) as pool:
        for loading in [pool.submit(client.invoke, FunctionName=function, Payload=payload) for _ in range(2)]:
            loading.result()


def _request(path: str) -> dict[str, Any]:
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "headers": {},
        "requestContext": {"http": {"method": "GET", "path": path}},
    }


def first_key(ministack: MiniStack) -> str | None:
    """Create an operator's key if there is no valid one, and return its text; None if there is one."""
    listed = do(ministack, "GET /v1/keys")["keys"]
    if any(key["scope"] == OPERATOR and key["status"] == LIVE for key in listed):
        return None
    made: str = do(ministack, "POST /v1/keys", {"name": NAME, "scope": OPERATOR})["key"]
    return made


def do(ministack: MiniStack, operation: str, body: object = None) -> Any:
    """Have the directory function run an operation as the deployment's own operator. Raises LocalStackError."""
    function = resources(ministack)[DIRECTORY].physical_id
    asked = json.dumps({"do": operation, "body": body})
    answer = json.loads(ministack.client("lambda").invoke(FunctionName=function, Payload=asked)["Payload"].read())
    document = json.loads(answer["body"]) if answer.get("body") else {}
    if answer.get("statusCode", 500) >= 400:
        raise LocalStackError(f"{operation} by direct invocation: {document.get('detail') or answer}")
    return document
