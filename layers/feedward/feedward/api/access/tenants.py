"""Tenants and their quotas as JSON, and requests for them (rules TN3, TN11, QT4, QT5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from feedward.access import SELF, name_of
from feedward.access.tenant import Tenant, tenant_name
from feedward.api.event import Event, path_parameter, query_values, whole_number
from feedward.api.fields import integer, json_object
from feedward.api.route import Reply
from feedward.errors import InvalidInput, NotFound
from feedward.quotas.quota import LIMIT_AT_MOST, Quota, quota_of
from feedward.services.access.delete_tenant import PAGE
from feedward.services.quotas.read_quotas import TenantQuotas


def decode_page(event: Event) -> dict[str, Any]:
    """Return `after` and `limit`, if given. Raises InvalidInput, which names the parameter."""
    return query_values(event, PAGE_PARAMETERS)


def decode_id(event: Event) -> dict[str, Any]:
    """Return the tenant's name in the path. Raises NotFound for an invalid name, InvalidInput for a parameter."""
    query_values(event, {})
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


FIELDS: Final = tuple(Quota)


def decode_none(event: Event) -> dict[str, Any]:
    """Return nothing: a request for the caller's own quotas has no parameters. Raises InvalidInput for one."""
    return query_values(event, {})


def decode_tenant(event: Event) -> dict[str, Any]:
    """Read the tenant of the path. Raises InvalidInput for a query parameter."""
    return {**decode_none(event), "tenant": path_parameter(event, "tenant")}


def decode_limits(event: Event) -> dict[str, Any]:
    """Read the tenant of the path, and limits by quota. Raises InvalidInput, which names the quota."""
    tenant = decode_tenant(event)
    limits = json_object(event)
    read = {quota_of(name, name[:100]): limit for name, limit in limits.items()}
    return {**tenant, "limits": {quota: _limit(limit, quota) for quota, limit in read.items()}}


def _limit(value: object, path: str) -> int | str | None:
    """Read a whole number, null for the default, or a text, which the service reads."""
    return value if value is None or isinstance(value, str) else integer(value, path, at_least=0, at_most=LIMIT_AT_MOST)


def encode_quotas(found: TenantQuotas) -> dict[str, Any]:
    """Return all quotas of a tenant."""
    return {
        "tenant": name_of(found.tenant_id),
        "quotas": [
            {
                "quota": each.quota,
                "window": each.quota.window,
                "limit": each.limit,
                "used": each.used,
                "opens_at": each.opens_at,
                "is_default": each.quota not in found.own,
            }
            for each in found.quotas
        ],
    }
