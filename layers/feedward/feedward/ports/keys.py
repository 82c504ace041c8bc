"""Ports of the stored keys: one for the authorizer, which finds keys by id, one for tenants that manage their keys."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol, Self

from feedward.deadline import Bounded, Deadline

if TYPE_CHECKING:  # used in annotations only: a port does not load the types that it names
    from collections.abc import Mapping, Sequence

    from feedward.access.stored_key import StoredKey
    from feedward.access.tenant import Tenant


class PresentedKeys(Bounded, Protocol):
    """Keys by id, for presented API keys: only the authorizer uses it. Raises as KeyStore does."""

    def get(self, key_id: str) -> StoredKey | None:
        """Return the key with this id from a consistent read, or None (rule AK5)."""
        ...

    def touch(self, key_id: str, *, hour: int) -> None:
        """Record the hour in which the key was used, unless a later hour is recorded. A deleted key stays deleted."""
        ...


class Tenants(Bounded, Protocol):
    """Tells workers which tenants are deleted: their work ends (rule TN5)."""

    def is_gone(self, tenant_id: str) -> bool:
        """Return whether the tenant's deletion was requested, from a consistent read.

        Raises Throttled, Conflict or StoreUnavailable.
        """
        ...


class NoTenants:
    """Implements Tenants where there are none, as on the command line."""

    def within(self, deadline: Deadline) -> Self:  # noqa: ARG002 - nothing is read
        """Return itself."""
        return self

    def is_gone(self, tenant_id: str) -> bool:  # noqa: ARG002
        """Return False."""
        return False


NO_TENANTS: Final = NoTenants()


class KeyStore(Tenants, Protocol):
    """Keys of tenants (rules AK2, TN4). `tenant_id` None is the deployment's own user.

    No call finds a key by its id alone. All raise Throttled, Conflict or StoreUnavailable.
    """

    def tenant(self, tenant_id: str | None) -> Tenant | None:
        """Return the tenant from a consistent read, None if it never had a key."""
        ...

    def keys(self, tenant: Tenant) -> Sequence[StoredKey]:
        """Return the tenant's keys from a consistent read, oldest first."""
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

        `tenant.rev` is the one that was read, 0 for a new tenant. Returns False if it has changed or a new key's id is
        taken: read and decide again. The last use of a changed key is kept.
        """
        ...

    def pending(self, *, before: int, limit: int) -> Sequence[str | None]:
        """Return up to `limit` tenants with an unfinished deletion, from `before` or earlier. The index may lag."""
        ...

    def tenants(self, *, after: str | None, limit: int) -> Sequence[Tenant]:
        """Return up to `limit` tenants by name, after this one, including deleted ones."""
        ...


class TenantData(Bounded, Protocol):
    """All stored data of a tenant, for its deletion (rule TN11).

    All raise Throttled, Conflict or StoreUnavailable.
    """

    @property
    def stages(self) -> int:
        """The number of parts, which are deleted one after the other."""
        ...

    def remove(
        self, tenant_id: str, stage: int, place: Mapping[str, str] | None
    ) -> tuple[int, Mapping[str, str] | None]:
        """Delete a page of a part, from a cursor on. Returns the number of items and the next cursor; None at the end.

        The call is idempotent. The tenant's own record and the shared directory are kept.
        """
        ...
