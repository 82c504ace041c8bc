"""URLs of platforms as rules read them: the parts of a URL, and patterns for its path and query, as data. Pure.

Letters, digits, `@` and `:` are unescaped (`%40name` is `@name`); all other escapes are kept as written.

`/channels/{name}/*` matches /channels/x, /channels/x/ and /channels/x/videos with name = x. `{id:[0-9]+}` restricts a
part, `@{user}` has fixed text around it, `?list={id}` requires a parameter. A template is filled with the values as
written: escapes are kept and never doubled.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from urllib.parse import quote

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


_HOLE = re.compile(r"\{([a-z_]+)(?::([^{}]+))?\}")
_QUERY_MARK = re.compile(r"\?(?![^{}]*\})")
_BARE_HOLE = re.compile(r"/\{[^{}]+\}(?=/|$)")
_ONE_OF_SOME_WORDS = re.compile(r"/\{[a-z_]+:[a-z|-]+\}")
# Characters that are not escaped in a filled-in value. A % starts an escape already.
_SAFE_IN_PATH = "%!$&'()*+,;:@=|[]^"
_SAFE_IN_QUERY = "%!$()*,;:@/|[]^"
_DOTS = re.compile(r"(?:\.|%2e){1,2}", re.IGNORECASE).fullmatch


def find(pattern: str, url: Url, reserved: frozenset[str] = frozenset()) -> Mapping[str, str] | None:
    """Return the values that `pattern` finds in `url`, by name, or None if it does not match.

    Values of the query are escaped for a path. Fixed parts match in any case. `reserved` are lower-case names of the
    platform's own pages, which a variable first part does not match.
    """
    path, query = _parts(pattern)
    parts = segments(url)
    if reserved and _begins_with_a_hole(path) and parts and parts[0].lower() in reserved:
        return None
    met = _compiled(path).fullmatch("/" + "/".join(parts))
    if met is None:
        return None
    found = _find_in_query(query, url) if query else {}
    return None if found is None else {**met.groupdict(), **found}


def fill(template: str, values: Mapping[str, str]) -> str:
    """Return `template`, a URL or a path, filled with the values."""
    head, mark, query = template.partition("?")
    return _filled(head, values, _SAFE_IN_PATH) + mark + _filled(query, values, _SAFE_IN_QUERY)


def names(words: str, *more: Iterable[str]) -> frozenset[str]:
    """Return reserved names, in lower case."""
    return frozenset(words.split()).union(*more)


@lru_cache(maxsize=1024)
def _parts(pattern: str) -> tuple[str, str]:
    """Return a pattern's path and query, separated by the first `?` outside of braces."""
    path, *query = _QUERY_MARK.split(pattern, maxsplit=1)
    return path, query[0] if query else ""


@lru_cache(maxsize=1024)
def _compiled(path: str) -> re.Pattern[str]:
    """Return the pattern of a path without empty parts: `/` for the root."""
    whole = path.removesuffix("/*")
    tail = "(?:/.*)?" if path != whole else ""
    fixed = re.split(_HOLE, whole)
    source = _in_any_case(fixed[0])
    for name, made_of, after in zip(fixed[1::3], fixed[2::3], fixed[3::3], strict=True):
        source += f"(?P<{name}>{made_of or '[^/]+'})" + _in_any_case(after)
    return re.compile((source if source or tail else "/") + tail, re.DOTALL)


def _in_any_case(text: str) -> str:
    return f"(?i:{re.escape(text)})" if text else ""


@lru_cache(maxsize=1024)
def _begins_with_a_hole(path: str) -> bool:
    """Return True if the first part is variable, so that reserved names have to be excluded."""
    return _BARE_HOLE.match(path) is not None and _ONE_OF_SOME_WORDS.match(path) is None


def _find_in_query(query: str, url: Url) -> dict[str, str] | None:
    sent = dict(reversed([(name, value) for name, _, value in (p.partition("=") for p in url.search[1:].split("&"))]))
    found: dict[str, str] = {}
    for wanted in query.split("&"):
        name, _, value = wanted.partition("=")
        hole = _HOLE.fullmatch(value)
        given = sent.get(name, "")
        if hole is None:
            if given != value:
                return None
            continue
        if not given or _DOTS(given) or (hole[2] and not re.fullmatch(hole[2], given)):
            return None
        found[hole[1]] = given.replace("+", "%20").replace("/", "%2F").replace("?", "%3F")
    return found


def _filled(template: str, values: Mapping[str, str], safe: str) -> str:
    return _HOLE.sub(lambda hole: quote(values[hole[1]], safe=safe), template)
