"""Routes of tenants, for operators (rules G1, TN11). The first request for a tenant loads their modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from feedward.access.caller import Scope
from feedward.api.route import Route, Routes, later, route

_NAMES: Final = ("GET /v1/tenants", "DELETE /v1/tenants/{id}")


def tenant_routes(ports: Callable[[], Any]) -> Routes:
    """Return the routes by "METHOD /path". `ports` returns the ports of tenants."""
    return later(dict.fromkeys(_NAMES, Scope.OPERATOR), partial(tenants_by_hand, ports))


def tenants_by_hand(ports: Callable[[], Any]) -> Mapping[str, Route]:
    """Return the operations for direct invocation: those of the API."""
    from feedward.api.access import tenants  # noqa: PLC0415
    from feedward.services.access import delete_tenant as served  # noqa: PLC0415

    parts: Mapping[str, tuple[Any, Any, Any]] = {
        "GET /v1/tenants": (tenants.decode_page, served.list_tenants, tenants.encode_tenants),
        "DELETE /v1/tenants/{id}": (tenants.decode_id, served.delete_and_begin, tenants.encode_deletion),
    }
    return {name: route(Scope.OPERATOR, *three, ports) for name, three in parts.items()}
