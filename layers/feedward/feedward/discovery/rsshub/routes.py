"""The RSSHub route that makes a feed from a URL (rule D3), for sites without a feed. It is tried last.

RSSHub is a service with many instances; a setting selects one. A route is a candidate like any other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from feedward.discovery.candidate import Kind, Lead, Source
from feedward.discovery.rsshub import china, creators, networks, press, software
from feedward.discovery.rsshub.rule import Route
from feedward.discovery.url_patterns import fill, find, host_of, read_url
from feedward.urls.parse import Url, parse_http_url

ROUTES: tuple[Route, ...] = (
    *networks.ROUTES,
    *creators.ROUTES,
    *china.ROUTES,
    *press.ROUTES,
    *software.ROUTES,
)


def _by_host() -> Mapping[str, tuple[Route, ...]]:
    index: dict[str, list[Route]] = {}
    for route in ROUTES:
        for host in route.hosts:
            index.setdefault(host, []).append(route)
    return {host: tuple(routes) for host, routes in index.items()}


ROUTES_OF: Mapping[str, tuple[Route, ...]] = _by_host()


def rsshub_path(url: str) -> str | None:
    """Return the path of the route for `url`, such as `/twitter/user/nasa`, or None if no rule matches."""
    parsed = read_url(url)
    return next(_paths(parsed), None) if parsed else None


def rsshub_leads(url: str, base_url: str) -> list[Lead]:
    """Return the lead of RSSHub at `base_url` for `url`: one or none.

    `base_url` may have a port and a path and end in a slash. Its query is dropped. An invalid base gives no lead, and
    so does a base with user and password, which every candidate would show.
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
    """Yield the rules of a host, with the subdomain if a rule is for all subdomains."""
    for route in ROUTES_OF.get(host, ()):
        yield route, {}
    sub, dot, above = host.partition(".")
    for route in ROUTES_OF.get(dot + above, ()):
        yield route, {"sub": sub}
