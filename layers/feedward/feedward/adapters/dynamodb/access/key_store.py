"""Keys and tenants: ports.keys.KeyStore over KeysTable and TenantsTable (rules AK2, AK9, TN4), and tenants as items
(rules T3, TN3).

TENANT names the tenant's keys, and every change of a key is written in one transaction with it, with optimistic locking
on its `rev`. So limits hold, and no call finds a key of another tenant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from itertools import islice
from typing import Any, Final

from feedward.access import tenant_named
from feedward.access.stored_key import StoredKey
from feedward.access.tenant import Tenant
from feedward.adapters.dynamodb.access.presented_keys import key_item, key_key, read_key
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import tenant_key
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.adapters.dynamodb.store.transaction import Transaction, absent, equals
from feedward.scheduling.shards import pending_shard, pending_shards

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
    return tenant_named(item["sk"])


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
    return tenant_named(item["tenant_id"])


# Attributes of a key that a person or a rotation changes.
_CHANGED = ("expires_at", "revoked_at", "replaced_by")


class DynamoKeyStore(TableStore):
    """ports.keys.KeyStore and Tenants. Thread-safe."""

    def is_gone(self, tenant_id: str) -> bool:
        """Return whether the tenant's deletion was requested."""
        found = self.tenant(tenant_id)
        return found is not None and found.is_gone

    def tenant(self, tenant_id: str | None) -> Tenant | None:
        """Return the tenant as stored now, None if it never had a key."""
        item = self._tables.get(self._tables.names.tenants, own_key(tenant_id))
        return read_tenant(item) if item else None

    def keys(self, tenant: Tenant) -> Sequence[StoredKey]:
        """Return the keys that the tenant names, oldest first, as stored now."""
        items = self._tables.batch_get(self._tables.names.keys, [key_key(each) for each in tenant.key_ids])
        found = [key for key in map(read_key, items) if key.tenant_id == tenant.tenant_id]
        return sorted(found, key=lambda key: tenant.key_ids.index(key.key_id))

    def save(
        self,
        tenant: Tenant,
        *,
        new: Sequence[StoredKey] = (),
        changed: Sequence[StoredKey] = (),
        dropped: Sequence[StoredKey] = (),
    ) -> bool:
        """Write a tenant with its keys in one transaction. Returns False if it has changed or an id is taken."""
        transaction, names = Transaction(), self._tables.names
        _put_tenant(transaction, names.tenants, tenant)
        owner = own_key(tenant.tenant_id)["tenant_id"]
        for key in new:
            transaction.put(names.keys, key_item(key), absent("key_id"))
        for key in changed:
            assign = {name: getattr(key, name) for name in _CHANGED if getattr(key, name) is not None}
            transaction.update(names.keys, key_key(key.key_id), equals("tenant_id", owner), assign=assign)
        for key in dropped:
            transaction.delete(names.keys, key_key(key.key_id), equals("tenant_id", owner))
        return not self._tables.transact(transaction)

    def tenants(self, *, after: str | None, limit: int) -> Sequence[Tenant]:
        """Return up to `limit` tenants by name, after this one, deleted tenants included."""
        names = self._tables.names
        last = {"tenant_id": ALL, "sk": after} if after else None
        rows = list(islice(self._tables.query(names.tenants, ("tenant_id", ALL), after=last, page_items=limit), limit))
        items = self._tables.batch_get(names.tenants, [own_key(listed_id(row)) for row in rows])
        return sorted(map(read_tenant, items), key=lambda tenant: own_key(tenant.tenant_id)["tenant_id"])

    def pending(self, *, before: int, limit: int) -> Sequence[str | None]:
        """Return up to `limit` tenants whose deletion is due, from `before` or earlier. The index may lag."""
        names, found = self._tables.names, list[str | None]()
        for shard in pending_shards(PENDING_KIND):
            of_shard, due = ("pending_shard", shard), ("pending_since", before)
            rows = self._tables.query(names.tenants, of_shard, index="pending", up_to=due, page_items=limit)
            found += [tenant_of(row) for row in islice(rows, limit - len(found))]
        return found


def _put_tenant(transaction: Transaction, table: str, tenant: Tenant) -> None:
    when = equals("rev", tenant.rev) if tenant.rev else absent("sk")
    transaction.put(table, tenant_item(replace(tenant, rev=tenant.rev + 1)), when)
    if not tenant.rev:
        transaction.put(table, listed_key(tenant.tenant_id))
