"""A deletion removes a tenant's data page by page, on every store (rule TN11)."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

import pytest

from feedward.access.tenant import Tenant
from feedward.adapters.dynamodb.access.key_store import DynamoKeyStore
from feedward.adapters.dynamodb.access.tenant_data import DynamoTenantData
from feedward.adapters.dynamodb.state.idempotency import ROW_CHARACTERS, DynamoIdempotencyRecords
from feedward.adapters.dynamodb.state.quota_counters import DynamoQuotaCounters
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.webhooks.webhooks import DynamoWebhooks
from feedward.adapters.s3.files import TenantObjects
from feedward.ports.idempotency import KeyedRequest
from feedward.quotas.quota import Quota, span_at
from feedward.webhooks.webhook import SealedSecrets, Webhook
from tests.contract.benches.feeds import NOW, new_feed
from tests.contract.benches.subscribed import opened
from tests.contract.conftest import Bench
from tests.fakes.bodies import BUCKET, InMemoryS3
from tests.fakes.feed_store import PATIENT


@pytest.fixture
def keys(bench: Bench) -> DynamoKeyStore:
    return DynamoKeyStore(Tables(bench.faults, bench.contents.names, PATIENT))  # type: ignore[arg-type]


@pytest.fixture
def bucket() -> InMemoryS3:
    return InMemoryS3()


@pytest.fixture
def data(bench: Bench, bucket: InMemoryS3) -> DynamoTenantData:
    objects = TenantObjects(BUCKET, lambda: bucket, backoff=PATIENT)  # type: ignore[arg-type, return-value]
    return DynamoTenantData(Tables(bench.faults, bench.contents.names, PATIENT), objects)  # type: ignore[arg-type]


def remove_all(data: DynamoTenantData, tenant_id: str) -> int:
    removed = 0
    for stage in range(data.stages):
        place: Mapping[str, str] | None = {}
        while place is not None:
            number, place = data.remove(tenant_id, stage, place or None)
            removed += number
    return removed


def remember_a_long_answer(bench: Bench, tenant_id: str) -> None:
    records = DynamoIdempotencyRecords(Tables(bench.faults, bench.contents.names, PATIENT))  # type: ignore[arg-type]
    request = KeyedRequest(
        request_id=f"request {tenant_id}", fingerprint="f", attempt_id="1", until=NOW + 60, tenant_id=tenant_id
    )
    assert records.begin(request, now=NOW) is None
    records.finish(request, answer=random.Random(1).randbytes(ROW_CHARACTERS).hex(), until=NOW + 60)


def test_a_tenants_own_data_is_deleted_and_shared_or_foreign_data_stays(
    bench: Bench, data: DynamoTenantData, keys: DynamoKeyStore, bucket: InMemoryS3
) -> None:
    for tenant_id in ("acme", "zulu"):
        assert keys.save(Tenant(tenant_id=tenant_id, created_at=NOW))
        bench.store.register(new_feed(f"own-{tenant_id}", "https://example.com/own", scope=tenant_id))
        opened(bench, tenant_id, tenant_id=tenant_id)
        remember_a_long_answer(bench, tenant_id)
        for key in (f"bodies/_{tenant_id}/ab/x.gz", f"imports/{tenant_id}/x", f"exports/_{tenant_id}/x/y"):
            bucket.objects[key] = b""
    bench.store.register(new_feed("shared", "https://example.com/shared"))
    bucket.objects["bodies/ac/x.gz"] = b""
    others = [item for item in bench.contents.everything() if "acme" not in str(item)]
    owned = {feed_id for feed_id, feed in bench.contents.feeds().items() if feed.get("owner") == "acme"}

    assert remove_all(data, "acme") > 0

    left = bench.contents.everything()
    assert {item["sk"] for item in left if "acme" in str(item)} == {"TENANT", "acme"}
    assert [item for item in left if item.get("feed_id") in owned] == []
    assert [item for item in others if item.get("feed_id") not in owned and item not in left] == []
    assert sorted(bucket.objects) == sorted(
        ["bodies/_zulu/ab/x.gz", "bodies/ac/x.gz", "exports/_zulu/x/y", "imports/zulu/x"]
    )
    assert remove_all(data, "acme") == 0


def test_a_thousand_objects_are_deleted_with_one_request(data: DynamoTenantData, bucket: InMemoryS3) -> None:
    bucket.objects |= {f"bodies/_acme/ab/{number}.gz": b"" for number in range(1001)}

    assert [data.remove("acme", data.stages - 1, None)[0] for _ in range(3)] == [1000, 1, 0]
    assert bucket.deletions == 2


def test_a_tenant_whose_name_begins_like_another_is_another(bench: Bench, data: DynamoTenantData) -> None:
    tables = Tables(bench.faults, bench.contents.names, PATIENT)  # type: ignore[arg-type]
    for tenant_id in ("ac", "acme"):
        opened(bench, tenant_id, tenant_id=tenant_id)
        hook = Webhook(
            tenant_id=tenant_id, webhook_id=tenant_id, url="https://x.example/", events=("feed.moved",),
            secrets=SealedSecrets(current="s"), created_at=NOW, updated_at=NOW,
        )  # fmt: skip
        assert DynamoWebhooks(tables).create(hook, at_most=9) is not None
        span = span_at(Quota.PAGES_PER_DAY, NOW)
        assert DynamoQuotaCounters(tables).add(tenant_id, span, 1, at_most=9, charge_id=f"{NOW:011d}-x") is None
    of_other = [item for item in bench.contents.everything() if "acme" in str(item)]

    remove_all(data, "ac")

    assert {item["tenant_id"] for item in bench.contents.subscriptions()} == {"acme"}
    assert len(of_other) >= 6
    assert bench.contents.everything() == of_other


def test_deletions_are_found_when_they_are_to_go_on(keys: DynamoKeyStore) -> None:
    for number, since in enumerate((None, NOW, NOW + 3600)):
        assert keys.save(Tenant(tenant_id=f"t{number}", created_at=NOW, deleting_since=NOW, pending_since=since))
    assert keys.pending(before=NOW, limit=9) == ["t1"]
    assert sorted(map(str, keys.pending(before=NOW + 3600, limit=9))) == ["t1", "t2"]
    found = keys.tenant("t1")
    assert found is not None
    place = {"tenant_id": "x", "sk": "y"}
    assert keys.save(replace(found, pending_since=None, place=place, stage=2, removed=7, looked_again=True))
    assert keys.pending(before=NOW, limit=9) == []
    assert keys.tenant("t1") == replace(
        found, rev=2, pending_since=None, place=place, stage=2, removed=7, looked_again=True
    )
