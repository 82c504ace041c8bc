"""Routes of feeds, subscriptions, searches, imports, exports, the stats and dead letters (rules G1, Q19). The first
request of a group loads its modules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from feedward.access.caller import Scope
from feedward.api.route import Route, Routes, later, route

_READ_FEEDS: Final = ("GET /v1/feeds", "GET /v1/feeds/{id}", "GET /v1/feeds/{id}/items", "GET /v1/feeds/{id}/audit")
_ACT_ON_FEED: Final = (
    "PATCH /v1/feeds/{id}",
    "POST /v1/feeds/{id}/topics",
    "POST /v1/feeds/{id}/pause",
    "POST /v1/feeds/{id}/resume",
    "POST /v1/feeds/{id}/check",
    "POST /v1/feeds/{id}/revive",
    "POST /v1/feeds/{id}/undo",
)
_SUBSCRIPTIONS: Final = {
    "POST /v1/subscriptions": Scope.WRITE,
    "GET /v1/subscriptions": Scope.READ,
    "GET /v1/subscriptions/{id}": Scope.READ,
    "DELETE /v1/subscriptions/{id}": Scope.WRITE,
}


def directory_routes(ports: Callable[[], Any]) -> Routes:
    """Return the routes by "METHOD /path". `ports` returns the ports of the directory, with a clock."""
    return {
        **later(dict.fromkeys(_READ_FEEDS, Scope.READ), partial(_reading_routes, ports)),
        **later(dict.fromkeys(_ACT_ON_FEED, Scope.WRITE), partial(_acting_routes, ports)),
        **search_routes(ports),
        **later(_SUBSCRIPTIONS, partial(_subscription_routes, ports)),
    }


def _reading_routes(ports: Callable[[], Any]) -> Mapping[str, Route]:
    from feedward.api import feeds  # noqa: PLC0415
    from feedward.services.directory import read_feeds  # noqa: PLC0415

    dated = partial(_dated, ports)
    steps: Mapping[str, tuple[Any, Any, Any]] = {
        "GET /v1/feeds": (feeds.decode_list, read_feeds.list_feeds, dated(feeds.encode_feeds)),
        "GET /v1/feeds/{id}": (feeds.decode_id, read_feeds.find_feed, dated(feeds.encode_feed)),
        "GET /v1/feeds/{id}/items": (feeds.decode_id, read_feeds.feed_items, feeds.encode_items),
        "GET /v1/feeds/{id}/audit": (feeds.decode_audit, read_feeds.feed_audit, feeds.encode_audit),
    }
    return {name: route(Scope.READ, *three, ports) for name, three in steps.items()}


def _acting_routes(ports: Callable[[], Any]) -> Mapping[str, Route]:
    from feedward.api import feeds  # noqa: PLC0415
    from feedward.services.directory import act_on_feed, decide_topics  # noqa: PLC0415

    changed, accepted = _dated(ports, feeds.encode_feed), _dated(ports, feeds.encode_accepted)
    steps: Mapping[str, tuple[Any, Any, Any]] = {
        "PATCH /v1/feeds/{id}": (feeds.decode_settings, act_on_feed.set_collect_items, changed),
        "POST /v1/feeds/{id}/topics": (feeds.decode_topics, decide_topics.decide_topics, changed),
        "POST /v1/feeds/{id}/pause": (feeds.decode_action, act_on_feed.pause_feed, accepted),
        "POST /v1/feeds/{id}/resume": (feeds.decode_action, act_on_feed.resume_feed, accepted),
        "POST /v1/feeds/{id}/check": (feeds.decode_bare, act_on_feed.check_feed_now, accepted),
        "POST /v1/feeds/{id}/revive": (feeds.decode_bare, act_on_feed.ask_for_revival, accepted),
        "POST /v1/feeds/{id}/undo": (feeds.decode_undo, act_on_feed.undo_last_move, accepted),
    }
    return {name: route(Scope.WRITE, *three, ports) for name, three in steps.items()}


def _dated(ports: Callable[[], Any], encode: Callable[..., object]) -> Callable[..., object]:
    """Pass the current time to `encode`: some fields of a feed depend on it."""
    return lambda found: encode(found, now=ports().clock.now())


def _subscription_routes(ports: Callable[[], Any]) -> Mapping[str, Route]:
    from feedward.api import subscriptions  # noqa: PLC0415
    from feedward.services.subscribe import subscribe as served  # noqa: PLC0415

    by_id = subscriptions.decode_id
    steps: Mapping[str, tuple[Any, Any, Any]] = {
        "POST /v1/subscriptions": (subscriptions.decode_new, served.subscribe, subscriptions.encode_subscribed),
        "GET /v1/subscriptions": (
            subscriptions.decode_page,
            served.list_subscriptions,
            subscriptions.encode_subscriptions,
        ),
        "GET /v1/subscriptions/{id}": (by_id, served.find_subscription, subscriptions.encode_subscription),
        "DELETE /v1/subscriptions/{id}": (by_id, served.unsubscribe, subscriptions.encode_deleted),
    }
    return {name: route(_SUBSCRIPTIONS[name], *three, ports) for name, three in steps.items()}


_SEARCHES: Final = {
    "GET /v1/search": Scope.READ,
    "GET /v1/search/index": Scope.READ,
    "POST /v1/search/rebuild": Scope.OPERATOR,
}


def search_routes(ports: Callable[[], Any]) -> Routes:
    """Return the routes by "METHOD /path". `ports` returns the ports of search, with a clock."""
    return later(_SEARCHES, partial(_search_routes, ports))


def _search_routes(ports: Callable[[], Any]) -> Mapping[str, Route]:
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
    return {name: route(_SEARCHES[name], *three, ports) for name, three in parts.items()}


_IMPORTS: Final = {
    "POST /v1/imports": Scope.WRITE,
    "GET /v1/imports": Scope.READ,
    "GET /v1/imports/{id}": Scope.READ,
    "POST /v1/imports/{id}/start": Scope.WRITE,
    "GET /v1/imports/{id}/entries": Scope.READ,
}


def import_routes(ports: Callable[[], Any]) -> Routes:
    """Return the routes by "METHOD /path". `ports` returns the ports of imports."""
    return later(_IMPORTS, partial(_import_routes, ports))


def _import_routes(ports: Callable[[], Any]) -> Mapping[str, Route]:
    from feedward.api import imports  # noqa: PLC0415
    from feedward.services.intake import read_imports, start_import  # noqa: PLC0415

    parts: Mapping[str, tuple[Any, Any, Any]] = {
        "POST /v1/imports": (imports.decode_new, start_import.begin_import, imports.encode_begun),
        "GET /v1/imports": (imports.decode_page, read_imports.list_imports, imports.encode_imports),
        "GET /v1/imports/{id}": (imports.decode_id, read_imports.find_import, imports.encode_import),
        "POST /v1/imports/{id}/start": (imports.decode_start, start_import.start_uploaded, imports.encode_started),
        "GET /v1/imports/{id}/entries": (imports.decode_entries, read_imports.list_entries, imports.encode_entries),
    }
    return {name: route(_IMPORTS[name], *three, ports) for name, three in parts.items()}


def export_routes(ports: Callable[[], Any]) -> Routes:
    """Return the routes by "METHOD /path". `ports` returns the ports of exports."""
    names = ("GET /v1/exports/{format}", "GET /v1/exports/jobs/{id}")
    return later(dict.fromkeys(names, Scope.READ), partial(_export_routes, ports))


def _export_routes(ports: Callable[[], Any]) -> Mapping[str, Route]:
    from feedward.api import exports  # noqa: PLC0415
    from feedward.services.export.export_now import export_feeds, find_export  # noqa: PLC0415

    return {
        "GET /v1/exports/{format}": route(
            Scope.READ, exports.decode_export, export_feeds, exports.encode_export, ports
        ),
        "GET /v1/exports/jobs/{id}": route(Scope.READ, exports.decode_job, find_export, exports.encode_job, ports),
    }


_STATS: Final = "GET /v1/stats"
_DEAD_LETTERS: Final = "GET /v1/dead-letters"


def stats_routes(ports: Callable[[], Any]) -> Routes:
    """Return the routes by "METHOD /path". `ports` returns the ports of the stats."""
    return {
        **later({_STATS: Scope.READ}, partial(_stats_route, ports)),
        **later({_DEAD_LETTERS: Scope.OPERATOR}, partial(_dead_letters_route, ports)),
    }


def _stats_route(ports: Callable[[], Any]) -> Mapping[str, Route]:
    from feedward.api.stats import decode_parts, encode_stats  # noqa: PLC0415
    from feedward.services.stats.read_stats import read_stats  # noqa: PLC0415

    return {_STATS: route(Scope.READ, decode_parts, read_stats, encode_stats, ports)}


def _dead_letters_route(ports: Callable[[], Any]) -> Mapping[str, Route]:
    from feedward.api.stats import decode_queue, encode_letters  # noqa: PLC0415
    from feedward.services.stats.read_stats import read_dead_letters  # noqa: PLC0415

    return {_DEAD_LETTERS: route(Scope.OPERATOR, decode_queue, read_dead_letters, encode_letters, ports)}
