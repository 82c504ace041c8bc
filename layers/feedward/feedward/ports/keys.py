"""Ports of the stored keys: one for the authorizer, which finds a key by its id, one for what tenants do with keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from feedward.deadline import Bounded

if TYPE_CHECKING:  # used in annotations only: a port does not load the types that it names
    from collections.abc import Mapping, Sequence

    from feedward.access.stored_key import StoredKey
    from feedward.access.tenant import Tenant


class PresentedKeys(Bounded, Protocol):
    """Keys by id, for whoever presents one: only the authorizer uses it. Raises as KeyStore does."""

    def get(self, key_id: str) -> StoredKey | None:
        """Return the key with this id as stored now, or None: one consistent read (rule AK5)."""
        ...

    def touch(self, key_id: str, *, hour: int) -> None:
        """Note the hour in which the key was used, if no later hour is noted. A key that is gone stays so."""
        ...


class KeyStore(Bounded, Protocol):
    """Keys of tenants (rules AK2, TN4). `tenant_id` None is the deployment's own user.

    No call finds a key by its id alone. All raise Throttled, Conflict or StoreUnavailable.
    """

    def tenant(self, tenant_id: str | None) -> Tenant | None:
        """Return the tenant as stored now, None if it never had a key."""
        ...

    def keys(self, tenant: Tenant) -> Sequence[StoredKey]:
        """Return the keys that the tenant names, oldest first, as stored now."""
        ...

    def save(
        self,
        tenant: Tenant,
        *,
        new: Sequence[StoredKey] = (),
        changed: Sequence[StoredKey] = (),
        dropped: Sequence[StoredKey] = (),
    ) -> bool:
        """Write a tenant with its new and changed keys and without the dropped ones, in one transaction.

        `tenant.rev` is that which was read, 0 for a new one. Returns False if it has changed or a new key's id is
        taken: read and decide again. The last use of a changed key stays as stored.
        """
        ...

    def pending(self, *, before: int, limit: int) -> Sequence[str | None]:
        """Return up to `limit` tenants whose deletion is to go on, from `before` or earlier. The index may lag."""
        ...

    def tenants(self, *, after: str | None, limit: int) -> Sequence[Tenant]:
        """Return up to `limit` tenants by name, after this one, the deleted ones too."""
        ...


class TenantData(Bounded, Protocol):
    """All that is stored of a tenant, for its deletion (rule TN11).

    All raise Throttled, Conflict or StoreUnavailable.
    """

    @property
    def stages(self) -> int:
        """The number of parts that are removed one after the other."""
        ...

    def remove(
        self, tenant_id: str, stage: int, place: Mapping[str, str] | None
    ) -> tuple[int, Mapping[str, str] | None]:
        """Remove a page of a part, from a place on. Return how many items it was, and the next place; None: the end.

        The call is idempotent. The tenant's own record stays, and so does the shared directory.
        """
        ...
