"""Converts tenants to items of TenantsTable and back: TENANT, and the list of all names (rules T3, TN3)."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from feedward.access.tenant import Tenant
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import NO_TENANT, tenant_key
from feedward.scheduling.shards import pending_shard

TENANT: Final = "TENANT"
PENDING_KIND: Final = "tenant"
# No tenant's name has this character, so the list belongs to no tenant.
ALL: Final = "#TENANTS"
_FIELDS: Final = tuple(field.name for field in fields(Tenant) if field.name != "tenant_id")


def own_key(tenant_id: str | None) -> dict[str, str]:
    """Return the key of TENANT."""
    return tenant_key(tenant_id, TENANT)


def listed_key(tenant_id: str | None) -> dict[str, str]:
    """Return the key of a tenant in the list of all names."""
    return {"tenant_id": ALL, "sk": own_key(tenant_id)["tenant_id"]}


def listed_id(item: Item) -> str | None:
    """Return the tenant of an entry of the list."""
    return None if item["sk"] == NO_TENANT else item["sk"]


def tenant_item(tenant: Tenant) -> Item:
    """Return TENANT."""
    members = {name: getattr(tenant, name) for name in _FIELDS}
    is_pending = tenant.pending_since is not None
    mark = pending_shard(PENDING_KIND, own_key(tenant.tenant_id)["tenant_id"]) if is_pending else None
    return {**own_key(tenant.tenant_id), **members, "key_ids": list(tenant.key_ids), "pending_shard": mark}


def read_tenant(item: Item) -> Tenant:
    """Return the tenant of a TENANT item."""
    members: dict[str, Any] = {name: item[name] for name in _FIELDS if name in item}
    members["key_ids"] = tuple(members.get("key_ids", ()))
    return Tenant(tenant_id=tenant_of(item), **members)


def tenant_of(item: Item) -> str | None:
    """Return the tenant of a TENANT item or of its index entry."""
    owner: str = item["tenant_id"]
    return None if owner == NO_TENANT else owner
