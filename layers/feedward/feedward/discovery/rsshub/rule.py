"""One rule of RSSHub: which addresses of which hosts a route of RSSHub makes a feed of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Route:
    """`pattern` is over the path and query of a URL on `hosts` (see discovery/path_patterns.py), `path` the template of
    the route. A host is written without www; one that begins with a dot stands for the name directly below it, which
    is the value `sub`. `reserved` are names that the first part of a path cannot have where it stands for anything.
    """

    hosts: tuple[str, ...]
    pattern: str
    path: str
    reserved: frozenset[str]


def on(hosts: str, routes: Mapping[str, str], *, reserved: str = "") -> tuple[Route, ...]:
    """Rules of `hosts` (names with blanks between them): pattern -> route, the first one that is met decides."""
    taken = frozenset(reserved.split())
    return tuple(Route(tuple(hosts.split()), pattern, path, taken) for pattern, path in routes.items())
