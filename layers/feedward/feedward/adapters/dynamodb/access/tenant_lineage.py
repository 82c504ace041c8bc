"""A tenant's data in LineageTable: runs and items with all their parts, heads and lists (rule TN11)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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
