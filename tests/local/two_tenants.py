"""Two tenants working concurrently on a stack with keys, in 24 threads, and their answers."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from feedward.adapters.dynamodb.store.codec import decode, encode
from feedward.stats.counts import Checked
from tests.local.stack_aws import WORK_WITHIN_S, StackAws, wait_until
from tests.local.stack_process import StackProcess
from tests.store_contents import by_exception

TENANTS = ("acme", "zulu")
THREADS, REQUESTS = 24, 144
GATEWAY_TRIES = 3
SWEEP = Path(__file__).parents[2] / "events" / "schedule_sweep.json"
SHARED = "https://garden.example/feed"
LISTS = ("/v1/subscriptions", "/v1/imports", "/v1/runs", "/v1/webhooks", "/v1/keys", "/v1/quotas", "/v1/feeds?limit=20")


class TwoTenants:
    """Both with an admin key. `told` are the answers of each, as texts; `shared` the feeds that SHARED is for each.

    `checks` is the number of all checks while the feed that both follow was due once.
    """

    def __init__(self, stack: StackProcess, operator_key: str) -> None:
        self._stack = stack
        self._keys = {tenant: self._new_key(tenant, operator_key) for tenant in TENANTS}
        self.told: dict[str, list[str]] = {tenant: [] for tenant in TENANTS}
        self.failed: list[Any] = []
        self.shared: set[str] = set()
        self.checks = 0

    def work(self) -> TwoTenants:
        """Follow, import and collect under addresses of their own, follow one feed together, and read all lists."""
        with ThreadPoolExecutor(THREADS) as pool:
            list(pool.map(self._one, range(REQUESTS)))
        for tenant in TENANTS:
            for path in LISTS:
                self._call(tenant, "GET", path)
            found = self._call(tenant, "POST", "/v1/canonicalize", {"url": SHARED, "register": True})
            self.shared.add(found["feed_id"])
        self.checks = self._checks_when_due(min(self.shared))
        return self

    def _checks_when_due(self, feed_id: str) -> int:
        """Make a feed due, as by time, and sweep. Return the number of checks until the queue is empty."""
        aws = StackAws(self._stack.state / "demo")
        before = _checks_counted(aws)
        (item,) = aws.items("FeedsTable", feed_id=feed_id, sk="FEED")
        due = encode(by_exception(decode(item), int(time.time()) - 600))
        aws.dynamodb.put_item(TableName=aws.ids["FeedsTable"], Item=due)
        aws.client("lambda").invoke(FunctionName=aws.ids["HealthCheckFunction"], Payload=SWEEP.read_text())

        def made() -> int:
            return 0 if aws.waiting("HealthQueue") else _checks_counted(aws) - before

        return wait_until(made, WORK_WITHIN_S, "the check of the feed that both follow")

    def _one(self, number: int) -> None:
        tenant = TENANTS[number % 2]
        own = f"https://garden.example/own-{tenant}-{number}?token=9f3a71c2d4e5b6a7{number}"
        calls: tuple[tuple[str, str, Any], ...] = (
            ("POST", "/v1/subscriptions", {"url": own, "tags": [f"tag-{tenant}"]}),
            ("POST", "/v1/subscriptions", {"url": SHARED, "tags": [f"tag-{tenant}"]}),
            ("POST", "/v1/imports", {"name": f"file-{tenant}", "text": own}),
            ("POST", "/v1/frontier", {"urls": [own]}),
            ("GET", LISTS[number % len(LISTS)], None),
            ("GET", "/v1/search?q=garden", None),
        )
        self._call(tenant, *calls[number // 2 % len(calls)])

    def _call(self, tenant: str, method: str, path: str, body: Any = None) -> Any:
        for _ in range(GATEWAY_TRIES):
            status, _, answer = self._stack.call(method, path, body, {"authorization": f"Bearer {self._keys[tenant]}"})
            # The gateway itself says so where its authorizer ran out of time: 24 threads share this machine.
            if status != 500 or answer.get("detail") != "Internal Server Error":
                break
        if status >= 400 and status not in (503, 504):  # there is no search index yet; the machine is busy
            self.failed.append((method, path, status, answer))
        self.told[tenant].append(json.dumps(answer))
        return answer

    def _new_key(self, tenant: str, operator_key: str) -> str:
        body = {"name": f"of {tenant}", "scope": "admin", "tenant_id": tenant}
        made = self._stack.call("POST", "/v1/keys", body, {"authorization": f"Bearer {operator_key}"})
        return str(made[2]["key"])

    def seen_by(self, tenant: str) -> list[str]:
        """The answers to a tenant that contain data of the other one."""
        (other,) = set(TENANTS) - {tenant}
        marks = (f"-{other}", f'"{other}"', f"of {other}")
        return [text[:500] for text in self.told[tenant] if any(mark in text for mark in marks)]


def _checks_counted(aws: StackAws) -> int:
    """All checks in the counters of the stats."""
    rows = [decode(item) for item in aws.items("StateTable")]
    counters = [row for row in rows if row["pk"].startswith("CHECKS#")]
    return sum(int(row.get(kind.value, 0)) for row in counters for kind in Checked)
