"""Routes of quotas (rule G1). The first request for quotas loads their modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from feedward.access.caller import Scope
from feedward.api.route import Route, Routes, later, route

_SCOPES: Final = {
    "GET /v1/quotas": Scope.READ,
    "GET /v1/quotas/{tenant}": Scope.OPERATOR,
    "PATCH /v1/quotas/{tenant}": Scope.OPERATOR,
}


def quota_routes(ports: Callable[[], Any]) -> Routes:
    """Return the routes by "METHOD /path". `ports` returns the meter and the counters."""
    return later(_SCOPES, partial(_routes, ports))


def _routes(ports: Callable[[], Any]) -> Mapping[str, Route]:
    from feedward.api.access import quotas  # noqa: PLC0415
    from feedward.services.quotas import read_quotas  # noqa: PLC0415

    steps: Mapping[str, tuple[Any, Any]] = {
        "GET /v1/quotas": (quotas.decode_none, read_quotas.own_quotas),
        "GET /v1/quotas/{tenant}": (quotas.decode_tenant, read_quotas.quotas_of),
        "PATCH /v1/quotas/{tenant}": (quotas.decode_limits, read_quotas.set_quotas),
    }
    return {name: route(_SCOPES[name], *two, quotas.encode_quotas, ports) for name, two in steps.items()}
