"""Callers of services, for tests."""

from __future__ import annotations

from feedward.access.caller import Caller, Scope


def of_tenant(tenant_id: str | None, scope: Scope = Scope.OPERATOR) -> Caller:
    """Return a caller of the tenant, without a key."""
    return Caller(tenant_id=tenant_id, key_id=None, scope=scope)
