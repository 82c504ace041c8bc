"""Turns any input into a valid URL that can be fetched (rules C4, C5).

Input that parses as http(s) with a possible host is only serialized by the WHATWG standard; any other input is repaired
or refused. The fragment is kept; fetch and presets drop it. Resolving is idempotent.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from feedward.urls.hosts import is_public_form, is_single_label
from feedward.urls.parse import Url, is_http, join_url, parse_http_url, parse_url
from feedward.urls.repair import add_scheme, decode_entities, repair_scheme, split_feed_scheme

_C0_AND_SPACE = "".join(map(chr, range(0x21)))
_DROPPED = str.maketrans("", "", "\t\n\r")
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
_TWO_SLASHES = re.compile(r"(?:https?:)?[/\\]{2}[^/\\]", re.IGNORECASE)
_QUOTES = "\"'`\u201c\u201d\u201e\u00ab\u00bb"
_WRAPPED = re.compile(rf"<(?:URL:)?\s*+([^<>\s]+)\s*>|[{_QUOTES}]([^\s{_QUOTES}]+)[{_QUOTES}]", re.IGNORECASE)
_NO_SLASH = re.compile(r"(https?:)[^/\\]", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """A URL made from an input.

    `may_be_http` is true if the input has a feed-like scheme or none (`feed://…`, `feed:https://…`,
    `example.com/feed`): `url` has https, and http is tried once if the connection fails (rule C5).
    """

    url: str
    may_be_http: bool = False


def resolve_url(text: str, base: str | None = None) -> str | None:
    """Return `text` as a fetchable http(s) URL in WHATWG serialization, resolved against `base` if given, or None."""
    resolved = resolve_input(text, base)
    return resolved.url if resolved else None


def resolve_input(text: str, base: str | None = None) -> Resolved | None:
    """Resolve as `resolve_url` does, and return whether http may be meant although the URL has https."""
    parsed, is_open = _resolve(text, base)
    return Resolved(url=parsed.href, may_be_http=is_open and parsed.protocol == "https:") if parsed else None


def resolve_parsed(text: str) -> Url | None:
    """Resolve as `resolve_url` does without base, for callers that need the parsed URL."""
    if "&" not in text:
        url = parse_url(text)
        if url is not None and is_http(url) and is_public_form(url.hostname):
            return url
    return _resolve(text, None)[0]


def _resolve(text: str, base: str | None) -> tuple[Url | None, bool]:
    """Return the URL, and whether its scheme is open: a feed-like or missing scheme may mean http or https."""
    text = _prepared(text)
    if base is None:
        text = _unwrapped(text)
    if not text:
        return None, False
    base_url = _base(base) if base is not None else None
    if base_url is not None and _is_relative(text, base_url):
        return _joined(base_url, text), False
    url = parse_http_url(text)
    if url is not None:
        return _with_real_host(text, url, base_url), False
    text = text.strip().strip(_INVISIBLE).strip()
    is_feed, rest = split_feed_scheme(text)
    if is_feed:
        return _behind_feed_scheme(rest), True
    if base is None:
        return _without_base(text)
    return repair_scheme(text) or (_joined(base_url, text) if base_url else None), False


def _without_base(text: str) -> tuple[Url | None, bool]:
    repaired = repair_scheme(text)
    return (repaired, False) if repaired is not None else (add_scheme(text, is_authority=False), True)


def _prepared(text: str) -> str:
    """Drop the characters that the WHATWG parser drops, then decode entities, so that none can appear later."""
    if "&" not in text:
        return text.strip(_C0_AND_SPACE)
    return decode_entities(text.translate(_DROPPED)).strip(_C0_AND_SPACE)


def _unwrapped(text: str) -> str:
    """Remove the delimiters of a URL in a text: angle brackets, as in mail (`<https://example.com/>`), or quotes."""
    found = _WRAPPED.fullmatch(text)
    return found[1] or found[2] if found else text


def _base(base: str) -> Url | None:
    url = parse_http_url(base)
    if url is not None and (is_public_form(url.hostname) or is_single_label(url.hostname)):
        return url
    return resolve_parsed(base)


def _is_relative(text: str, base: Url) -> bool:
    """Return whether a browser always reads `text` as relative: it begins like a path, or like `https:feed`."""
    same_scheme = _NO_SLASH.match(text)
    return text[0] in "/\\?#." or (same_scheme is not None and same_scheme[1].lower() == base.protocol)


def _with_real_host(text: str, url: Url, base: Url | None) -> Url | None:
    """Return a parsed URL unchanged if its host can exist, else repaired. A single word may be a private host."""
    if is_public_form(url.hostname):
        return url
    if (repaired := repair_scheme(url.href)) is not None:
        return repaired
    if is_single_label(url.hostname) and _TWO_SLASHES.match(text):
        return url
    return _joined(base, text) if base is not None else None


def _joined(base: Url, reference: str) -> Url | None:
    url = join_url(base, reference)
    if url is None or not is_http(url):
        return None
    if url.hostname == base.hostname or is_public_form(url.hostname):
        return url
    if is_single_label(url.hostname):
        return url if _TWO_SLASHES.match(reference) else None
    return repair_scheme(url.href)


def _behind_feed_scheme(rest: str) -> Url | None:
    """Resolve the text after `feed:`: a complete URL keeps its scheme, anything else is a host and gets https."""
    url = parse_http_url(rest)
    if url is not None:
        return _with_real_host(rest, url, None)
    return repair_scheme(rest) or add_scheme(rest, is_authority=True)
