"""Keys of tenants: found by id for a presented key, and otherwise only by their tenant (rules AK2, AK9, TN4)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from feedward.access.caller import Scope
from feedward.access.stored_key import StoredKey
from feedward.access.tenant import Tenant
from feedward.adapters.dynamodb.access.key_store import DynamoKeyStore
from feedward.adapters.dynamodb.access.presented_keys import DynamoPresentedKeys
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.errors import InvalidInput
from tests.contract.benches.feeds import NOW
from tests.contract.conftest import Bench
from tests.fakes.feed_store import PATIENT

TENANTS = (None, "acme", "zulu-2")


def key(name: str, tenant_id: str | None = "acme", **members: object) -> StoredKey:
    made = StoredKey(
        key_id=name, sha256="ab" * 32, tenant_id=tenant_id, scope=Scope.WRITE, name=f"Key {name}", created_at=NOW
    )
    return replace(made, **members)  # type: ignore[arg-type]


@pytest.fixture
def keys(bench: Bench) -> DynamoKeyStore:
    return DynamoKeyStore(Tables(bench.faults, bench.contents.names, PATIENT))  # type: ignore[arg-type]


@pytest.fixture
def presented(bench: Bench) -> DynamoPresentedKeys:
    return DynamoPresentedKeys(Tables(bench.faults, bench.contents.names, PATIENT))  # type: ignore[arg-type]


def made(store: DynamoKeyStore, *new: StoredKey, tenant_id: str | None = "acme") -> Tenant:
    """Write a tenant with these keys, and return it as stored."""
    tenant = Tenant(tenant_id=tenant_id, created_at=NOW, key_ids=tuple(each.key_id for each in new))
    assert store.save(tenant, new=new)
    found = store.tenant(tenant_id)
    assert found == replace(tenant, rev=1)
    return found


@pytest.mark.parametrize("tenant_id", TENANTS)
def test_a_key_comes_back_as_it_was_written(
    keys: DynamoKeyStore, presented: DynamoPresentedKeys, tenant_id: str | None
) -> None:
    first, second = key("b", tenant_id), key("a", tenant_id, expires_at=NOW + 9)
    tenant = made(keys, first, second, tenant_id=tenant_id)
    assert keys.keys(tenant) == [first, second]
    assert presented.get("b") == first
    assert presented.get("c") is None


def test_a_tenant_that_never_had_a_key_is_not_there(keys: DynamoKeyStore) -> None:
    assert keys.tenant("acme") is None
    with pytest.raises(InvalidInput):
        keys.tenant("_self")


def test_a_tenant_gets_no_key_that_is_anothers_even_if_it_names_it(keys: DynamoKeyStore) -> None:
    made(keys, key("a"))
    thief = Tenant(tenant_id="zulu", created_at=NOW, key_ids=("a",))
    assert keys.keys(thief) == []
    assert not keys.save(thief, changed=[key("a", "zulu", revoked_at=NOW)])
    assert not keys.save(thief, dropped=[key("a", "zulu")])
    assert keys.tenant("zulu") is None


def test_an_id_that_is_taken_is_not_given_again(keys: DynamoKeyStore, presented: DynamoPresentedKeys) -> None:
    made(keys, key("a"))
    assert not keys.save(Tenant(tenant_id="zulu", created_at=NOW, key_ids=("a",)), new=[key("a", "zulu")])
    assert presented.get("a") == key("a")


def test_a_change_keeps_the_last_use(keys: DynamoKeyStore, presented: DynamoPresentedKeys) -> None:
    tenant = made(keys, key("a"))
    presented.touch("a", hour=NOW)
    assert keys.save(tenant, changed=[key("a", revoked_at=NOW + 5)])
    assert presented.get("a") == key("a", revoked_at=NOW + 5, last_used_at=NOW)


def test_the_last_use_never_goes_back_and_makes_no_key(presented: DynamoPresentedKeys, keys: DynamoKeyStore) -> None:
    made(keys, key("a"))
    for hour in (NOW, NOW + 3600, NOW):
        presented.touch("a", hour=hour)
    assert presented.get("a") == key("a", last_used_at=NOW + 3600)
    presented.touch("b", hour=NOW)
    assert presented.get("b") is None


def test_of_many_changes_of_one_tenant_one_counts(keys: DynamoKeyStore) -> None:
    tenant = made(keys, key("a"))

    def add(number: int) -> bool:
        return keys.save(replace(tenant, key_ids=("a", f"k{number}")), new=[key(f"k{number}")])

    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(add, range(8)))
    assert done.count(True) == 1
    after = keys.tenant("acme")
    assert after is not None
    assert after.key_ids == ("a", f"k{done.index(True)}")
    assert [each.key_id for each in keys.keys(after)] == list(after.key_ids)


def test_a_lost_answer_is_no_failure(bench: Bench, keys: DynamoKeyStore) -> None:
    bench.faults.lost_answers = 1
    made(keys, key("a"))


def test_a_dropped_key_is_gone(keys: DynamoKeyStore, presented: DynamoPresentedKeys) -> None:
    tenant = made(keys, key("a"), key("b"))
    assert keys.save(replace(tenant, key_ids=("b",)), dropped=[key("a")])
    assert presented.get("a") is None
    assert [each.key_id for each in keys.keys(replace(tenant, key_ids=("a", "b")))] == ["b"]


def test_tenants_are_listed_by_name_page_by_page(keys: DynamoKeyStore) -> None:
    assert keys.tenants(after=None, limit=9) == []
    for name in (*TENANTS, "beta"):
        made(keys, key(f"of-{name}", name), tenant_id=name)
    assert [each.tenant_id for each in keys.tenants(after=None, limit=2)] == [None, "acme"]
    assert [each.tenant_id for each in keys.tenants(after="acme", limit=9)] == ["beta", "zulu-2"]
