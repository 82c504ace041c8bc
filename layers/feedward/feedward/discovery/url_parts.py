"""The parts of a URL that platform rules read.

Letters, digits, `@` and `:` are read unescaped, as `%40name` is `@name`; all other escapes stay as they are written.
"""

from __future__ import annotations

import re

from feedward.urls.parse import Url, parse_http_url

# Escapes of what needs none: the unreserved characters of RFC 3986 but the dot, and what stands before a name.
_NEEDLESS = re.compile(r"%(?:2D|3[0-9A]|4[0-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])", re.IGNORECASE)


def read_url(text: str) -> Url | None:
    """Parse an http(s) URL as the rules read it; None for anything else."""
    url = parse_http_url(text)
    if url is not None and "%" in url.pathname:
        url.pathname = _NEEDLESS.sub(lambda escape: chr(int(escape[0][1:], 16)), url.pathname)
    return url


def host_of(url: Url) -> str:
    """Return the host's name without `www.` and without the dot that may end it."""
    return url.hostname.removesuffix(".").removeprefix("www.")


def account_label(url: Url, domain: str) -> str:
    """Return the one label that stands before `domain`: `x` of x.substack.com; empty where there is none or more."""
    label = host_of(url).removesuffix(domain)
    return label[:-1] if label.endswith(".") and label.count(".") == 1 else ""


def origin_of(url: Url) -> str:
    """Return scheme, host and port, without user and password: `https://host:8080`."""
    return f"{url.protocol}//{url.host}"


def segments(url: Url) -> list[str]:
    """Return the parts of the path; empty ones, as of a slash at the end, are none."""
    return [segment for segment in url.pathname.split("/") if segment]


def query_value(url: Url, name: str) -> str:
    """Return the raw value of the query's first pair with this name; empty where there is none."""
    for pair in url.search[1:].split("&"):
        key, _, value = pair.partition("=")
        if key == name:
            return value
    return ""


def has_ending(segment: str, *endings: str) -> bool:
    """Tell whether a path segment ends so, in any case: `.rss`, `.atom`."""
    return segment.lower().endswith(endings)


def as_query_value(text: str) -> str:
    """Make a part of a path fit to be a value in a query: what means something else there is escaped."""
    return text.replace("&", "%26").replace("+", "%2B")
