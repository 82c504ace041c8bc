"""All rules of RSSHub, found by host."""

from __future__ import annotations

from collections.abc import Mapping

from feedward.discovery.rsshub import china, creators, networks, press, software
from feedward.discovery.rsshub.rule import Route

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
