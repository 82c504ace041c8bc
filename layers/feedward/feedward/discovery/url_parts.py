"""The parts of a URL that platform rules read.

Letters, digits, `@` and `:` are unescaped (`%40name` is `@name`); all other escapes are kept as written.
"""

from __future__ import annotations

import re

from feedward.urls.parse import Url, parse_http_url

# Unnecessary escapes: the unreserved characters of RFC 3986 except the dot, and `@` and `:`.
_NEEDLESS = re.compile(r"%(?:2D|3[0-9A]|4[0-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])", re.IGNORECASE)


def read_url(text: str) -> Url | None:
    """Parse an http(s) URL as platform rules read it. Returns None for any other text."""
    url = parse_http_url(text)
    if url is not None and "%" in url.pathname:
        url.pathname = _NEEDLESS.sub(lambda escape: chr(int(escape[0][1:], 16)), url.pathname)
    return url


def host_of(url: Url) -> str:
    """Return the host without `www.` and without a trailing dot."""
    return url.hostname.removesuffix(".").removeprefix("www.")


def account_label(url: Url, domain: str) -> str:
    """Return the single label before `domain`: `x` of x.substack.com; empty if there is none or more than one."""
    label = host_of(url).removesuffix(domain)
    return label[:-1] if label.endswith(".") and label.count(".") == 1 else ""


def origin_of(url: Url) -> str:
    """Return scheme, host and port, without user and password: `https://host:8080`."""
    return f"{url.protocol}//{url.host}"


def segments(url: Url) -> list[str]:
    """Return the non-empty parts of the path."""
    return [segment for segment in url.pathname.split("/") if segment]


def query_value(url: Url, name: str) -> str:
    """Return the raw value of the query's first pair with this name; empty if there is none."""
    for pair in url.search[1:].split("&"):
        key, _, value = pair.partition("=")
        if key == name:
            return value
    return ""


def has_ending(segment: str, *endings: str) -> bool:
    """Return whether a path segment has one of the endings, such as `.rss` or `.atom`, in any case."""
    return segment.lower().endswith(endings)


def as_query_value(text: str) -> str:
    """Return a part of a path escaped as a value in a query."""
    return text.replace("&", "%26").replace("+", "%2B")
