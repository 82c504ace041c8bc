"""Rewrites for known feed hosts, and probes for the feed of a known system: both only give candidates (rule C11)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from feedward.errors import InvalidInput
from feedward.urls.normalize import NormalizeOptions, normalize_parsed, without_pairs
from feedward.urls.parse import Url, parse_http_url

_TIDY = NormalizeOptions(
    strip_hash=True, strip_empty_query=True, strip_trailing_slash=True, collapse_slashes=True, normalize_encoding=True
)

_FEEDBURNER_HOSTS = frozenset({"feeds.feedburner.com", "feeds2.feedburner.com", "feedproxy.google.com"})

_BLOGGER_HOSTS = frozenset({"blogger.com", "www.blogger.com", "beta.blogger.com", "draft.blogger.com"})
# Blogspot has the domains of many countries: blogspot.de, blogspot.co.uk, blogspot.com.br
_BLOGSPOT = re.compile(r"((?:[a-z0-9_-]+\.)+blogspot)\.(?:[a-z]{2}|com|com?\.[a-z]{2})")
_SELECTING = "redirect v orderby published-min published-max updated-min updated-max start-index max-results"
_BLOGGER_PARAMS = frozenset(_SELECTING.split())
_BLOG_FEED = "/feeds/posts/default"


def rewrite_url(url: str, names: Iterable[str] | None = None) -> str:
    """Apply the first rewrite of `names` (all, if None) that knows the URL's host; else return `url` unchanged.

    Raises InvalidInput (`rewrites`) for an unknown name.
    """
    for name in REWRITES if names is None else names:
        if name not in REWRITES:
            raise InvalidInput("rewrites", f"there is no rewrite {name!r}; there are {', '.join(REWRITES)}")
        rewritten = REWRITES[name](url)
        if rewritten != url:
            return rewritten
    return url


def rewrite_feedburner(url: str) -> str:
    """Move a FeedBurner feed to feeds.feedburner.com and drop its query, which only selects a presentation."""
    parsed = parse_http_url(url)
    if parsed is None or _host(parsed) not in _FEEDBURNER_HOSTS:
        return url
    parsed.hostname, parsed.search = "feeds.feedburner.com", ""
    return normalize_parsed(parsed, _TIDY)


def rewrite_blogger(url: str) -> str:
    """Rewrite a Blogger or Blogspot feed to https, its .com host and its complete feed."""
    parsed = parse_http_url(url)
    host = _blogger_host(_host(parsed)) if parsed else None
    if parsed is None or host is None:
        return url
    parsed.protocol, parsed.hostname = "https", host
    query = _blogger_query(parsed.search[1:])
    if host != "www.blogger.com":
        query = _plain_feed_path(parsed, query)
    parsed.search = f"?{query}"
    return normalize_parsed(parsed, _TIDY)


REWRITES: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {"feedburner": rewrite_feedburner, "blogger": rewrite_blogger}
)


def _host(url: Url) -> str:
    return url.hostname.rstrip(".")


def _blogger_host(host: str) -> str | None:
    if host in _BLOGGER_HOSTS:
        return "www.blogger.com"
    blogspot = _BLOGSPOT.fullmatch(host)
    return f"{blogspot[1]}.com" if blogspot else None


def _blogger_query(query: str) -> str:
    """Drop the pairs that select a part, an order or another format of the feed; `alt=rss` is kept."""
    pairs = without_pairs(query, _BLOGGER_PARAMS).split("&")
    return "&".join(pair for pair in pairs if pair == "alt=rss" or pair.partition("=")[0] != "alt")


def _plain_feed_path(url: Url, query: str) -> str:
    """Return the path with old names of a blog's feed replaced, and its query."""
    path = url.pathname.rstrip("/")
    if path in ("/atom.xml", "/rss.xml"):
        url.pathname = _BLOG_FEED
        if path == "/rss.xml" and "alt=rss" not in query.split("&"):
            return f"{query}&alt=rss".lstrip("&")
    return query


# Values of `?feed=` in WordPress, and the path that pretty permalinks have for each
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
    """Return the candidates of the probes `names` (all, if None) for `url`, best first, without duplicates.

    Raises InvalidInput (`probes`) for an unknown name.
    """
    found: dict[str, None] = {}
    for name in PROBES if names is None else names:
        if name not in PROBES:
            raise InvalidInput("probes", f"there is no probe {name!r}; there are {', '.join(PROBES)}")
        found.update(dict.fromkeys(PROBES[name](url)))
    return list(found)


def probe_wordpress(url: str) -> list[str]:
    """For `?feed=rss2` and similar: the feed's path under pretty permalinks, without and with trailing slash.

    Other parameters are kept; the fragment is dropped.
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
    """Drop a feed's name at the end of the path, so that `/blog/feed/?feed=atom` refers to `/blog`."""
    path = path.rstrip("/").removesuffix("/index.php")
    for ending in _WORDPRESS_ENDINGS:
        if path.endswith(f"/feed{ending}"):
            path = path.removesuffix(ending)
    return path.removesuffix("/feed").removesuffix("/comments") if path.endswith("/feed") else path
