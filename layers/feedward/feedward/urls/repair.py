"""Repairs pasted URLs (rule C5): broken, doubled, missing and feed-like schemes, punctuation around the host.

`resolve` calls it only for text that is not a usable http(s) URL. The result of a repair must parse as http(s) with a
dotted host, an address or localhost; otherwise there is none. All scans are linear.
"""

from __future__ import annotations

import re
from html import unescape
from html.entities import html5

from feedward.urls.hosts import is_meant
from feedward.urls.parse import Url, parse_http_url

_ENTITY = re.compile(r"&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_LONGEST = 33


def has_entity(text: str) -> bool:
    """Return whether `text` contains at least one whole HTML entity."""
    return any(is_entity(found.group()) for found in _ENTITY.finditer(text))


def is_entity(text: str) -> bool:
    """Return whether `text` is exactly one HTML entity, `&` and `;` included."""
    return _ENTITY.fullmatch(text) is not None and (text[1] == "#" or text[1:] in html5)


def decode_entities(text: str) -> str:
    """Decode entities until none is left (`&amp;amp;` is `&`), in linear time.

    Entities for tab and line breaks become nothing, as these characters are dropped from URLs anyway.
    """
    if "&" not in text or ";" not in text or not has_entity(text):
        return text
    out: list[str] = []
    open_at: list[int] = []  # where in `out` each "&" stands that may still begin an entity
    for part in re.split("([&;])", text):
        if part == "&":
            open_at.append(len(out))
            out.append(part)
        elif part == ";":
            _close(out, open_at)
        elif part:
            out.append(part)
    return "".join(out)


def _close(out: list[str], open_at: list[int]) -> None:
    """Append a `;` to `out` and decode the entity that it completes, whose result may be a `;` again."""
    while open_at:
        entity = "".join(out[open_at[-1] :]) + ";"
        if len(entity) > _LONGEST or not is_entity(entity):
            break
        del out[open_at.pop() :]
        decoded = unescape(entity)
        if decoded == ";":
            continue
        if decoded == "&":
            open_at.append(len(out))
        if decoded not in ("\t", "\n", "\r"):
            out.append(decoded)
        return
    open_at.clear()
    out.append(";")


_FEED_SCHEMES = re.compile(r"(?:(?:feed|rss|pcast|itpc|podcast):[:/\\\s]*)+", re.IGNORECASE)
_LEADING = re.compile(r"[/\\\s]*")
# One misspelt "http://" or "https://": a word of these letters, up to `httpshttps`, with colon, slashes or similar
# characters. After a first one, `https/` is enough: `http://https/example.com`. `ssh:` is a different scheme.
_SCHEME = re.compile(
    r"(?!ssh:)([htps]{1,10})(?:\((s)\)|\[(s)\])?(?::[:;=.,]*[/\\]*|[;=.,][:;=.,]*[/\\]+|[/\\]{2,}:?[/\\]*)",
    re.IGNORECASE,
)
_NEXT_SCHEME = re.compile(rf"{_SCHEME.pattern}|([htps]{{3,10}})[/\\]", re.IGNORECASE)
# ASCII punctuation and space, except for the first characters of an IPv6 address, an escape, a query or a fragment
_PUNCTUATION = " \t!\"$&'()*+,./:;<=>@\\]^`{|}~"
_AUTHORITY = re.compile(r"[^/\\?#]*")
_HOST_PORT = re.compile(r"([^:\[\]]*|\[[^\[\]]*\])(:[0-9]{0,5})?")
_DOTS = re.compile(r"\.{2,}")


def split_feed_scheme(text: str) -> tuple[bool, str]:
    """Remove `feed:` and similar schemes, also nested ones. Returns whether there was one, and the rest."""
    found = _FEED_SCHEMES.match(text)
    return (True, text[found.end() :]) if found else (False, text)


def repair_scheme(text: str) -> Url | None:
    """Read text that begins with one or more attempts at `http://` or `https://`; the last one counts."""
    leading = _LEADING.match(text)
    position = leading.end() if leading else 0
    scheme, pattern = "", _SCHEME
    while found := pattern.match(text, position):
        scheme = "https" if "s" in "".join(filter(None, found.groups())).lower() else "http"
        position, pattern = found.end(), _NEXT_SCHEME
    return _with_tidy_host(scheme, text[position:]) if scheme else None


def add_scheme(text: str, *, is_authority: bool) -> Url | None:
    """Read text without scheme, `example.com/feed` or `//example.com/feed`, as https.

    `is_authority` is true if the text can only be a host. Otherwise `feed@example.com` is a mail address, not a host
    with userinfo.
    """
    body = text.lstrip("/\\")
    authority = _authority(body)
    userinfo, _, host_port = authority.rpartition("@")
    split = _HOST_PORT.fullmatch(host_port)
    if split is None or (userinfo and not (is_authority or text[:2] == "//")):
        return None
    if len(text) - len(body) == 1:  # a path
        return None
    return _proven(f"https://{body}", split[1])


def _with_tidy_host(scheme: str, rest: str) -> Url | None:
    """Join scheme and rest, without punctuation around the host and without empty labels in it."""
    rest = rest.lstrip(_PUNCTUATION)
    authority = _authority(rest)
    userinfo, at, host_port = authority.rpartition("@")
    split = _HOST_PORT.fullmatch(host_port.rstrip(_PUNCTUATION) if host_port[-1:] != "]" else host_port)
    if split is None:
        return None
    host = _DOTS.sub(".", split[1].strip(_PUNCTUATION)) if split[1][:1] != "[" else split[1]
    return _proven(f"{scheme}://{userinfo}{at}{host}{split[2] or ''}{rest[len(authority) :]}", host)


def _authority(text: str) -> str:
    found = _AUTHORITY.match(text)
    return found.group() if found else ""


def _proven(text: str, host: str) -> Url | None:
    url = parse_http_url(text)
    return url if url is not None and is_meant(host, url.hostname) else None
