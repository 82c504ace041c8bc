"""The parts of a URL that platform rules read. Everything is taken as it stands: nothing is decoded or encoded."""

from __future__ import annotations

from feedward.urls.parse import Url


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
