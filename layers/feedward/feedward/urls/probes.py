"""Probes: other URLs under which a platform serves the same feed, each to be fetched and compared (spec C11)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from feedward.errors import InvalidInput
from feedward.urls.parse import parse_http_url
from feedward.urls.query import without_pairs

# What `?feed=` may say in WordPress, and the path that pretty permalinks have for it
_WORDPRESS_PATHS = {
    "rss": "/feed",
    "rss2": "/feed",
    "rdf": "/feed",
    "atom": "/feed/atom",
    "comments-rss": "/comments/feed",
    "comments-rss2": "/comments/feed",
    "comments-rdf": "/comments/feed",
    "comments-atom": "/comments/feed/atom",
}
_WORDPRESS_ENDINGS = ("/atom", "/rss2", "/rss", "/rdf")


def probe_urls(url: str, names: Iterable[str] | None = None) -> list[str]:
    """List the candidates that the probes of `names` (all, if None) have for `url`, best first, none twice.

    Raises InvalidInput (`probes`) for a name that is none.
    """
    found: dict[str, None] = {}
    for name in PROBES if names is None else names:
        if name not in PROBES:
            raise InvalidInput("probes", f"there is no probe {name!r}; there are {', '.join(PROBES)}")
        found.update(dict.fromkeys(PROBES[name](url)))
    return list(found)


def probe_wordpress(url: str) -> list[str]:
    """For `?feed=rss2` and its kin: the feed's path under pretty permalinks, without and with trailing slash.

    Other parameters stay; the fragment goes.
    """
    parsed = parse_http_url(url)
    feed_path = _WORDPRESS_PATHS.get(_wordpress_feed(parsed.search[1:])) if parsed else None
    if parsed is None or feed_path is None:
        return []
    path = _blog_path(parsed.pathname) + feed_path
    query = without_pairs(parsed.search[1:], {"feed"})
    parsed.search, parsed.hash = f"?{query}" if query else "", ""
    candidates = []
    for candidate in (path, f"{path}/"):
        parsed.pathname = candidate
        candidates.append(parsed.href)
    return candidates


PROBES: Mapping[str, Callable[[str], list[str]]] = MappingProxyType({"wordpress": probe_wordpress})


def _wordpress_feed(query: str) -> str:
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        if name == "feed":
            return value
    return ""


def _blog_path(path: str) -> str:
    """Take off what names a feed already, so that `/blog/feed/?feed=atom` is about `/blog`."""
    path = path.rstrip("/").removesuffix("/index.php")
    for ending in _WORDPRESS_ENDINGS:
        if path.endswith(f"/feed{ending}"):
            path = path.removesuffix(ending)
    return path.removesuffix("/feed").removesuffix("/comments") if path.endswith("/feed") else path
