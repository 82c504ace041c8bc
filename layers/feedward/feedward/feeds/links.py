"""URLs in a feed document: kept as written; relative URLs are resolved against the current base (rule P1)."""

from __future__ import annotations

import re

from feedward.feeds.limits import MAX_URL
from feedward.urls.parse import join_url, parse_url

_ABSOLUTE = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]{0,30}:")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]+")
WEB = ("http://", "https://")
_SCRIPTS = ("javascript:", "data:", "vbscript:")


def clean_url(text: str, base: str | None = None) -> str | None:
    """Return `text` trimmed and, if relative, resolved against `base`, or None if it cannot be a link.

    Texts that are empty, longer than 2048 characters, an unfilled template (`<site>/post`) or a script cannot.
    """
    url = (text if text.isprintable() else _CONTROLS.sub("", text)).strip()
    if not url or "<" in url or ">" in url or (not url.startswith(WEB) and _is_script(url)):
        return None
    if base and not _ABSOLUTE.match(url):
        url = resolve(url, base)
    return url if len(url) <= MAX_URL else None


def is_web(url: str) -> bool:
    """Return whether a URL is http(s) or has no scheme: a relative reference is on the web, like its document."""
    return url.startswith(WEB) or url[:8].lower().startswith(WEB) or not _ABSOLUTE.match(url)


def resolve(reference: str, base: str) -> str:
    """Resolve `reference` against `base`; return it unchanged if that gives no URL."""
    parsed = parse_url(base)
    joined = parsed and join_url(parsed, reference)
    return str(joined) if joined else reference


def _is_script(url: str) -> bool:
    """Return whether the scheme is that of a script. Case and line breaks are ignored, as in browsers."""
    return "".join(url[:40].split()).lower().startswith(_SCRIPTS)
