"""Routes of imports (rule G1). What they need is loaded by the first request for an import."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from feedward.api.event import Event
from feedward.api.route import Route, route


def import_routes(ports: Callable[[], Any]) -> Mapping[str, Route]:
    """Return the routes by "METHOD /path". `ports` returns the ports of imports."""
    names = (
        "POST /v1/imports",
        "GET /v1/imports",
        "GET /v1/imports/{id}",
        "POST /v1/imports/{id}/start",
        "GET /v1/imports/{id}/entries",
    )
    return {name: _loaded(name, ports) for name in names}


def _loaded(name: str, ports: Callable[[], Any]) -> Route:
    """Return the route, whose modules are loaded when it is first asked."""

    def answer(event: Event, context: Any) -> object:
        return _routes(ports)[name](event, context)

    return answer


def _routes(ports: Callable[[], Any]) -> Mapping[str, Callable[[Event, Any], object]]:
    from feedward.api import imports  # noqa: PLC0415
    from feedward.services.intake import read_imports, start_import  # noqa: PLC0415

    begin, start = start_import.begin_import, start_import.start_uploaded
    return {
        "POST /v1/imports": route(imports.decode_new, begin, imports.encode_begun, ports),
        "GET /v1/imports": route(imports.decode_page, read_imports.list_imports, imports.encode_imports, ports),
        "GET /v1/imports/{id}": route(imports.decode_id, read_imports.find_import, imports.encode_import, ports),
        "POST /v1/imports/{id}/start": route(imports.decode_start, start, imports.encode_started, ports),
        "GET /v1/imports/{id}/entries": route(
            imports.decode_entries, read_imports.list_entries, imports.encode_entries, ports
        ),
    }
