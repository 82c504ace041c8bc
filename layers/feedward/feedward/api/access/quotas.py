"""Requests and responses of quotas: the remaining amounts and a tenant's limits (rules QT4, QT5)."""

from __future__ import annotations

from typing import Any, Final

from feedward.access.caller import SELF
from feedward.api.body import json_object
from feedward.api.event import Event, path_parameter
from feedward.errors import InvalidInput
from feedward.quotas.quota import Quota
from feedward.services.quotas.read_quotas import TenantQuotas

FIELDS: Final = tuple(Quota)


def decode_none(_event: Event) -> dict[str, Any]:
    """Return nothing: a request for the caller's own quotas has no fields."""
    return {}


def decode_tenant(event: Event) -> dict[str, Any]:
    """Read the tenant of the path."""
    return {"tenant": path_parameter(event, "tenant")}


def decode_limits(event: Event) -> dict[str, Any]:
    """Read the tenant of the path, and limits by quota. Raises InvalidInput, which names the quota."""
    limits = json_object(event)
    for name, limit in limits.items():
        if isinstance(limit, (bool, float)) or not (limit is None or isinstance(limit, (int, str))):
            raise InvalidInput(name, "expected a whole number, unlimited or null")
    return {**decode_tenant(event), "limits": limits}


def encode_quotas(found: TenantQuotas) -> dict[str, Any]:
    """Return all quotas of a tenant."""
    return {
        "tenant": found.tenant_id or SELF,
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
