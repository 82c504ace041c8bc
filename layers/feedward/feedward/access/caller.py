"""The caller: its tenant, its key and the scope of the key (rules T3, TN1)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from feedward.access import name_of
from feedward.errors import ScopeMissing


class Scope(StrEnum):
    """The scope of a key; each scope includes those before it.

    `admin` covers the tenant's own keys and webhooks; `operator` covers the deployment: the shared directory, tenants
    and all keys (rule TN12).
    """

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"
    OPERATOR = "operator"

    def includes(self, other: Scope) -> bool:
        """Return whether a key of this scope may do what needs `other`."""
        order = tuple(Scope)
        return order.index(self) >= order.index(other)


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller of a service, created at the one entry point of the API.

    `tenant_id` is None for the deployment's own user, which is a tenant like others and not "unknown" (rule TN2): an
    unknown caller gets no Caller. `key_id` is None where no key is required, as on loopback.
    """

    tenant_id: str | None
    key_id: str | None
    scope: Scope

    @property
    def name(self) -> str:
        """The caller's name in the audit log of a shared object: the tenant and the key (rule TN8)."""
        return f"{name_of(self.tenant_id)}/{self.key_id}" if self.key_id else "caller"

    @property
    def sees_secrets(self) -> bool:
        """False for a read-only key: it is shown no secret that allows access elsewhere (rule AK8)."""
        return self.scope.includes(Scope.WRITE)

    def require(self, scope: Scope) -> None:
        """Raise ScopeMissing unless the caller's key has this scope."""
        if not self.scope.includes(scope):
            raise ScopeMissing(scope.value)


SELF_HOSTED: Final = Caller(tenant_id=None, key_id=None, scope=Scope.OPERATOR)
"""The deployment's own user, where no key is required."""
