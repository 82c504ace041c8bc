"""Who calls: the tenant, the key and what the key allows (rules T3, TN1)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from feedward.errors import ScopeMissing


class Scope(StrEnum):
    """What a key allows; each scope includes those before it.

    `admin` is of the tenant's own keys and webhooks, `operator` of the deployment: the shared directory, tenants and
    all keys (rule TN12).
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
    """The caller of a service, made at the one entry point of the API.

    `tenant_id` is None for the deployment's own user, which is a tenant like others and not "unknown" (rule TN2): an
    unknown caller gets no Caller. `key_id` is None where no key was asked for, as on loopback.
    """

    tenant_id: str | None
    key_id: str | None
    scope: Scope

    @property
    def name(self) -> str:
        """How the history of a shared thing names this caller: the tenant and the key (rule TN8)."""
        return f"{self.tenant_id or SELF}/{self.key_id}" if self.key_id else "caller"

    @property
    def sees_secrets(self) -> bool:
        """False for a key that may only read: it is shown nothing by which to act or read elsewhere (rule AK8)."""
        return self.scope.includes(Scope.WRITE)

    def require(self, scope: Scope) -> None:
        """Raise ScopeMissing unless the caller's key has this scope."""
        if not self.scope.includes(scope):
            raise ScopeMissing(scope.value)


SELF: Final = "_self"
"""The deployment's own user as a part of keys and names; no tenant can be called so."""
SELF_HOSTED: Final = Caller(tenant_id=None, key_id=None, scope=Scope.OPERATOR)
"""The deployment's own user, where no keys are asked for."""
