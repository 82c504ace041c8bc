"""Decodes pages as feeds are decoded, with the charset of a meta element as an additional label."""

from __future__ import annotations

import re

from feedward.feeds.decode import Decoded, decode
from feedward.pages.media_types import bare_type

MAX_BYTES = 2_000_000
_HEAD = 4096
_BEFORE_META = 32_768  # comments and scripts may be long
_META = re.compile(
    rb"<!--.*?(?:-->|\Z)|<(?:(script|style|title|textarea)(?=[\s/>]).*?(?:</\1|\Z)|meta(?=[\s/])([^>]{0,2000}+))",
    re.IGNORECASE | re.DOTALL,
)
_CHARSET = re.compile(rb"""charset\s{0,20}=\s{0,20}["']?\s{0,20}([A-Za-z0-9._:+-]{1,40})""", re.IGNORECASE)
_ATTRIBUTE = re.compile(rb"""([^\s=/>"']++)\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s"'>]++)""")
_DECLARING = (b"charset", b"http-equiv")
_MARKUP = re.compile(
    r"\s*+(?:<\?xml[^>]*+>\s*+)?(?:<!--.{0,2000}?-->\s*+)?<(?:!doctype\s+html|(?:html|head|body|title|meta)[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_PAGE_TYPES = "text/html application/xhtml+xml application/vnd.wap.xhtml+xml text/xml application/xml unknown/unknown"
_HTML_TYPES = frozenset(("", *_PAGE_TYPES.split()))
_SHOWN_AS_PAGES = frozenset(["text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"])
UNKNOWN_TYPES = frozenset(("", "unknown/unknown", "application/unknown", "*/*"))
_PERHAPS_PAGES = UNKNOWN_TYPES | {"text/xml", "application/xml", "application/x-xml"}


def html_text(body: bytes, content_type: str | None = None, *, max_bytes: int | None = MAX_BYTES) -> str:
    """Decode the first 2 MB of a page: byte order mark, UTF-8, HTTP charset, meta charset, Windows-1252. Never raises.

    Bytes that are valid UTF-8 are UTF-8 whatever a label says. The meta element counts where the header names no
    charset that can decode the bytes (rule L4). `max_bytes` None reads the whole page.
    """
    body = body[:max_bytes]
    decoded = decode(body, content_type, meta_label=_meta_label(body))
    return decoded.text if isinstance(decoded, Decoded) else body.decode("utf-8", "replace")


def is_html(body: bytes, content_type: str | None = None) -> bool:
    """Return whether to read `body` as a page: its type is HTML or missing, or it begins like a page (rule D2)."""
    kind = (content_type or "").partition(";")[0].strip().lower()
    return kind in _HTML_TYPES or begins_like_page(body, content_type)


def is_shown_as_page(body: bytes, content_type: str | None) -> bool:
    """Return whether browsers show `body` as a page: by its type, or by its bytes where the type leaves that open."""
    kind = bare_type(content_type or "")
    return kind in _SHOWN_AS_PAGES or (kind in _PERHAPS_PAGES and begins_like_page(body, content_type))


def begins_like_page(body: bytes, content_type: str | None = None) -> bool:
    """True if the first element of `body`, or its DOCTYPE, is that of an HTML page."""
    return _MARKUP.match(html_text(body[:_HEAD], content_type)) is not None


def _meta_label(body: bytes) -> str | None:
    """The charset that a meta element names, outside comments and scripts; one that declares a charset comes first."""
    head = body[:_BEFORE_META]
    if _CHARSET.search(head) is None:
        return None
    first: re.Match[bytes] | None = None
    for found in _META.finditer(head):
        label = _CHARSET.search(found[2] or b"")
        if label and _declares(found[2]):
            return label[1].decode("ascii")
        first = first or label
    return first[1].decode("ascii") if first else None


def _declares(attributes: bytes) -> bool:
    """Return whether a meta element declares a charset; another one may mention it, such as a description."""
    return any(found[1].lower() in _DECLARING for found in _ATTRIBUTE.finditer(attributes))
