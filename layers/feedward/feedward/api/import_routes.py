"""Routes of imports (rule G1). The first request for an import loads their modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from feedward.access.caller import Scope
from feedward.api.route import Route, Routes, later, route

_SCOPES: Final = {
    "POST /v1/imports": Scope.WRITE,
    "GET /v1/imports": Scope.READ,
    "GET /v1/imports/{id}": Scope.READ,
    "POST /v1/imports/{id}/start": Scope.WRITE,
    "GET /v1/imports/{id}/entries": Scope.READ,
}


def import_routes(ports: Callable[[], Any]) -> Routes:
    """Return the routes by "METHOD /path". `ports` returns the ports of imports."""
    return later(_SCOPES, partial(_routes, ports))


def _routes(ports: Callable[[], Any]) -> Mapping[str, Route]:
    from feedward.api import imports  # noqa: PLC0415
    from feedward.services.intake import read_imports, start_import  # noqa: PLC0415

    parts: Mapping[str, tuple[Any, Any, Any]] = {
        "POST /v1/imports": (imports.decode_new, start_import.begin_import, imports.encode_begun),
        "GET /v1/imports": (imports.decode_page, read_imports.list_imports, imports.encode_imports),
        "GET /v1/imports/{id}": (imports.decode_id, read_imports.find_import, imports.encode_import),
        "POST /v1/imports/{id}/start": (imports.decode_start, start_import.start_uploaded, imports.encode_started),
        "GET /v1/imports/{id}/entries": (imports.decode_entries, read_imports.list_entries, imports.encode_entries),
    }
    return {name: route(_SCOPES[name], *three, ports) for name, three in parts.items()}
