"""Detects the kind of a file by its bytes and its first element; names and media types are ignored (rule IM1)."""

from __future__ import annotations

import html
import re
from typing import Final

from feedward.feeds.decode import decode
from feedward.feeds.repairs import Repair
from feedward.intake.csv_table import delimiter_of, has_header
from feedward.intake.entry import FileKind, UnusableFile
from feedward.intake.limits import FILE_BYTES, LINES
from feedward.intake.seeds import begins_list
from feedward.model import Rejection

_ARCHIVE: Final = "This is an archive: unpack it and import the file that is inside."
_SIGNATURES: Final = (
    (b"PK\x03\x04", "This is a zip archive: unpack it and import the file that is inside."),
    (b"PK\x05\x06", "This is an empty zip archive."),
    (b"\x1f\x8b", "This is a gzip archive: unpack it and import the file that is inside."),
    *((sign, _ARCHIVE) for sign in (b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!", b"\x28\xb5\x2f\xfd")),
    (b"bplist00", "This is a binary property list: export OPML from your reader."),
    (b"{\\rtf", "This is a text document: save it as plain text, and import that."),
    (b"%PDF", "This is a PDF, not a list of feeds: export OPML from your reader."),
    (b"\x89PNG", "This is an image, not a list of feeds."),
    (b"\xff\xd8\xff", "This is an image, not a list of feeds."),
    (b"GIF8", "This is an image, not a list of feeds."),
    (b"SQLite format 3", "This is a database, not a list of feeds: export OPML from your reader."),
)
_BINARY: Final = "This is a binary file, not a list of feeds: export OPML from your reader."
_EMPTY: Final = "The file is empty."
_TOO_LARGE: Final = f"The file is larger than {FILE_BYTES // 1024 // 1024} MB."
_TOO_MANY_LINES: Final = f"The file has more than {LINES} lines."
_HTML: Final = (
    "This is an HTML page, not a list of feeds: export OPML from your reader, or subscribe to the page's URL."
)
_FEED: Final = "This is a feed, not a list of feeds: subscribe to its URL."
_OTHER_XML: Final = "This is XML, but not OPML."
_OTHER_JSON: Final = "This is JSON, but not an array of feeds with a url each."
_UNREADABLE: Final = "The text of this file cannot be decoded: {}."
_ESCAPED: Final = ("&lt;?xml", "&lt;opml", "&lt;outline")
_NO_JSON: Final = re.compile(r"\[\[?[^\W\d_][^\"\]]{0,500}\]|\[[^\]\"]{1,500}\]\s?[(:\[]")
_HEAD: Final = 64 * 1024
_PASSED: Final = re.compile(
    r"\s+|<\?.{0,4000}?\?>|<!--.{0,60000}?-->|<!doctype\s+(?!html)[^<>\[]{0,999}(?:\[.{0,60000}?\]\s*)?>",
    re.DOTALL | re.IGNORECASE,
)
_ELEMENT: Final = re.compile(r"<!?(?:[A-Za-z_][\w.-]{0,30}:)?([A-Za-z_][\w.-]{0,60})")
_CONTROLS: Final = re.compile(r"[\x00-\x08\x0e-\x1f]")
_OPML: Final = re.compile(r"<(?:opml|outline)[\s/>]", re.IGNORECASE)
_FEEDS: Final = frozenset({"rss", "feed", "rdf", "channel"})
# Elements that begin a page: a browser's bookmarks begin with `meta`, a markdown list may begin with a part of a page.
_PAGES: Final = frozenset(
    {"html", "doctype", "head", "body", "meta", "link", "title", "base", "style", "script", "frameset"}
)
_PARTS: Final = re.compile(
    r"a|article|b|blockquote|br|center|d[lt]|div|details|em|font|form|h[1-6r]|header|i|iframe|img|li|main|nav|noscript|ol|p"
    r"|pre|section|small|span|strong|sub|sup|table|u|ul"
)
_PAGE: Final = re.compile(r"<(?:html|body|head|meta)[\s>]", re.IGNORECASE)
_MARKDOWN: Final = re.compile(r"^ {0,9}(?:[-*+]|\d{1,3}\.) [^<\n]{0,500}https?://|\]\(<?https?://", re.MULTILINE)
_JSON_FEED: Final = re.compile(r'"version"\s{0,9}:\s{0,9}"https?:\\?/\\?/(?:www\.)?jsonfeed\.org', re.IGNORECASE)
_SAMPLE: Final = 50
_UPPER_LETTERS: Final = re.compile(rb"[\xc0-\xff]+")
_WORD_BYTES: Final = 3
_UPPER_HALF: Final = 0xE0


def text_of_file(body: bytes) -> str:
    """Return the text of a file, with `\\n` between lines. Raises UnusableFile for a file that is not text."""
    if len(body) > FILE_BYTES:
        raise UnusableFile(_TOO_LARGE)
    for signature, says in _SIGNATURES:
        if body.startswith(signature):
            raise UnusableFile(says)
    decoded = decode(body)
    if isinstance(decoded, Rejection):
        raise UnusableFile(_UNREADABLE.format(decoded.detail))
    text = _guessed(body, decoded.text) if Repair.ENCODING in decoded.repairs else decoded.text
    if len(_CONTROLS.findall(text[:_HEAD])) > len(text[:_HEAD]) // 100 and not text.lstrip().startswith("<"):
        raise UnusableFile(_BINARY)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.strip("\0\ufeff \t\n"):
        raise UnusableFile(_EMPTY)
    if text.lstrip("\ufeff \t\n").startswith(_ESCAPED):  # copied from a page that displays it
        text = html.unescape(text)
    return text.replace("\0", "")


def _guessed(body: bytes, text: str) -> str:
    """Return the text of a file that does not declare its encoding, as Russian spreadsheets save theirs.

    Accented letters of Latin texts stand alone. Words of letters beyond ASCII alone are Cyrillic: most letters are
    lower case, which are the upper ones of Windows-1251 and the lower ones of KOI8-R.
    """
    beyond = _UPPER_LETTERS.findall(body[:_HEAD])
    words = b"".join(run for run in beyond if len(run) >= _WORD_BYTES)
    if 2 * len(words) <= sum(map(len, beyond)):
        return text
    is_upper = 2 * sum(byte >= _UPPER_HALF for byte in words) > len(words)
    return body.decode("cp1251" if is_upper else "koi8-r", "replace")


def kind_of(text: str) -> FileKind:
    """Return the kind of the file with this text. Raises UnusableFile if it holds no list of feeds."""
    begins = text.lstrip("\ufeff \t\n")[:1]
    if begins in ("[", "{") and not _is_linked(text):
        return _json_kind(text)
    if begins == "<":
        return _markup_kind(text)
    if _holds_opml(text[:_HEAD]):
        return FileKind.OPML
    if text.count("\n") > LINES:
        raise UnusableFile(_TOO_MANY_LINES)
    return FileKind.CSV if delimiter_of(sample_of(text)) else FileKind.LIST


def _holds_opml(head: str) -> bool:
    """Return whether OPML begins in a text with other words before it. In the row of a table, its tags are a title."""
    found = _OPML.search(head)
    if found is None or has_header(sample_of(head)):
        return False
    before = head[: found.start()]
    return not before.rpartition("\n")[2].strip() or "://" not in before


def sample_of(text: str) -> list[str]:
    """Return the first lines without comments. They show whether the file is a table or a list."""
    lines = (line for line in text[:_HEAD].split("\n")[:200] if line.strip())
    return [line for line in lines if not line.lstrip().startswith("#")][:_SAMPLE]


def _is_linked(text: str) -> bool:
    """True for a list that begins with a markdown link or a section name, and so with the same character as JSON."""
    return _NO_JSON.match(text.lstrip("\ufeff \t\n").partition("\n")[0][:2000]) is not None


def _json_kind(text: str) -> FileKind:
    if _JSON_FEED.search(text[:_HEAD]):
        raise UnusableFile(_FEED)
    start = begins_list(text)
    first = text[start + 1 :].lstrip()[:1] if start is not None else ""
    if first not in ("{", '"'):
        raise UnusableFile(_OTHER_JSON)
    return FileKind.SEEDS


def _markup_kind(text: str) -> FileKind:
    head = text[:_HEAD].lstrip("\ufeff")
    place = 0
    while (passed := _PASSED.match(head, place)) is not None:
        place = passed.end()
    element = _ELEMENT.match(head, place)
    name = element[1].lower() if element else ""
    if name in _FEEDS:
        raise UnusableFile(_FEED)
    is_part = _PARTS.fullmatch(name) is not None
    if is_part and _MARKDOWN.search(head, place) and not _PAGE.search(head, place):
        return FileKind.LIST
    if is_part or name in _PAGES:
        raise UnusableFile(_HTML)
    if name in ("opml", "outline") or _OPML.search(text):
        return FileKind.OPML
    if is_autolink(head[place:]):
        return FileKind.LIST
    raise UnusableFile(_OTHER_XML)


def is_autolink(text: str) -> bool:
    """Return whether a text begins with an address in angle brackets, or with a markdown list after a comment."""
    return text.startswith(("<http:", "<https:", "<feed:")) or not text.startswith("<")
