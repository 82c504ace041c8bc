"""Operations on a local stack with the rights of its AWS account, without the API: function calls, the first key.

`made` are the resources of its deployment.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlencode

from feedward.access import SELF
from feedward_local.aws.ministack import MiniStack
from feedward_local.deployment.routes import FUNCTION, Resource
from feedward_local.errors import LocalStackError

DIRECTORY, PAGE = "DirectoryFunction", "PageFunction"
OPERATOR, LIVE = "operator", "live"
NAME = "the local stack's operator"
# The authorizer's verdict on a key that may read.
ALLOWED = {"verdict": "ok", "tenant": SELF, "key_id": "local", "scope": "read", "expires_at": 0}
DIRECTORY_COUNTS = ("/v1/stats", {"parts": "directory"})
FAILING_FEEDS = ("/v1/feeds", {"state": "unhealthy", "limit": "5"})


def ask_directly(ministack: MiniStack, made: Mapping[str, Resource], path: str) -> None:
    """Warm up each function that may serve the path with one request without a key."""
    client = ministack.client("lambda")
    for name, one in made.items():
        if one.kind == FUNCTION and name.removesuffix("Function") in ("Canonicalize", "Discover", "Directory"):
            client.invoke(FunctionName=one.physical_id, Payload=json.dumps(_request(path)))


def warm_first_view(ministack: MiniStack, made: Mapping[str, Resource]) -> None:
    """Warm up what a first view of the page needs: two workers for its files, and two that load the search index.

    The page sends two requests at once. MiniStack puts all feeds into its indexes at the first query.
    """
    client = ministack.client("lambda")

    def ask(name: str, event: dict[str, Any]) -> None:
        client.invoke(FunctionName=made[name].physical_id, Payload=json.dumps(event))

    rounds = (
        [(PAGE, _request("/"))] * 2,
        [(DIRECTORY, _allowed(*DIRECTORY_COUNTS))] * 2,
        [(DIRECTORY, _allowed(*DIRECTORY_COUNTS)), (DIRECTORY, _allowed(*FAILING_FEEDS))],
    )
    with ThreadPoolExecutor(2) as pool:
        for each in rounds:
            list(pool.map(lambda asked: ask(*asked), each))


def _allowed(path: str, query: Mapping[str, str]) -> dict[str, Any]:
    event = _request(path) | {"rawQueryString": urlencode(query), "queryStringParameters": query}
    event["requestContext"]["authorizer"] = {"lambda": ALLOWED}
    return event


def _request(path: str) -> dict[str, Any]:
    return {
        "version": "2.0",
        "routeKey": "$default",
        "rawPath": path,
        "headers": {},
        "requestContext": {"http": {"method": "GET", "path": path}},
    }


def first_key(ministack: MiniStack, made: Mapping[str, Resource]) -> str | None:
    """Create an operator's key if there is no valid one, and return its text; None if there is one."""
    listed = do(ministack, made, "GET /v1/keys")["keys"]
    if any(key["scope"] == OPERATOR and key["status"] == LIVE for key in listed):
        return None
    key: str = do(ministack, made, "POST /v1/keys", {"name": NAME, "scope": OPERATOR})["key"]
    return key


def do(ministack: MiniStack, made: Mapping[str, Resource], operation: str, body: object = None) -> Any:
    """Have the directory function run an operation as the deployment's own operator. Raises LocalStackError."""
    function = made[DIRECTORY].physical_id
    asked = json.dumps({"do": operation, "body": body})
    answer = json.loads(ministack.client("lambda").invoke(FunctionName=function, Payload=asked)["Payload"].read())
    document = json.loads(answer["body"]) if answer.get("body") else {}
    if answer.get("statusCode", 500) >= 400:
        raise LocalStackError(f"{operation} by direct invocation: {document.get('detail') or answer}")
    return document
