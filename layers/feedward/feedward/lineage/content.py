"""Reads a body's text and content hash (rule L4): a page's visible text, other text as it is, anything else as bytes.

The media type counts as in browsers (MIME Sniffing): text/plain with markup is source text, not a page. The bytes
decide if there is no type, for XML that is XHTML, and for a binary file, such as a PDF, with a text type. No body
raises anything but TooCostly.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from hashlib import sha256

from feedward.feeds.decode import Decoded, decode
from feedward.pages.charset import UNKNOWN_TYPES, html_text, is_shown_as_page
from feedward.pages.media_types import bare_type
from feedward.pages.visible_text import read_page_text, text_form
from feedward.reading_budget import ReadingBudget

_TEXT_TYPE = re.compile(
    r"text/.*|.*\+(?:json|xml|yaml)|application/(?:x-)?"
    r"(?:json|json5|jsonl|jsonlines|ndjson|xml|xml-dtd|yaml|toml|javascript|ecmascript|graphql|sql|sh|tex|latex)"
)
# Characters that never occur in text, and the number of characters that the standard inspects.
_BINARY = re.compile("[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_SNIFFED = 1445
# A text of zero-width characters only counts as empty: an app shell may keep a line open with one.
_UNSEEN = re.compile(
    "[ \u00ad\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff]+"
)
_SIGNATURES = (
    b"%PDF-", b"\x89PNG\r\n", b"GIF87a", b"GIF89a", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b\x08", b"\0\0\1\0",
    b"ID3\3", b"ID3\4", b"OggS\0", b"\x1aE\xdf\xa3", b"wOFF", b"wOF2", b"Rar!\x1a\x07", b"7z\xbc\xaf", b"(\xb5/\xfd",
)  # fmt: skip
_CONTAINERS = re.compile(rb"RIFF.{4}(?:WEBP|WAVE|AVI )|.{4}ftyp", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """The content of a body.

    - content_sha256: hex, of `text` in UTF-8, or of the bytes if the body is not text
    - text: normalized, in one line; text_length: its number of characters; both None if the body is not text
    - title: the page's title as plain text; None for a page without title and for any other body
    """

    content_sha256: str
    text: str | None = field(default=None, repr=False)
    text_length: int | None = None
    title: str | None = None


def read_content(body: bytes, *, content_type: str | None, budget: ReadingBudget | None = None) -> Content:
    """Read a body without content encoding. `content_type` is the header as sent, or None.

    Raises TooCostly if it takes more bytes, tags or processor time than `budget` allows for one document.
    """
    budget = budget or ReadingBudget()
    budget.admit_bytes(len(body))
    kind = bare_type(content_type or "")
    if _is_no_text(body, kind):
        return _of_bytes(body)
    if is_shown_as_page(body, content_type):
        text, title = read_page_text(html_text(body, content_type, max_bytes=None), budget)
        return _of_text("" if _UNSEEN.fullmatch(text) else text, title)
    text = _decoded(body, content_type)
    return _of_bytes(body) if _BINARY.search(text, 0, _SNIFFED) else _of_text(text_form(text))


def _is_no_text(body: bytes, kind: str) -> bool:
    """True for a media type that is not text, and for a binary file of any type."""
    if not (kind in UNKNOWN_TYPES or _TEXT_TYPE.fullmatch(kind)):
        return True
    return body.startswith(_SIGNATURES) or _CONTAINERS.match(body) is not None


def _decoded(body: bytes, content_type: str | None) -> str:
    decoded = decode(body, content_type)
    return decoded.text if isinstance(decoded, Decoded) else body.decode("utf-8", "replace")


def _of_text(text: str, title: str | None = None) -> Content:
    return Content(content_sha256=sha256(text.encode()).hexdigest(), text=text, text_length=len(text), title=title)


def _of_bytes(body: bytes) -> Content:
    return Content(content_sha256=sha256(body).hexdigest())
