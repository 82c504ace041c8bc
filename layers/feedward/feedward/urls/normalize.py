"""Normalization of a URL by independent options (rules C2, C3).

It works on the raw parts from the parser: values are not decoded and encoded, and pairs are reordered only on request.
It is idempotent.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Set
from dataclasses import dataclass
from functools import lru_cache
from unicodedata import normalize as unicode_form
from urllib.parse import quote

from feedward.errors import InvalidInput
from feedward.urls.hosts import without_www
from feedward.urls.parse import Url, parse_http_url, parse_url
from feedward.urls.repair import has_entity, is_entity
from feedward.urls.resolve import resolve_parsed

_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_ESCAPE = re.compile("%([0-9A-Fa-f]{2})?")
# A "%" that is not normal yet: alone, of an unreserved character, or with a lower case digit. The others, such as all
# of a path in Arabic, are passed without a call.
_ODD_ESCAPE = re.compile("%(?!(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|40|5[B-E]|60|7[B-DF]))([0-9A-Fa-f]{2})?")
_ASCII_ESCAPE = re.compile("(%[0-7][0-9A-Fa-f])")
_UTF8_ESCAPES = re.compile("(?:%[89A-Fa-f][0-9A-Fa-f])+")
_BETWEEN = re.compile("&[^&;/]*;")
_SLASHES = re.compile("/{2,}")

_SPELLED = {
    hex_digits: char if (char := chr(int(hex_digits, 16))) in _UNRESERVED else "%" + hex_digits.upper()
    for high in "0123456789abcdefABCDEF"
    for low in "0123456789abcdefABCDEF"
    for hex_digits in [high + low]
}


def one_spelling(path: str) -> str:
    """Return `path` with normalized percent escapes (rule C3)."""
    if "%" not in path:
        return path
    spelled = _ODD_ESCAPE.sub(_respell, path)
    if "&" in spelled and ";" in spelled and has_entity(spelled):
        return _ODD_ESCAPE.sub(_respell, _BETWEEN.sub(_shield, path)).replace(_SHIELD, "%")
    return spelled


def collapse_slashes(path: str) -> str:
    """Make each run of slashes one."""
    return _SLASHES.sub("/", path) if "//" in path else path


def without_trailing_slash(path: str) -> str:
    """Drop the slashes at the end; the root stays."""
    return path.rstrip("/") or "/" if path.endswith("/") else path


def composed(path: str) -> str:
    """Bring the UTF-8 text of a path into Unicode form NFC; escapes that are not UTF-8 are kept."""
    if "%" not in path:
        return path
    return "".join(
        part if _ASCII_ESCAPE.fullmatch(part) else _escaped(unicode_form("NFC", _UTF8_ESCAPES.sub(_unescaped, part)))
        for part in _ASCII_ESCAPE.split(path)
    )


_SHIELD = "\x00"  # marks a "%" that must be kept; the parser allows no such character in a path


def _respell(escape: re.Match[str]) -> str:
    hex_digits = escape[1]
    return _SPELLED[hex_digits] if hex_digits else "%25"


def _shield(between: re.Match[str]) -> str:
    """Keep the percent escapes that hide an HTML entity."""
    text = between.group()
    if not is_entity(_ODD_ESCAPE.sub(_respell, text)):
        return text
    return _ESCAPE.sub(lambda escape: _SHIELD + escape.group()[1:].upper(), text)


def _unescaped(run: re.Match[str]) -> str:
    try:
        return bytes.fromhex(run.group().replace("%", "")).decode()
    except UnicodeDecodeError:
        return run.group()


def _escaped(text: str) -> str:
    return quote(text, safe="!$&'()*+,;=:@/~%[]|^\\{}`\"<> ")


def parameter_names(names: Iterable[str]) -> frozenset[str]:
    """Prepare a list of parameter names for comparison: lower case, spelled as the parser spells them in a query."""
    return _prepared(names if isinstance(names, frozenset) else frozenset(names))


@lru_cache(maxsize=64)
def _prepared(names: frozenset[str]) -> frozenset[str]:
    lowered = map(str.lower, names)
    return frozenset(name if name.isascii() and name.isidentifier() else _as_sent(name) for name in lowered)


def _as_sent(name: str) -> str:
    url = parse_url("https://host/?" + name.replace("#", "%23").replace("&", "%26").replace("=", "%3D"))
    return url.search[1:].lower() if url else name


def without_pairs(query: str, names: Set[str]) -> str:
    """Remove the pairs with these names; everything else keeps its bytes and its place.

    If only empty pairs remain, the result is empty.
    """
    if "&" not in query:
        return "" if query.partition("=")[0].lower() in names else query
    pairs = query.split("&")
    kept = [pair for pair in pairs if pair.partition("=")[0].lower() not in names]
    if len(kept) == len(pairs):
        return query
    return "&".join(kept) if any(kept) else ""


def sorted_pairs(query: str) -> str:
    """Sort the pairs by raw name. Pairs with the same name keep their order; empty pairs are dropped."""
    if "&" not in query:
        return query
    pairs = [pair for pair in query.split("&") if pair]
    # After an "&" the first pair might read as an HTML entity; then it remains the first one.
    fixed = 1 if pairs and ";" in pairs[0] and is_entity(f"&{pairs[0].partition(';')[0]};") else 0
    if len(pairs) > 1 + fixed:
        pairs[fixed:] = sorted(pairs[fixed:], key=_name)
    return "&".join(pairs)


def count_pairs(query: str) -> int:
    """Count the pairs of a query."""
    pairs = query.split("&")
    return len(pairs) - pairs.count("")


def has_pair(query: str, names: Set[str]) -> bool:
    """Return whether the query has a pair with one of these names."""
    return any(pair.partition("=")[0].lower() in names for pair in query.split("&"))


def _name(pair: str) -> str:
    return pair.partition("=")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class NormalizeOptions:
    """The changes to make, all off by default. The WHATWG parser always normalizes case, IDN, default ports and dots of
    the path; the root dot of the host always goes (rule C3).

    - strip_protocol: leave out `https://`; the result is for comparison, not a URL
    - strip_authentication: drop userinfo
    - strip_www: drop `www.`, unless a public suffix or a single label would remain
    - strip_trailing_slash: drop slashes at the end of the path, except for the root
    - strip_root_slash: drop the root's slash if nothing follows; the result is not a WHATWG serialization
    - collapse_slashes: make each run of slashes in the path one
    - strip_hash: drop the fragment
    - sort_query: sort the pairs by raw name (stable); empty pairs are dropped
    - strip_params: drop pairs with these names (any case)
    - strip_query: drop the query
    - strip_empty_query: drop a `?` at the end
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
        """Normalize the names for comparison."""
        object.__setattr__(self, "strip_params", parameter_names(self.strip_params))


def normalize_url(url: str, options: NormalizeOptions) -> str:
    """Normalize `url`: an http(s) URL, or any input that `resolve_url` accepts.

    Raises InvalidInput for any other input.
    """
    return normalize_parsed(parse_known_url(url), options)


def parse_known_url(url: str) -> Url:
    """Parse a URL, repaired if necessary. Raises InvalidInput (`url`) if that fails."""
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
    name = url.hostname.rstrip(".")
    host = (without_www(name) if options.strip_www else name) + url.host[len(url.hostname) :]
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
