"""Decides which URL of a redirect chain may be stored (rule F2). Pure."""

from __future__ import annotations

from collections.abc import Iterator

from feedward.model import FetchResult, Hop
from feedward.urls.compare import with_scheme
from feedward.urls.key import key_or_text

_SCHEME_UPGRADES = frozenset({302, 307})


def redirect_steps(fetch: FetchResult) -> Iterator[tuple[Hop, str, str]]:
    """Yield each redirect of a fetch with its source URL and its target URL."""
    asked = [*(hop.url for hop in fetch.hops), fetch.url]
    return zip(fetch.hops, asked, asked[1:], strict=False)


def may_be_stored(hop: Hop, start: str, to: str) -> bool:
    """Return whether a redirect is permanent, or upgrades the same URL to https; never one that leads back to http."""
    if start.startswith("https:") and to.startswith("http:"):
        return False
    return hop.permanent or (hop.status in _SCHEME_UPGRADES and is_https_of(start, to))


def is_https_of(start: str, to: str) -> bool:
    """Return whether `to` is `start` under https."""
    return start.startswith("http:") and with_scheme(start, "https") == to


def changes_only_query(start: str, to: str) -> bool:
    """Return whether `to` is `start` with other parameters: they may be others at the next request."""
    (place, _, query), (place_to, _, query_to) = start.partition("?"), to.partition("?")
    is_same_place = key_or_text(place) == key_or_text(place_to)
    return is_same_place and not set(query_to.split("&")) <= {"", *query.split("&")}


def stable_url(fetch: FetchResult) -> str:
    """Return the URL of a chain to store: where its leading run of permanent redirects ends (rule F2).

    A redirect to the same URL with other parameters is not followed: it may lead elsewhere each time.
    """
    stable = fetch.hops[0].url if fetch.hops else fetch.url
    for hop, start, to in redirect_steps(fetch):
        if not may_be_stored(hop, start, to) or changes_only_query(start, to):
            break
        stable = to
    return stable
