"""Permanent redirects: which URL of a redirect chain may be stored (rule F2). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from feedward.model import FetchResult, Hop
from feedward.urls.compare import with_scheme
from feedward.urls.key import key_or_text
from feedward.urls.secrets import has_token

_IN_PATH = re.compile(r";[^/?#]*+|/\((?:[A-Z]\([\w-]{1,100}\)){1,5}\)(?=/)")
_SCHEME_UPGRADES = frozenset({302, 307})


def redirect_steps(fetch: FetchResult) -> Iterator[tuple[Hop, str, str]]:
    """Yield each redirect of a fetch with its source URL and its target URL."""
    asked = [*(hop.url for hop in fetch.hops), fetch.url]
    return zip(fetch.hops, asked, asked[1:], strict=False)


def may_be_stored(hop: Hop, start: str, to: str) -> bool:
    """Return whether a redirect is permanent, or upgrades the same URL to https; never for one back to http."""
    if start.startswith("https:") and to.startswith("http:"):
        return False
    return hop.permanent or (hop.status in _SCHEME_UPGRADES and is_https_of(start, to))


def is_https_of(start: str, to: str) -> bool:
    """Return whether `to` is `start` under https."""
    return start.startswith("http:") and with_scheme(start, "https") == to


def changes_only_parameters(start: str, to: str) -> bool:
    """Return whether `to` is `start` with other parameters, of the query, of the path (`;jsessionid=1`) or those that
    ASP.NET inserts (`/(S(1))/`): they may differ at the next request.
    """
    (place, _, query), (place_to, _, query_to) = start.partition("?"), to.partition("?")
    bare, bare_to = _IN_PATH.sub("", place), _IN_PATH.sub("", place_to)
    if key_or_text(bare) != key_or_text(bare_to):
        return False
    is_new_in_path = place_to != bare_to and place_to.partition("//")[2] != place.partition("//")[2]
    return is_new_in_path or not set(query_to.split("&")) <= {"", *query.split("&")}


def stable_url(fetch: FetchResult) -> str:
    """Return the URL of a chain to store: the end of its leading run of permanent redirects (rule F2).

    A redirect to the same URL with other parameters is not followed: its target may differ each time. Nor is one that
    brings a token, such as a signature that expires (rule T1).
    """
    stable = fetch.hops[0].url if fetch.hops else fetch.url
    for hop, start, to in redirect_steps(fetch):
        if not may_be_stored(hop, start, to) or changes_only_parameters(start, to):
            break
        if has_token(to) and not has_token(start):
            break
        stable = to
    return stable
