"""Routes of exports (rule G1). The first request for an export loads their modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from feedward.access.caller import Scope
from feedward.api.route import Route, Routes, later, route


def export_routes(ports: Callable[[], Any]) -> Routes:
    """Return the routes by "METHOD /path". `ports` returns the ports of exports."""
    names = ("GET /v1/exports/{format}", "GET /v1/exports/jobs/{id}")
    return later(dict.fromkeys(names, Scope.READ), partial(_routes, ports))


def _routes(ports: Callable[[], Any]) -> Mapping[str, Route]:
    from feedward.api import exports  # noqa: PLC0415
    from feedward.services.export.export_now import export_feeds, find_export  # noqa: PLC0415

    return {
        "GET /v1/exports/{format}": route(
            Scope.READ, exports.decode_export, export_feeds, exports.encode_export, ports
        ),
        "GET /v1/exports/jobs/{id}": route(Scope.READ, exports.decode_job, find_export, exports.encode_job, ports),
    }
