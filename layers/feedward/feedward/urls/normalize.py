"""Normalization of a URL by options, each of which does what its name says and nothing else (spec C2, C3).

It works on the raw parts that the parser gives: no decoding and encoding of values, no reordering unless asked for.
Normalizing a result again changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from feedward.errors import InvalidInput
from feedward.urls.hosts import without_www
from feedward.urls.parse import Url, parse_http_url
from feedward.urls.paths import collapse_slashes, composed, one_spelling, without_trailing_slash
from feedward.urls.query import parameter_names, sorted_pairs, without_pairs
from feedward.urls.resolve import resolve_parsed


@dataclass(frozen=True, slots=True, kw_only=True)
class NormalizeOptions:
    """What to change, all off by default. What the WHATWG parser does comes always: case, IDN, default ports, dots.

    - strip_protocol: leave out `https://`; the result is for comparison and no URL any more
    - strip_authentication: drop userinfo
    - strip_www: drop `www.`, unless a public suffix or a single label would remain
    - strip_trailing_slash: drop slashes at the end of the path, but for the root
    - strip_root_slash: drop the root's slash where nothing follows; the result is not in WHATWG serialization
    - collapse_slashes: make each run of slashes in the path one
    - strip_hash: drop the fragment
    - sort_query: sort the pairs by raw name, stable; empty pairs go
    - strip_params: drop pairs with these names (any case)
    - strip_query: drop the query
    - strip_empty_query: drop a `?` that nothing follows
    - lowercase_query: lower-case the query
    - normalize_encoding: one spelling of percent escapes in the path
    - normalize_unicode: Unicode form NFC in the path
    """

    strip_protocol: bool = False
    strip_authentication: bool = False
    strip_www: bool = False
    strip_trailing_slash: bool = False
    strip_root_slash: bool = False
    collapse_slashes: bool = False
    strip_hash: bool = False
    sort_query: bool = False
    strip_params: frozenset[str] = frozenset()
    strip_query: bool = False
    strip_empty_query: bool = False
    lowercase_query: bool = False
    normalize_encoding: bool = False
    normalize_unicode: bool = False

    def __post_init__(self) -> None:
        """Bring the names into the form in which they are compared."""
        object.__setattr__(self, "strip_params", parameter_names(self.strip_params))


def normalize_url(url: str, options: NormalizeOptions) -> str:
    """Normalize `url`; an http(s) URL is taken as it is, other input as `resolve_url` reads it.

    Raises InvalidInput for what is no http(s) URL either way.
    """
    return normalize_parsed(parse_known_url(url), options)


def parse_known_url(url: str) -> Url:
    """Parse what is a URL already, or repair it. Raises InvalidInput (`url`) where nothing helps."""
    parsed = parse_http_url(url) or resolve_parsed(url)
    if parsed is None:
        raise InvalidInput("url", f"not an http(s) URL: {url[:200]!r}")
    return parsed


def normalize_parsed(url: Url, options: NormalizeOptions) -> str:
    """Normalize a URL that is parsed already."""
    path, query = _path(url, options), _query(url, options)
    fragment = "" if options.strip_hash else _fragment(url)
    if options.strip_root_slash and path == "/" and not query and not fragment:
        path = ""
    protocol = "" if options.strip_protocol else f"{url.protocol}//"
    return f"{protocol}{_authority(url, options)}{path}{query}{fragment}"


def _authority(url: Url, options: NormalizeOptions) -> str:
    host = without_www(url.hostname) + url.host[len(url.hostname) :] if options.strip_www else url.host
    if options.strip_authentication or not url.has_credentials():
        return host
    return f"{url.username}:{url.password}@{host}" if url.password else f"{url.username}@{host}"


def _path(url: Url, options: NormalizeOptions) -> str:
    path = url.pathname
    if options.normalize_encoding:
        path = one_spelling(path)
    if options.normalize_unicode:
        path = composed(path)
    if options.collapse_slashes:
        path = collapse_slashes(path)
    return without_trailing_slash(path) if options.strip_trailing_slash else path


def _query(url: Url, options: NormalizeOptions) -> str:
    """Return the query with its `?`, or nothing."""
    sent = url.search[1:]
    if options.strip_query or (not sent and (options.strip_empty_query or not url.has_search())):
        return ""
    query = without_pairs(sent, options.strip_params)
    if options.lowercase_query:
        query = query.lower()
    if options.sort_query:
        query = sorted_pairs(query)
    return f"?{query}" if query or not sent else ""


def _fragment(url: Url) -> str:
    """Return the fragment with its `#`; an empty one is kept as sent."""
    return url.hash or ("#" if url.has_hash() else "")
