"""The comparison form of a URL (spec C4). It finds what is stored; it never says what to fetch or return.

The moderate preset (without the often-functional names), http and https as one, pairs in order of their names, no
empty query, no trailing dot of the host. A change that gives any URL another key raises KEY_VERSION.
"""

from __future__ import annotations

from hashlib import sha256

from feedward.errors import InvalidInput
from feedward.urls.paths import collapse_slashes, one_spelling, without_trailing_slash
from feedward.urls.query import parameter_names, sorted_pairs, without_pairs
from feedward.urls.resolve import resolve_parsed
from feedward.urls.tracking import KEY_PARAMS

KEY_VERSION = "1"

_PARAMS = parameter_names(KEY_PARAMS)


def key(url: str) -> str:
    """Give the one form that all spellings of `url` share: an ASCII URL, https but for http on port 443.

    `url` may be anything that `resolve_url` takes. Raises InvalidInput (`url`) for what it does not.
    """
    parsed = resolve_parsed(url)
    if parsed is None:
        raise InvalidInput("url", f"not an http(s) URL: {url[:200]!r}")
    path = without_trailing_slash(collapse_slashes(one_spelling(parsed.pathname)))
    host, search = parsed.host, parsed.search
    if "." in (host[-1], parsed.hostname[-1]):
        host = parsed.hostname.rstrip(".") + host[len(parsed.hostname) :]
    if parsed.has_credentials():
        host = f"{parsed.username}:{parsed.password}@{host}" if parsed.password else f"{parsed.username}@{host}"
    # Default ports are gone, each for its own scheme: what is left of :443 came with http and is another server.
    scheme = "http" if host.endswith(":443") and parsed.protocol == "http:" else "https"
    query = sorted_pairs(without_pairs(search[1:], _PARAMS)) if search else ""
    return f"{scheme}://{host}{path}?{query}" if query else f"{scheme}://{host}{path}"


def url_hash(url: str, scope: str = "") -> str:
    """Hash of a URL's key: hex sha256 of scope, line feed and key, in UTF-8.

    `scope` is empty for the shared directory, or a tenant for its private URLs.
    """
    return sha256(f"{scope}\n{key(url)}".encode()).hexdigest()
