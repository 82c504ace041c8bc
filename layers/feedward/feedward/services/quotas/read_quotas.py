"""Quotas for the API: a tenant's remaining quotas, and the limits that the operator sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from feedward.access.caller import SELF, Caller
from feedward.access.tenant import tenant_name
from feedward.ports.quotas import QuotaCounters
from feedward.quotas.quota import Limits, Quota, quota_of, read_limit
from feedward.services.quotas.meter import Meter, QuotaState


class QuotaPorts(Protocol):
    """The meter, and the stored limits."""

    @property
    def meter(self) -> Meter: ...
    @property
    def quota_counters(self) -> QuotaCounters: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantQuotas:
    """All quotas of a tenant. `own` names those with the tenant's own limit in place of the default."""

    tenant_id: str | None
    quotas: tuple[QuotaState, ...]
    own: frozenset[Quota]


def own_quotas(caller: Caller, *, ports: QuotaPorts) -> TenantQuotas:
    """Return the quotas of the caller's tenant (GET /v1/quotas). Raises the errors of the counters."""
    return _quotas(caller.tenant_id, ports)


def quotas_of(_caller: Caller, tenant: str, *, ports: QuotaPorts) -> TenantQuotas:
    """Return a tenant's quotas (GET /v1/quotas/{tenant}). Raises InvalidInput, and the errors of the counters."""
    return _quotas(_named(tenant), ports)


def set_quotas(
    _caller: Caller, tenant: str, *, limits: Mapping[str, int | str | None], ports: QuotaPorts
) -> TenantQuotas:
    """Change limits of a tenant (PATCH /v1/quotas/{tenant}): a number, `unlimited`, or None for the default.

    A changed limit applies within a minute. Raises InvalidInput, and the errors of the counters.
    """
    tenant_id = _named(tenant)
    changed = {quota_of(name, name): limit for name, limit in limits.items()}
    own = dict(ports.quota_counters.limits(tenant_id))
    for quota, limit in changed.items():
        own.pop(quota, None)
        if limit is not None:
            own[quota] = read_limit(str(limit), quota)
    ports.quota_counters.set_limits(tenant_id, own)
    return _quotas(tenant_id, ports)


def _quotas(tenant_id: str | None, ports: QuotaPorts) -> TenantQuotas:
    own: Limits = ports.quota_counters.limits(tenant_id)
    return TenantQuotas(
        tenant_id=tenant_id,
        quotas=ports.meter.state(tenant_id, own),
        own=frozenset(own),
    )


def _named(tenant: str) -> str | None:
    return None if tenant == SELF else tenant_name(tenant, "tenant")
