"""From any input to a URL that is legal and can be fetched (rules C4, C5).

What parses as http(s) with a host that can exist stays as it is, spelled by the WHATWG standard; all else is repaired
or refused. The fragment stays: fetch and presets drop it. Resolving a result again changes nothing.
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

    `may_be_http`: the input has a feed-like scheme or none (`feed://…`, `feed:https://…`, `example.com/feed`); `url`
    says https, and http is to be tried once if the connection fails (rule C5).
    """

    url: str
    may_be_http: bool = False


def resolve_url(text: str, base: str | None = None) -> str | None:
    """Make `text` a fetchable http(s) URL in WHATWG serialization, relative to `base` if given; None if it is none."""
    resolved = resolve_input(text, base)
    return resolved.url if resolved else None


def resolve_input(text: str, base: str | None = None) -> Resolved | None:
    """Do what `resolve_url` does, and tell whether http may be meant where the URL says https."""
    parsed, is_open = _resolve(text, base)
    return Resolved(url=parsed.href, may_be_http=is_open and parsed.protocol == "https:") if parsed else None


def resolve_parsed(text: str) -> Url | None:
    """Do what `resolve_url` does without base, for callers who go on with the parsed URL."""
    if "&" not in text:
        url = parse_url(text)
        if url is not None and is_http(url) and is_public_form(url.hostname):
            return url
    return _resolve(text, None)[0]


def _resolve(text: str, base: str | None) -> tuple[Url | None, bool]:
    """Return the URL, and whether its scheme is open: a feed-like one, or none, says little about https or http."""
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
    """Drop what the WHATWG parser drops anyway, then decode entities, so that none can appear later."""
    if "&" not in text:
        return text.strip(_C0_AND_SPACE)
    return decode_entities(text.translate(_DROPPED)).strip(_C0_AND_SPACE)


def _unwrapped(text: str) -> str:
    """Take off what a URL in a text stands in: `<https://example.com/>`, as mail has it, or quotes."""
    found = _WRAPPED.fullmatch(text)
    return found[1] or found[2] if found else text


def _base(base: str) -> Url | None:
    url = parse_http_url(base)
    if url is not None and (is_public_form(url.hostname) or is_single_label(url.hostname)):
        return url
    return resolve_parsed(base)


def _is_relative(text: str, base: Url) -> bool:
    """Tell whether a browser reads `text` as relative whatever follows: it begins like a path, or as `https:feed`."""
    same_scheme = _NO_SLASH.match(text)
    return text[0] in "/\\?#." or (same_scheme is not None and same_scheme[1].lower() == base.protocol)


def _with_real_host(text: str, url: Url, base: Url | None) -> Url | None:
    """Take a parsed URL as it is if its host can exist, else repair it; one plain word may be a private host."""
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
    """Resolve what stood behind `feed:`: a whole URL keeps its scheme, anything else is a host and gets https."""
    url = parse_http_url(rest)
    if url is not None:
        return _with_real_host(rest, url, None)
    return repair_scheme(rest) or add_scheme(rest, is_authority=True)
