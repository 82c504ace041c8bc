"""Decodes pages as feeds are decoded, with the charset of a meta element as an additional label."""

from __future__ import annotations

import codecs
import re

from feedward.feeds.decode import Decoded, decode

MAX_BYTES = 2_000_000
_HEAD = 4096
_META_CHARSET = re.compile(
    rb"""<meta\s[^>]{0,300}?\bcharset\s{0,20}=\s{0,20}["']?\s{0,20}([A-Za-z0-9._:+-]{1,40})""", re.IGNORECASE
)
_HTTP_CHARSET = re.compile(r"""charset\s{0,20}=\s{0,20}["']?\s{0,20}([A-Za-z0-9._:+-]{1,40})""", re.IGNORECASE)
_MARKUP = re.compile(
    r"\s*+(?:<\?xml[^>]*+>\s*+)?(?:<!--.{0,2000}?-->\s*+)?<(?:!doctype\s+html|(?:html|head|body|title|meta)[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_PAGE_TYPES = "text/html application/xhtml+xml application/vnd.wap.xhtml+xml text/xml application/xml unknown/unknown"
_HTML_TYPES = frozenset(("", *_PAGE_TYPES.split()))


def html_text(body: bytes, content_type: str | None = None, *, max_bytes: int | None = MAX_BYTES) -> str:
    """Decode the first 2 MB of a page: byte order mark, UTF-8, HTTP charset, meta charset, Windows-1252. Never raises.

    Bytes that are valid UTF-8 are UTF-8 whatever a label says. `max_bytes` None reads the whole page.
    """
    body = body[:max_bytes]
    decoded = decode(body, _labelled(body, content_type))
    return decoded.text if isinstance(decoded, Decoded) else body.decode("utf-8", "replace")


def is_html(body: bytes, content_type: str | None = None) -> bool:
    """Return whether to read `body` as a page: its type is HTML or missing, or it begins like a page (rule D2)."""
    kind = (content_type or "").partition(";")[0].strip().lower()
    return kind in _HTML_TYPES or begins_like_page(body, content_type)


def begins_like_page(body: bytes, content_type: str | None = None) -> bool:
    """True if the first element of `body`, or its DOCTYPE, is that of an HTML page."""
    return _MARKUP.match(html_text(body[:_HEAD], content_type)) is not None


def _labelled(body: bytes, content_type: str | None) -> str | None:
    """The header's charset, or the meta element's as a header would say it where the header names none that exists."""
    sent = _HTTP_CHARSET.search((content_type or "")[:500])
    if sent and _exists(sent[1]):
        return content_type
    declared = _META_CHARSET.search(body[:_HEAD])
    return f"text/html; charset={declared[1].decode('ascii')}" if declared else content_type


def _exists(label: str) -> bool:
    try:
        return bool(codecs.lookup(label))
    except (LookupError, ValueError):
        return False
