"""Routes of search. The first search imports their modules: other requests do not load them (rule Q19)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from feedward.access.caller import Scope
from feedward.api.route import Route, Routes, later, route

_SCOPES: Final = {
    "GET /v1/search": Scope.READ,
    "GET /v1/search/index": Scope.READ,
    "POST /v1/search/rebuild": Scope.OPERATOR,
}


def search_routes(ports: Callable[[], Any]) -> Routes:
    """Return the routes by "METHOD /path". `ports` returns the ports of search, with a clock."""
    return later(_SCOPES, partial(_routes, ports))


def _routes(ports: Callable[[], Any]) -> Mapping[str, Route]:
    from feedward.api import search  # noqa: PLC0415
    from feedward.services.search import search_feeds  # noqa: PLC0415

    def found(page: Any) -> object:
        return search.encode_found(page, now=ports().clock.now())

    nothing = search.decode_nothing
    parts: Mapping[str, tuple[Any, Any, Any]] = {
        "GET /v1/search": (search.decode_search, search_feeds.search_feeds, found),
        "GET /v1/search/index": (nothing, search_feeds.index_status, search.encode_status),
        "POST /v1/search/rebuild": (nothing, search_feeds.ask_for_rebuild, search.encode_asked),
    }
    return {name: route(_SCOPES[name], *three, ports) for name, three in parts.items()}
