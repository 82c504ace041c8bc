"""Tenants as JSON, and requests for them (rules TN3, TN11)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from feedward.access.caller import SELF
from feedward.access.tenant import Tenant, tenant_name
from feedward.api.event import Event, path_parameter, query_values, whole_number
from feedward.api.route import Reply
from feedward.errors import InvalidInput, NotFound
from feedward.services.access.delete_tenant import PAGE


def decode_page(event: Event) -> dict[str, Any]:
    """Return `after` and `limit`, if given. Raises InvalidInput, which names the parameter."""
    return query_values(event, PAGE_PARAMETERS)


def decode_id(event: Event) -> dict[str, Any]:
    """Return the tenant's name in the path. Raises NotFound for an invalid name."""
    try:
        return {"tenant_id": tenant_name(path_parameter(event, "id"))}
    except InvalidInput:
        raise NotFound("there is no tenant with this name") from None


def _listed_name(value: str, name: str) -> str:
    """Read a name of the list, which includes the deployment's own user."""
    return value if value == SELF else tenant_name(value, name)


PAGE_PARAMETERS: Final = {"after": _listed_name, "limit": whole_number(1, PAGE)}


def encode_tenant(tenant: Tenant) -> dict[str, Any]:
    """Return a tenant and the progress of its deletion. `id` null is the deployment's own user."""
    return {
        "id": tenant.tenant_id,
        "created_at": tenant.created_at,
        "deleting_since": tenant.deleting_since,
        "deleted_at": tenant.deleted_at,
        "removed": tenant.removed,
        "looks_again_at": tenant.looks_again_at,
    }


def encode_tenants(tenants: Sequence[Tenant]) -> dict[str, Any]:
    """Return a page of tenants by name; the last name is the `after` of the next page."""
    return {"tenants": list(map(encode_tenant, tenants))}


def encode_deletion(tenant: Tenant) -> Reply:
    """Return 202 until the deletion and its second pass are done, then 200."""
    return Reply(document=encode_tenant(tenant), status=202 if tenant.deleted_at is None else 200)
