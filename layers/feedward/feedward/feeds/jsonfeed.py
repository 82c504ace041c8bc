"""JSON Feed 1.0 and 1.1. A value of a wrong type is treated as absent.

Depth and values are counted before parsing. Numbers are kept as text and NaN is dropped: every value can be stored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from feedward.feeds import fields
from feedward.feeds.build_feed import build_feed
from feedward.feeds.draft import Draft, Values
from feedward.feeds.limits import MAX_CATEGORIES, MAX_ELEMENTS, MAX_ITEMS, MAX_JSON_DEPTH
from feedward.feeds.links import clean_url
from feedward.feeds.repairs import Repair
from feedward.model import Feed, FeedFormat, Rejection, RejectionReason

# A mark with the text before it. A string is matched whole, closed or not, so that no character in it is a mark.
_STRUCTURE = re.compile(r'(?:[^"\[\]{},]++|"(?:[^"\\]++|\\.)*+"?)*+([\[\]{},]|\Z)', re.DOTALL)
_SPACE = re.compile(r"[ \t\r\n]*+")
# A comma before the end of a list or an object, as templates leave it. A string is matched whole, as above.
_STRAY_COMMA = re.compile(r'("[^"\\]*+(?:\\.[^"\\]*+)*"?)|,(?=[ \t\r\n]*+[\]}])', re.DOTALL)
_VERSION = re.compile(r"\s*https?://(?:www\.)?jsonfeed\.org/version/1", re.IGNORECASE)
_VERSION_IN_TEXT = re.compile(r"jsonfeed\.org\\?/version\\?/1", re.IGNORECASE)


class _Number(str):
    """A number, as it was written."""

    __slots__ = ()


_DECODER = json.JSONDecoder(parse_int=_Number, parse_float=_Number, parse_constant=lambda _: None, strict=False)


def parse_json_feed(text: str, *, url: str | None, repairs: tuple[Repair, ...]) -> Feed | Rejection:
    """Parse a document that starts with `{` or `[`. A truncated document keeps its complete items, and a flag."""
    excess = _excess(text)
    if excess:
        return excess
    document, mended = _read(text)
    truncated = document is None
    if truncated:
        text = _without_stray_commas(text)
        document, mended = _read(text)
        truncated = document is None
        mended = [Repair.STRAY_COMMA, *mended]
    if truncated:
        document, mended = dict(_salvage(text)), []
    refused = _refuse(document, text, truncated=truncated)
    return refused or _build(document, url=url, repairs=[*repairs, *mended], truncated=truncated)


def _read(text: str) -> tuple[Any, list[Repair]]:
    """Return the document and its repairs; None for text that is not JSON."""
    try:
        document, end = _DECODER.raw_decode(text)
    except (ValueError, RecursionError):
        return None, []
    return document, [Repair.TRAILING_JUNK] if text[end:].strip() else []


def _without_stray_commas(text: str) -> str:
    return _STRAY_COMMA.sub(lambda found: found[1] or "", text)


def _excess(text: str) -> Rejection | None:
    """Reject a document with too many levels or values before parsing: values need far more memory than their text."""
    depth, left = 0, MAX_ELEMENTS
    for found in _STRUCTURE.finditer(text):
        mark = found[1]
        if not mark or depth < 0:
            break  # more ends than starts are not JSON: the decoder stops there
        if mark in "[{":
            depth += 1
            if depth > MAX_JSON_DEPTH:
                return Rejection(reason=RejectionReason.TOO_DEEP, detail=f"more than {MAX_JSON_DEPTH} levels")
        elif mark in "]}":
            depth -= 1
        if mark in "[{,":
            left -= 1
            if left < 0:
                return Rejection(reason=RejectionReason.TOO_COMPLEX, detail=f"more than {MAX_ELEMENTS} values")
    return None


def _refuse(document: Any, text: str, *, truncated: bool) -> Rejection | None:
    version = document.get("version") if isinstance(document, dict) else None
    if not (isinstance(version, str) and _VERSION.match(version)):
        broken = truncated and _VERSION_IN_TEXT.search(text[:2000])
        reason = RejectionReason.MALFORMED if broken else RejectionReason.NOT_A_FEED
        return Rejection(
            reason=reason, detail="JSON that is broken" if broken else "JSON without the version of JSON Feed"
        )
    items = document.get("items")
    if items is None and not truncated and _text(document.get("title")):
        return None  # Go writes an empty list as null
    if not isinstance(items, list):
        return Rejection(reason=RejectionReason.MALFORMED, detail="items is not a list")
    return None


def _salvage(text: str) -> Iterator[tuple[str, Any]]:
    """Yield the complete members of a truncated document; of `items`, the complete items."""
    try:
        at = _skip(text, 0, "{")
        while True:
            key, at = _DECODER.raw_decode(text, _skip(text, at, ""))
            at = _skip(text, at, ":")
            if key == "items" and text[at : at + 1] == "[":
                items: list[Any] = []
                yield "items", items
                at = _salvage_items(text, at + 1, items)
            else:
                value, at = _DECODER.raw_decode(text, at)
                yield str(key), value
            at = _skip(text, at, ",")
    except (ValueError, RecursionError):
        return


def _salvage_items(text: str, at: int, items: list[Any]) -> int:
    at = _skip(text, at, "")
    if text[at : at + 1] == "]":
        return at + 1
    while True:
        item, at = _DECODER.raw_decode(text, at)
        items.append(item)
        at = _skip(text, at, "")
        if text[at : at + 1] == "]":
            return at + 1
        at = _skip(text, at, ",")


def _skip(text: str, at: int, mark: str) -> int:
    """Skip white space, then `mark`, then white space. Raises ValueError for other text."""
    at = _end_of_space(text, at)
    if not text.startswith(mark, at):
        raise ValueError(f"no {mark} at {at}")
    return _end_of_space(text, at + len(mark))


def _end_of_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _build(document: dict[str, Any], *, url: str | None, repairs: list[Repair], truncated: bool) -> Feed:
    items = [item for item in document.get("items") or () if isinstance(item, dict)]
    if len(items) > MAX_ITEMS:
        repairs.append(Repair.TOO_MANY_ITEMS)
    draft = Draft(feed=_feed_values(document), items=[_item_values(item) for item in items[:MAX_ITEMS]])
    names = tuple(dict.fromkeys(str(repair) for repair in repairs))
    return build_feed(draft, FeedFormat.JSON_FEED, url=url, repairs=names, truncated=truncated)


def _feed_values(document: dict[str, Any]) -> Values:
    values: Values = {
        "title": fields.html_title(_text(document.get("title")), {}, None),
        "description": fields.html_description(_text(document.get("description")), {}, None),
        "link": clean_url(_text(document.get("home_page_url"))),
        "self": clean_url(_text(document.get("feed_url"))),
        "language": fields.language(_text(document.get("language")), {}, None),
    }
    hubs = document.get("hubs")
    for hub in hubs if isinstance(hubs, list) else ():
        target = clean_url(_text(hub.get("url"))) if isinstance(hub, dict) else None
        if target:
            fields.store_hub(values, target)
    return values


def _item_values(item: dict[str, Any]) -> Values:
    return _categories(item) | {
        "id": fields.identifier(_text_or_number(item.get("id")), {}, None),
        "link": clean_url(_text(item.get("url"))),
        "alternate": clean_url(_text(item.get("external_url"))),
        "title": fields.html_title(_text(item.get("title")), {}, None),
        "published": _date(item, "date_published", "published", "pubDate"),
        "updated": _date(item, "date_modified", "updated"),
    }


def _date(item: dict[str, Any], *names: str) -> Any:
    """Return the first date under the format's own name, or that of another format."""
    dates = (fields.date(_text_or_number(item.get(name)), {}, None) for name in names)
    return next((date for date in dates if date is not None), None)


def _categories(item: dict[str, Any]) -> Values:
    """Return the tags of an item, which JSON Feed has in place of categories."""
    tags = item.get("tags")
    values: Values = {}
    for tag in tags[:MAX_CATEGORIES] if isinstance(tags, list) else ():
        name = fields.word(_text(tag), {}, None)
        if name:
            fields.add_category(values, name)
    return values


def _text(value: Any) -> str:
    return value if isinstance(value, str) and not isinstance(value, _Number) else ""


def _text_or_number(value: Any) -> str:
    """Return an id, which may be a number: JSON Feed 1.1 tells readers to take its text."""
    return value if isinstance(value, str) else ""
