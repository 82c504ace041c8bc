"""Two tenants working concurrently, in 24 threads: neither ever sees the other (rules I8, TN4, TN6)."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.functions.conftest import Answer
from tests.functions.directory_function import DirectoryFunction, make_directory_function

TENANTS = ("acme", "zulu")
SHARED = [f"https://shared.example/{number}" for number in range(6)]
THREADS, REQUESTS = 24, 240


def own(tenant: str, number: int) -> str:
    return f"https://shared.example/own-{tenant}-{number}?token=9f3a71c2d4e5{number}"


PAGES: dict[str, dict[str, Any]] = {
    "https://shared.example/robots.txt": {"status": 404},
    **{url: {"body": f"<html><body>{url}</body></html>"} for url in SHARED},
    **{own(tenant, n): {"body": f"<html><body>{tenant} {n}</body></html>"} for tenant in TENANTS for n in range(6)},
}


def test_two_tenants_in_24_threads_never_meet() -> None:
    stack = make_directory_function(PAGES)
    shared_feed = stack.feed("shared", "https://shared.example/feed")
    for tenant in TENANTS:
        stack.feed(f"of {tenant}", own(tenant, 0) + "&feed=1", scope=tenant)
    told: dict[str, list[str]] = {tenant: [] for tenant in TENANTS}

    def one(number: int) -> None:
        tenant = TENANTS[number % 2]
        answer = random.Random(number).choice(OPERATIONS)(stack, tenant, number)
        assert answer.status < 500, answer.body
        told[tenant].append(json.dumps(answer.body))

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(one, range(REQUESTS // 2)))
    stack.import_all_and_collect()
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(one, range(REQUESTS // 2, REQUESTS)))
    stack.import_all_and_collect()

    assert all(told.values())
    for tenant, other in (TENANTS, TENANTS[::-1]):
        assert [text for text in told[tenant] if f"-{other}-" in text or f'"{other}' in text] == []
        assert stack.asked_by(tenant, "read", "GET", f"/v1/feeds/{shared_feed}").status == 200
    assert _items_by_scope(stack).keys() <= {"acme", "zulu"}


def _items_by_scope(stack: DirectoryFunction) -> dict[str, int]:
    scopes: dict[str, int] = {}
    for item in stack.directory.contents.lineage():
        if item["sk"] == "ITEM":
            scopes[item.get("scope", "")] = scopes.get(item.get("scope", ""), 0) + 1
            assert item["fetched_url"] in SHARED or f"-{item['scope']}-" in item["fetched_url"]
    return scopes


def _subscribed(stack: DirectoryFunction, tenant: str, number: int) -> Answer:
    body = {"url": f"https://follow-{tenant}-{number % 9}.example/", "tags": [f"x-{tenant}-x"]}
    headers = {"idempotency-key": f"key-{number % 20}"}
    return stack.asked_by(tenant, "write", "POST", "/v1/subscriptions", body=body, headers=headers)


def _submitted(stack: DirectoryFunction, tenant: str, number: int) -> Answer:
    urls = [SHARED[number % 6], own(tenant, number % 6)]
    return stack.asked_by(tenant, "write", "POST", "/v1/frontier", body={"urls": urls})


def _started(stack: DirectoryFunction, tenant: str, number: int) -> Answer:
    urls = [SHARED[number % 6], own(tenant, number % 6)]
    return stack.asked_by(tenant, "write", "POST", "/v1/runs", body={"urls": urls})


def _listed(path: str, **parameters: str) -> Callable[[DirectoryFunction, str, int], Answer]:
    return lambda stack, tenant, _number: stack.asked_by(tenant, "read", "GET", path, parameters=parameters)


OPERATIONS: tuple[Callable[[DirectoryFunction, str, int], Answer], ...] = (
    _subscribed,
    _submitted,
    _started,
    _listed("/v1/subscriptions"),
    _listed("/v1/feeds"),
    _listed("/v1/runs"),
    _listed("/v1/imports"),
    _listed("/v1/frontier", url=SHARED[0]),
    _listed("/v1/items", url=SHARED[0]),
    _listed("/v1/frontier", last_error="timeout"),
)
