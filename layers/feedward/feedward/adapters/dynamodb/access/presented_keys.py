"""Keys by id for the authorizer: ports.keys.PresentedKeys over KeysTable (rules AK5, AK12). Converts keys to items and
back (rules AK2, TN4).
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from feedward.access import name_of, tenant_named
from feedward.access.caller import Scope
from feedward.access.stored_key import StoredKey
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.adapters.dynamodb.store.transaction import absent, both, either, less_than, present

_KEY_FIELDS: Final = tuple(field.name for field in fields(StoredKey))


def key_key(key_id: str) -> dict[str, str]:
    """Return the key of a stored key in KeysTable."""
    return {"key_id": key_id}


def key_item(key: StoredKey) -> Item:
    """Return the item of a key."""
    members = {name: getattr(key, name) for name in _KEY_FIELDS}
    return {**members, "tenant_id": name_of(key.tenant_id), "scope": key.scope.value}


def read_key(item: Item) -> StoredKey:
    """Return the key of an item. Raises KeyError or ValueError for an invalid item."""
    members: dict[str, Any] = {name: item[name] for name in _KEY_FIELDS if name in item}
    return StoredKey(**{**members, "tenant_id": tenant_named(item["tenant_id"]), "scope": Scope(item["scope"])})


class DynamoPresentedKeys(TableStore):
    """ports.keys.PresentedKeys. Thread-safe."""

    def get(self, key_id: str) -> StoredKey | None:
        """Return the key with this id as stored now, or None."""
        item = self._tables.get(self._tables.names.keys, key_key(key_id))
        return read_key(item) if item else None

    def touch(self, key_id: str, *, hour: int) -> None:
        """Store the hour in which the key was used, if no later hour is stored."""
        earlier = both(present("sha256"), either(absent("last_used_at"), less_than("last_used_at", hour)))
        self._tables.change(self._tables.names.keys, key_key(key_id), earlier, assign={"last_used_at": hour})
