"""Keys by id for the authorizer: ports.keys.PresentedKeys over KeysTable (rules AK5, AK12)."""

from __future__ import annotations

from feedward.access.stored_key import StoredKey
from feedward.adapters.dynamodb.access.key_items import key_key, read_key
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.adapters.dynamodb.store.transaction import absent, both, either, less_than, present


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
