"""Routes of quotas (rule G1). The first request for quotas loads their modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from feedward.access.caller import Scope
from feedward.api.route import Route, Routes, later, route


def quota_routes(ports: Callable[[], Any]) -> Routes:
    """Return the routes by "METHOD /path". `ports` returns the meter and the counters."""

    def made() -> Mapping[str, Route]:
        return _routes(ports)

    return {
        "GET /v1/quotas": later(Scope.READ, "GET /v1/quotas", made),
        "GET /v1/quotas/{tenant}": later(Scope.OPERATOR, "GET /v1/quotas/{tenant}", made),
        "PATCH /v1/quotas/{tenant}": later(Scope.OPERATOR, "PATCH /v1/quotas/{tenant}", made),
    }


def _routes(ports: Callable[[], Any]) -> Mapping[str, Route]:
    from feedward.api.access import quotas  # noqa: PLC0415
    from feedward.services.quotas import read_quotas  # noqa: PLC0415

    of_tenant, encode = quotas.decode_tenant, quotas.encode_quotas
    return {
        "GET /v1/quotas": route(Scope.READ, quotas.decode_none, read_quotas.own_quotas, encode, ports),
        "GET /v1/quotas/{tenant}": route(Scope.OPERATOR, of_tenant, read_quotas.quotas_of, encode, ports),
        "PATCH /v1/quotas/{tenant}": route(Scope.OPERATOR, quotas.decode_limits, read_quotas.set_quotas, encode, ports),
    }
