"""The page function: `/` and the modules under `/web/<version>/`. It has no data, asks nothing and is open to all."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import feedward.cold_start
from feedward.api.event import Event, header, path_parameter
from feedward.api.problems import RouteNotFound
from feedward.api.route import NOT_MODIFIED, Reply
from feedward.api.router import Api
from feedward.observability.log import logged
from files import INDEX, SAFE, File, Files

_NEWEST = {"Cache-Control": "no-cache"}
_FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}


@functools.cache
def files() -> Files:
    """Return the files beside this one, read once."""
    return Files(Path(__file__).with_name("web"))


def page(event: Event, _context: Any) -> Reply:
    """Answer `/`: asked for again each time, and sent again only if it changed (rule PG3)."""
    found = files().named(INDEX)
    assert found is not None
    return _sent(event, found, _NEWEST)


def module(event: Event, _context: Any) -> Reply:
    """Answer a file of this version of the page. Raises RouteNotFound, also for another version."""
    found = files().named(path_parameter(event, "file"))
    if found is None or path_parameter(event, "version") != files().version:
        raise RouteNotFound("the page was updated: reload it")
    return _sent(event, found, _FOR_EVER)


def _sent(event: Event, found: File, caching: dict[str, str]) -> Reply:
    headers = {**SAFE, **caching, "ETag": files().etag}
    if files().etag in (header(event, "If-None-Match") or ""):
        return Reply(status=NOT_MODIFIED, headers=headers)
    if "gzip" in (header(event, "Accept-Encoding") or ""):
        return Reply(file=found.packed, media_type=found.media_type, headers={**headers, "Content-Encoding": "gzip"})
    return Reply(file=found.plain, media_type=found.media_type, headers=headers)


ROUTES = {"GET /": page, "GET /web/{version}/{file}": module}
handler = logged(Api(ROUTES, ports=lambda: _no_ports()).answer)


def _no_ports() -> Any:
    """No route is a POST, so nothing is asked for once."""
    raise AssertionError


feedward.cold_start.finish()
