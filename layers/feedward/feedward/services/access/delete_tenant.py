"""Lists tenants, and deletes one (rules TN3, TN11).

A deletion starts with a mark: the tenant's keys are revoked in the same transaction, and workers of the tenant stop
when they next read it. Then its data is deleted page by page. The mark has the cursor, so the deletion can be killed
anywhere; the reconcile pass continues it, and checks again after an hour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from feedward.access.caller import Caller, Scope
from feedward.access.stored_key import StoredKey
from feedward.access.tenant import Tenant, going, gone_on
from feedward.deadline import Deadline
from feedward.errors import Conflict, FeedwardError, NotFound
from feedward.ports.keys import TenantData
from feedward.services.access.ports import KeyPorts, TenantPorts

PAGE: Final = 100
ANSWER_S: Final = 10.0
# The time reserved for one page in a step.
PAGE_S: Final = 8.0
# The time of a request, without its last page.
BEGIN_S: Final = 18.0
AT_ONCE: Final = 10
_ROUNDS: Final = 100


def list_tenants(caller: Caller, *, ports: KeyPorts, after: str | None = None, limit: int = PAGE) -> Sequence[Tenant]:
    """Return up to `limit` tenants by name (GET /v1/tenants): those that ever had a key. Requires an operator."""
    caller.require(Scope.OPERATOR)
    return ports.keys.within(Deadline.after(ANSWER_S)).tenants(after=after, limit=limit)


def delete_tenant(caller: Caller, tenant_id: str, *, ports: KeyPorts) -> Tenant:
    """Mark a tenant as deleted and revoke its keys (DELETE /v1/tenants/{id}). Return it with its mark.

    A repeated call changes nothing. Raises ScopeMissing, NotFound for a tenant that never had a key, Conflict, and the
    errors of the store.
    """
    caller.require(Scope.OPERATOR)
    store = ports.keys.within(Deadline.after(ANSWER_S))
    for _ in range(_ROUNDS):
        tenant = store.tenant(tenant_id)
        if tenant is None:
            raise NotFound("there is no tenant with this name")
        if tenant.is_gone:
            return tenant
        now = ports.clock.now()
        marked = going(tenant, now=now)
        if store.save(marked, changed=_revoked(store.keys(tenant), now)):
            return replace(marked, rev=marked.rev + 1)
    raise Conflict("the tenant kept changing")


def delete_and_begin(caller: Caller, tenant_id: str, *, ports: TenantPorts) -> Tenant:
    """Do the same, and delete data while there is time. A repeated call continues."""
    marked = delete_tenant(caller, tenant_id, ports=ports)
    return continue_deletion(tenant_id, ports=ports, within_s=BEGIN_S) or marked


def continue_deletion(tenant_id: str | None, *, ports: TenantPorts, within_s: float) -> Tenant | None:
    """Delete pages of a deleted tenant for `within_s` seconds. Return it with its mark; None if nothing is left to do.

    Stops if another worker continues the deletion at the same time. Raises the errors of the stores.
    """
    deadline = Deadline.after(within_s, ports.clock.monotonic)
    keys, data = ports.keys.within(deadline), ports.tenant_data.within(deadline)
    tenant = keys.tenant(tenant_id)
    while tenant is not None and _is_due(tenant, ports.clock.now()) and deadline.left_s() > PAGE_S:
        after = _after_page(tenant, data, ports.clock.now())
        dropped = keys.keys(tenant) if after.deleted_at is not None else ()
        if not keys.save(after, dropped=dropped):
            return keys.tenant(tenant_id)
        tenant = replace(after, rev=after.rev + 1)
    return tenant


def continue_deletions(*, ports: TenantPorts, within_s: float) -> int:
    """Continue the due deletions: the reconcile pass. Returns their number."""
    deadline = Deadline.after(within_s, ports.clock.monotonic)
    found = ports.keys.within(deadline).pending(before=ports.clock.now(), limit=AT_ONCE)
    for tenant_id in found:
        try:
            continue_deletion(tenant_id, ports=ports, within_s=deadline.left_s())
        except FeedwardError:
            continue  # the next pass continues it
    return len(found)


def _after_page(tenant: Tenant, data: TenantData, now: int) -> Tenant:
    removed, place = data.remove(tenant.tenant_id or "", tenant.stage, tenant.place)
    return gone_on(tenant, removed=removed, place=place, stages=data.stages, now=now)


def _is_due(tenant: Tenant, now: int) -> bool:
    is_own = tenant.tenant_id is None  # the deployment's own user is not deleted
    return not is_own and tenant.is_gone and tenant.pending_since is not None and tenant.pending_since <= now


def _revoked(keys: Sequence[StoredKey], now: int) -> list[StoredKey]:
    return [replace(key, revoked_at=now) for key in keys if key.is_live(now)]
