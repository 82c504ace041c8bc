"""A body -> what it says and its hash (rule L4): a page's visible text, other text as it is, anything else as bytes.

The type is believed as browsers believe it (MIME Sniffing): text/plain that looks like markup is source, for a page's
source is not the page. Bytes decide where no type was sent, where XML is XHTML, and where a file of another kind, such
as a PDF, is called a text. What a server sends raises nothing but TooCostly.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from hashlib import sha256

from feedward.feeds.decode import Decoded, decode
from feedward.pages.charset import begins_like_page, html_text
from feedward.pages.media_types import bare_type
from feedward.pages.visible_text import read_page_text, text_form
from feedward.reading_budget import ReadingBudget

_HTML_TYPES = frozenset(["text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml"])
_UNKNOWN_TYPES = frozenset(("", "unknown/unknown", "application/unknown", "*/*"))
_PERHAPS_HTML = _UNKNOWN_TYPES | {"text/xml", "application/xml", "application/x-xml"}
_TEXT_TYPE = re.compile(
    r"text/.*|.*\+(?:json|xml|yaml)|application/(?:x-)?"
    r"(?:json|json5|jsonl|jsonlines|ndjson|xml|xml-dtd|yaml|toml|javascript|ecmascript|graphql|sql|sh|tex|latex)"
)
# Characters that no text has, and how far the standard looks for them.
_BINARY = re.compile("[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_SNIFFED = 1445
_SIGNATURES = (
    b"%PDF-", b"\x89PNG\r\n", b"GIF87a", b"GIF89a", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b\x08", b"\0\0\1\0",
    b"ID3\3", b"ID3\4", b"OggS\0", b"\x1aE\xdf\xa3", b"wOFF", b"wOF2", b"Rar!\x1a\x07", b"7z\xbc\xaf", b"(\xb5/\xfd",
)  # fmt: skip
_CONTAINERS = re.compile(rb"RIFF.{4}(?:WEBP|WAVE|AVI )|.{4}ftyp", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What a body says.

    - content_sha256: hex, over the UTF-8 of `text`, or over the bytes of what is no text
    - text: normalized, one line; text_length: its characters; both None for what is no text
    - title: a page's, as plain text; None where it has none, and for all else
    """

    content_sha256: str
    text: str | None = field(default=None, repr=False)
    text_length: int | None = None
    title: str | None = None


def read_content(body: bytes, *, content_type: str | None, budget: ReadingBudget | None = None) -> Content:
    """Read a body whose content encoding is undone; `content_type` is the header as sent, None where none was.

    Raises TooCostly where it takes more bytes, tags or processor time than `budget` allows for one document.
    """
    budget = budget or ReadingBudget()
    budget.admit_bytes(len(body))
    kind = bare_type(content_type or "")
    if _is_no_text(body, kind):
        return _of_bytes(body)
    if kind in _HTML_TYPES or (kind in _PERHAPS_HTML and begins_like_page(body, content_type)):
        return _of_text(*read_page_text(html_text(body, content_type, max_bytes=None), budget))
    text = _decoded(body, content_type)
    return _of_bytes(body) if _BINARY.search(text, 0, _SNIFFED) else _of_text(text_form(text))


def _is_no_text(body: bytes, kind: str) -> bool:
    """True for a type that is no text's, and for a file that is none, whatever its type."""
    if not (kind in _UNKNOWN_TYPES or kind in _HTML_TYPES or _TEXT_TYPE.fullmatch(kind)):
        return True
    return body.startswith(_SIGNATURES) or _CONTAINERS.match(body) is not None


def _decoded(body: bytes, content_type: str | None) -> str:
    decoded = decode(body, content_type)
    return decoded.text if isinstance(decoded, Decoded) else body.decode("utf-8", "replace")


def _of_text(text: str, title: str | None = None) -> Content:
    return Content(content_sha256=sha256(text.encode()).hexdigest(), text=text, text_length=len(text), title=title)


def _of_bytes(body: bytes) -> Content:
    return Content(content_sha256=sha256(body).hexdigest())
