"""Quotas for the API: a tenant's remaining quotas, and the limits that the operator sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from feedward.access import SELF
from feedward.access.caller import Caller
from feedward.access.tenant import NAME
from feedward.deadline import Deadline
from feedward.errors import Conflict, NotFound
from feedward.ports.keys import KeyStore
from feedward.ports.quotas import QuotaCounters
from feedward.quotas.quota import Limits, Quota, quota_of, read_limit
from feedward.services.quotas.meter import Meter, QuotaState

ANSWER_S: Final = 10.0
_ROUNDS: Final = 10


class QuotaPorts(Protocol):
    """The meter, the stored limits, and the tenants."""

    @property
    def meter(self) -> Meter: ...
    @property
    def quota_counters(self) -> QuotaCounters: ...
    @property
    def keys(self) -> KeyStore: ...


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
    """Return a tenant's quotas (GET /v1/quotas/{tenant}). Raises NotFound, and the errors of the stores."""
    return _quotas(_known(tenant, ports), ports)


def set_quotas(
    _caller: Caller, tenant: str, *, limits: Mapping[str, int | str | None], ports: QuotaPorts
) -> TenantQuotas:
    """Change limits of a tenant (PATCH /v1/quotas/{tenant}): a number, `unlimited`, or None for the default.

    A changed limit applies within a minute. Raises InvalidInput, NotFound, Conflict, and the errors of the stores.
    """
    given = {quota_of(name, name): limit for name, limit in limits.items()}
    read = {quota: read_limit(str(limit), quota) for quota, limit in given.items() if limit is not None}
    tenant_id = _known(tenant, ports)
    for _ in range(_ROUNDS):
        seen = ports.quota_counters.limits(tenant_id)
        own = {quota: limit for quota, limit in seen.items() if quota not in given} | read
        if ports.quota_counters.set_limits(tenant_id, own, seen=seen):
            return _quotas(tenant_id, ports)
    raise Conflict("the limits of this tenant kept changing")


def _quotas(tenant_id: str | None, ports: QuotaPorts) -> TenantQuotas:
    own: Limits = ports.quota_counters.limits(tenant_id)
    return TenantQuotas(
        tenant_id=tenant_id,
        quotas=ports.meter.state(tenant_id, own),
        own=frozenset(own),
    )


def _known(tenant: str, ports: QuotaPorts) -> str | None:
    """Return a tenant's id. Raises NotFound for a name that never had a key, or that was deleted.

    Its first key creates a tenant. Limits of another name would stay when it is deleted, or belong to no tenant.
    """
    if tenant == SELF:
        return None
    found = ports.keys.within(Deadline.after(ANSWER_S)).tenant(tenant) if NAME.fullmatch(tenant) else None
    if found is None or found.is_gone:
        raise NotFound("there is no tenant with this name")
    return tenant
