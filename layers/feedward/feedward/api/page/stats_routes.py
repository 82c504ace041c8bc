"""The route of the stats. What it needs is imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from feedward.access.caller import Scope
from feedward.api.route import Route, Routes, later, route

_STATS: Final = "GET /v1/stats"


def stats_routes(ports: Callable[[], Any]) -> Routes:
    """Return the route by "METHOD /path". `ports` returns the ports of the stats."""
    return {_STATS: later(Scope.READ, _STATS, partial(_routes, ports))}


def _routes(ports: Callable[[], Any]) -> Mapping[str, Route]:
    from feedward.api.page.stats import decode_parts, encode_stats  # noqa: PLC0415
    from feedward.services.stats.read_stats import read_stats  # noqa: PLC0415

    return {_STATS: route(Scope.READ, decode_parts, read_stats, encode_stats, ports)}
