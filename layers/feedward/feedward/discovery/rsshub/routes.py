"""Which route of RSSHub makes a feed of an address (rule D3): for sites that have none. It is tried last.

RSSHub is a service that many run; which one is asked is a setting. A route is a candidate like any other.
"""

from __future__ import annotations

from collections.abc import Iterator

from feedward.discovery.candidate import Kind, Lead, Source
from feedward.discovery.path_patterns import fill, find
from feedward.discovery.rsshub.rule import Route
from feedward.discovery.rsshub.table import ROUTES_OF
from feedward.discovery.url_parts import host_of, read_url
from feedward.urls.parse import Url, parse_http_url


def rsshub_path(url: str) -> str | None:
    """Return the path of the route for `url`, as `/twitter/user/nasa`, or None where no rule knows one."""
    parsed = read_url(url)
    return next(_paths(parsed), None) if parsed else None


def rsshub_leads(url: str, base_url: str) -> list[Lead]:
    """Return what RSSHub at `base_url` may have for `url`: one lead or none.

    `base_url` may have a port and a path of its own and end in a slash. Its query is not kept. Empty too for a base
    that is none, or that has a user and a password, which every candidate would show.
    """
    path, base = rsshub_path(url), parse_http_url(base_url)
    if path is None or base is None or base.has_credentials():
        return []
    base.search = base.hash = ""
    feed = parse_http_url(base.href.rstrip("/") + path)
    if feed is None:
        return []
    namespace = path.split("/")[1]
    return [Lead(url=feed.href, source=Source.RSSHUB, kind=Kind.MAIN, why=f"rsshub: {namespace}")]


def _paths(url: Url) -> Iterator[str]:
    for route, below in _routes(host_of(url)):
        found = find(route.pattern, url, route.reserved)
        if found is not None:
            yield fill(route.path, {**below, **found})


def _routes(host: str) -> Iterator[tuple[Route, dict[str, str]]]:
    """The rules of a host, with what stands below the domain where a rule is for all names below it."""
    for route in ROUTES_OF.get(host, ()):
        yield route, {}
    sub, dot, above = host.partition(".")
    for route in ROUTES_OF.get(dot + above, ()):
        yield route, {"sub": sub}
