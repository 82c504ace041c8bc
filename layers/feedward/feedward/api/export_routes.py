"""Routes of exports (rule G1). What they need is loaded by the first request for an export."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from feedward.api.event import Event
from feedward.api.route import Route, route


def export_routes(ports: Callable[[], Any]) -> Mapping[str, Route]:
    """Return the routes by "METHOD /path". `ports` returns the ports of exports."""

    def export(event: Event, context: Any) -> object:
        from feedward.api import exports  # noqa: PLC0415
        from feedward.services.export.export_now import export_feeds  # noqa: PLC0415

        return route(exports.decode_export, export_feeds, exports.encode_export, ports)(event, context)

    def job(event: Event, context: Any) -> object:
        from feedward.api import exports  # noqa: PLC0415
        from feedward.services.export.export_now import find_export  # noqa: PLC0415

        return route(exports.decode_job, find_export, exports.encode_job, ports)(event, context)

    return {"GET /v1/exports/{format}": export, "GET /v1/exports/jobs/{id}": job}
