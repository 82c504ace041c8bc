"""The key of a URL, its form for comparison (rule C4). Keys are for lookups only; they are never fetched or returned.

A key has the moderate preset (without the often-functional names), one scheme for http and https, pairs in order of
their names, no empty query, and no trailing dot of the host. A change that gives any URL another key must raise
KEY_VERSION and, to the same number, the component `url` of the normalization version (docs/lineage.md).
"""

from __future__ import annotations

import re
from hashlib import sha256

from feedward.errors import InvalidInput
from feedward.urls.normalize import (
    collapse_slashes,
    one_spelling,
    parameter_names,
    sorted_pairs,
    without_pairs,
    without_trailing_slash,
)
from feedward.urls.parse import parse_url
from feedward.urls.resolve import resolve_parsed
from feedward.urls.tracking import KEY_PARAMS

KEY_VERSION = "1"

_PARAMS = parameter_names(KEY_PARAMS)
# The fast path for nearly all URLs: serialized, without userinfo, host with a dot. Groups: scheme, host, port, path,
# query.
_PLAIN = re.compile(r"(https?)://((?:[a-z0-9_-]+\.)+[a-z0-9_-]+)\.?(:[0-9]+)?(/[^?#]*)(?:\?([^#]*))?(?:#.*)?").fullmatch


def key(url: str) -> str:
    """Return the form that all spellings of `url` share: an ASCII URL, with https except for http on port 443.

    `url` may be any text that `resolve_url` accepts. Raises InvalidInput (`url`) for any other.
    """
    parsed = parse_url(url)
    plain = _PLAIN(parsed.href) if parsed is not None and not ("&" in url and ";" in url) else None
    return _form(*plain.groups("")) if plain else _key_of_any(url)


def key_or_text(url: str) -> str:
    """Return the key of `url`, or `url` itself without one: for comparing any text in a document."""
    try:
        return key(url)
    except InvalidInput:
        return url


def url_hash(url: str, scope: str = "") -> str:
    """Return the hash of a URL's key: hex sha256 of scope, line feed and key, in UTF-8.

    `scope` is empty for shared URLs, or a tenant for its private URLs.
    """
    return sha256(f"{scope}\n{key(url)}".encode()).hexdigest()


def _key_of_any(url: str) -> str:
    if not isinstance(url, str):
        raise InvalidInput("url", f"url must be text, not {type(url).__name__}")
    parsed = resolve_parsed(url)
    if parsed is None:
        raise InvalidInput("url", f"not an http(s) URL: {url[:200]!r}")
    host = parsed.hostname.rstrip(".")
    if parsed.has_credentials():
        host = f"{parsed.username}:{parsed.password}@{host}" if parsed.password else f"{parsed.username}@{host}"
    port = parsed.host[len(parsed.hostname) :]
    return _form(parsed.protocol[:-1], host, port, parsed.pathname, parsed.search[1:])


def _form(scheme: str, host: str, port: str, path: str, query: str) -> str:
    """Build a key from the parts of a parsed URL, whose default ports were dropped already."""
    if "%" in path or "//" in path:
        path = collapse_slashes(one_spelling(path))
    if path[-1] == "/":
        path = without_trailing_slash(path)
    if query:
        query = without_pairs(query, _PARAMS)
        if "&" in query:
            query = sorted_pairs(query)
    if scheme == "http" and port != ":443":  # http on port 443 is another server than https
        scheme = "https"
    return f"{scheme}://{host}{port}{path}?{query}" if query else f"{scheme}://{host}{port}{path}"
