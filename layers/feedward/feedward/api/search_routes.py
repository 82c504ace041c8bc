"""Routes of search. What they need is imported at the first search: other requests do not load it (rule Q19)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from feedward.api.event import Event
from feedward.api.route import Route, route


def search_routes(ports: Callable[[], Any]) -> Mapping[str, Route]:
    """Return the routes by "METHOD /path". `ports` returns the ports of search, with a clock."""

    def later(name: str) -> Route:
        def serve(event: Event, context: Any) -> object:
            return _routes(ports)[name](event, context)

        return serve

    return {name: later(name) for name in ("GET /v1/search", "GET /v1/search/index", "POST /v1/search/rebuild")}


def _routes(ports: Callable[[], Any]) -> Mapping[str, Callable[[Event, Any], object]]:
    from feedward.api import search  # noqa: PLC0415
    from feedward.services.search import search_feeds  # noqa: PLC0415

    def found(page: Any) -> object:
        return search.encode_found(page, now=ports().clock.now())

    nothing = search.decode_nothing
    return {
        "GET /v1/search": route(search.decode_search, search_feeds.search_feeds, found, ports),
        "GET /v1/search/index": route(nothing, search_feeds.index_status, search.encode_status, ports),
        "POST /v1/search/rebuild": route(nothing, search_feeds.ask_for_rebuild, search.encode_asked, ports),
    }
