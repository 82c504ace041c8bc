"""The routes of the stats and of dead letters. Their first request loads their modules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from feedward.access.caller import Scope
from feedward.api.route import Route, Routes, later, route

_STATS: Final = "GET /v1/stats"
_DEAD_LETTERS: Final = "GET /v1/dead-letters"


def stats_routes(ports: Callable[[], Any]) -> Routes:
    """Return the routes by "METHOD /path". `ports` returns the ports of the stats."""
    return {
        **later({_STATS: Scope.READ}, partial(_stats, ports)),
        **later({_DEAD_LETTERS: Scope.OPERATOR}, partial(_dead_letters, ports)),
    }


def _stats(ports: Callable[[], Any]) -> Mapping[str, Route]:
    from feedward.api.page.stats import decode_parts, encode_stats  # noqa: PLC0415
    from feedward.services.stats.read_stats import read_stats  # noqa: PLC0415

    return {_STATS: route(Scope.READ, decode_parts, read_stats, encode_stats, ports)}


def _dead_letters(ports: Callable[[], Any]) -> Mapping[str, Route]:
    from feedward.api.page.stats import decode_queue, encode_letters  # noqa: PLC0415
    from feedward.services.stats.read_stats import read_dead_letters  # noqa: PLC0415

    return {_DEAD_LETTERS: route(Scope.OPERATOR, decode_queue, read_dead_letters, encode_letters, ports)}
