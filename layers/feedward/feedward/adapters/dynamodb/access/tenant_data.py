"""Deletes all stored data of a tenant, page by page: ports.keys.TenantData (rule TN11).

Whole tables are scanned: a deletion is rare, and must find items that no index lists, such as tombstones and old URLs.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, Self, TypeAlias

from feedward.adapters.dynamodb.access.key_store import TENANT
from feedward.adapters.dynamodb.lineage.items import stored_item
from feedward.adapters.dynamodb.lineage.keys import (
    ITEM,
    RUN,
    content_head_key,
    runs_list_pk,
    same_key,
    uri_head_key,
    versions_key,
)
from feedward.adapters.dynamodb.lineage.runs import read_versions
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import present
from feedward.adapters.s3.files import TenantObjects
from feedward.deadline import Deadline
from feedward.errors import InvalidInput
from feedward.urls.key import url_hash

_AT_ONCE: Final = 250
_THREADS: Final = 8
Place: TypeAlias = Mapping[str, str] | None
# A table, its key attributes, and a function that returns the keys of the tenant's items for a scanned item.
_Part: TypeAlias = tuple[str, tuple[str, ...], Callable[[Tables, Item, str], Iterator[dict[str, str]]]]


class DynamoTenantData:
    """ports.keys.TenantData over all tables and the bucket. Thread-safe."""

    def __init__(self, tables: Tables, objects: TenantObjects) -> None:
        self._tables = tables
        self._objects = objects

    def within(self, deadline: Deadline) -> Self:
        """Return the same with a deadline: no attempt starts after it."""
        bound = copy.copy(self)
        bound._tables, bound._objects = self._tables.within(deadline), self._objects.within(deadline)
        return bound

    @property
    def stages(self) -> int:
        """The number of stages: one for each table, then the objects."""
        return len(self._parts()) + 1

    def remove(self, tenant_id: str, stage: int, place: Place) -> tuple[int, Place]:
        """Delete a page of a stage, from a place on."""
        parts = self._parts()
        if stage >= len(parts):
            return self._objects.remove(tenant_id)
        table, names, found = parts[stage]
        if not table:
            return 0, None
        items, following = self._tables.scan(table, after=place, at_most=_AT_ONCE)
        own, records = list[dict[str, Any]](), list[dict[str, Any]]()
        for item in items:
            record = _only(names, item)
            for key in (_only(names, each) for each in found(self._tables, item, tenant_id)):
                (records if key == record else own).append(key)
        if place is None and table == self._tables.names.lineage:
            lists = [_only(names, each) for each in lists_of(self._tables, tenant_id)]
            own, records = [*own, *lists[:-1]], [*records, *lists[-1:]]
        # Records are deleted last: if the worker is killed, the next one finds their parts by them.
        self._delete(table, names[0], own)
        self._delete(table, names[0], records)
        return len(own) + len(records), following

    def _parts(self) -> tuple[_Part, ...]:
        names = self._tables.names
        return (
            (names.tenants, ("tenant_id", "sk"), _of_tenant),
            (names.sites, ("site_hash", "sk"), _of_site),
            (names.frontier, ("row_id",), _of_row),
            (names.lineage, ("pk", "sk"), lineage_of),
            (names.urls, ("url_hash",), _of_url),
            (names.feeds, ("feed_id", "sk"), _of_feed),
            (names.webhooks, ("pk", "sk"), _of_webhooks),
            (names.state, ("pk", "sk"), _of_state),
        )

    def _delete(self, table: str, hash_key: str, keys: list[dict[str, str]]) -> None:
        distinct = list({tuple(sorted(key.items())): key for key in keys}.values())
        with ThreadPoolExecutor(_THREADS, thread_name_prefix="feedward-delete") as pool:
            list(pool.map(lambda key: self._tables.delete(table, key, present(hash_key)), distinct))


def _only(names: tuple[str, ...], item: Item) -> dict[str, Any]:
    return {name: item[name] for name in names}


def _of_tenant(_tables: Tables, item: Item, tenant_id: str) -> Iterator[dict[str, Any]]:
    """Yield the tenant's partition except its record, and its partitions of imports and the like."""
    owner, _, _ = item["tenant_id"].partition("#")
    if owner == tenant_id and item["sk"] != TENANT:
        yield item


def _of_webhooks(_tables: Tables, item: Item, tenant_id: str) -> Iterator[dict[str, Any]]:
    """Yield the tenant's webhooks, and the partitions of their deliveries and bodies."""
    if item["pk"].partition("#")[0] == tenant_id:
        yield item


def _of_site(tables: Tables, item: Item, tenant_id: str) -> Iterator[dict[str, Any]]:
    """Yield all items of the tenant's own sites, and its jobs at shared sites."""
    if item["sk"] == "SITE" and item.get("scope") == tenant_id:
        yield from tables.query(tables.names.sites, ("site_hash", item["site_hash"]))
    elif item["sk"].startswith("JOB#") and tenant_id in (item.get("tenant_id"), item.get("scope")):
        yield item


def _of_row(_tables: Tables, item: Item, tenant_id: str) -> Iterator[dict[str, Any]]:
    if item.get("owner") == tenant_id:
        yield item


def _of_url(_tables: Tables, item: Item, tenant_id: str) -> Iterator[dict[str, Any]]:
    """Yield the URLs whose hash has the tenant as scope."""
    try:
        if url_hash(item["url"], tenant_id) == item["url_hash"]:
            yield item
    except InvalidInput:
        return


def _of_feed(tables: Tables, item: Item, tenant_id: str) -> Iterator[dict[str, Any]]:
    """Yield all items of a feed of the tenant, tombstones too. FEED comes last: the others are found by it."""
    if item["sk"] == "FEED" and item.get("owner") == tenant_id:
        rest = [each for each in tables.query(tables.names.feeds, ("feed_id", item["feed_id"])) if each["sk"] != "FEED"]
        yield from rest
        yield item


def _of_state(_tables: Tables, item: Item, tenant_id: str) -> Iterator[dict[str, Any]]:
    """Yield the tenant's exports, its counters, and the responses stored for its Idempotency-Keys."""
    is_own = item["pk"].startswith(("EXPORT#", "IDEMPOTENCY#")) and item.get("tenant_id") == tenant_id
    if is_own or item["pk"].startswith(f"QUOTA#{tenant_id}#"):
        yield item


def lineage_of(tables: Tables, item: Item, tenant_id: str) -> Iterator[dict[str, Any]]:
    """Yield the keys of a run or an item of the tenant and of its parts; the record itself comes last."""
    is_run = item["sk"] == RUN and item.get("tenant_id") == tenant_id
    is_item = item["sk"] == ITEM and item.get("scope") == tenant_id
    if is_item:
        found = stored_item(item)
        yield from (uri_head_key(found), content_head_key(found), same_key(found))
    if is_run or is_item:
        under = list(tables.query(tables.names.lineage, ("pk", item["pk"])))
        yield from (each for each in under if each["sk"] != item["sk"])
        yield item


def lists_of(tables: Tables, tenant_id: str) -> Iterator[dict[str, Any]]:
    """Yield the keys of the lists of the tenant's runs, and of the versions that they used."""
    versions = read_versions(tables, tenant_id)
    for version in versions:
        yield from tables.query(tables.names.lineage, ("pk", runs_list_pk(version, tenant_id)))
    if versions:
        yield versions_key(tenant_id)
