"""OPML: outlines become entries, the outlines around them their folders (rules IM2, IM6, IM7).

An address makes a feed, regardless of the outline's type. Outlines without an address are folders. Inside the outline
of a feed, which has `xmlUrl`, another `url` is that of an episode or an item.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from feedward.intake.entry import Beyond, Found, Path, is_address, words
from feedward.intake.limits import DEPTH
from feedward.intake.markup import Outline, outlines

_FEED_TYPES: Final = frozenset({"rss", "atom", "feed", "rdf", "link", "podcast", "pie", "rss1", "atom10"})
_FEED_ADDRESSES: Final = ("xmlurl", "feedurl", "rssurl")
_ADDRESSES: Final = ("xmlurl", "url", "feedurl", "rssurl", "htmlurl")
_CUT: Final = "the file ends inside this outline"
_NO_ADDRESS: Final = "this outline has no address"
_INCLUDE: Final = "this includes another file, which is not read"


@dataclass(slots=True)
class _Open:
    """An outline without its end tag yet: its place in the folders, and whether it has children."""

    outline: Outline
    path: Path
    is_folder: bool
    has_children: bool = False


def read_opml(text: str, beyond: Counter[Beyond]) -> Iterator[Found]:
    """Yield the entries of an OPML document in order. `beyond` counts the parts beyond the limits."""
    open_outlines: list[_Open] = []
    too_deep = 0
    for each in outlines(text):
        if each is None:
            if too_deep:
                too_deep -= 1
            elif open_outlines:
                yield from _closed(open_outlines.pop())
            continue
        if too_deep or _depth(open_outlines) >= DEPTH:
            if _address(each):
                beyond[Beyond.DEPTH] += 1
            too_deep += each.is_open
            continue
        yield from _opened(each, open_outlines, beyond)
    for left in reversed(open_outlines):
        yield from _closed(left)


def _depth(open_outlines: list[_Open]) -> int:
    return len(open_outlines[-1].path) if open_outlines else 0


def _opened(each: Outline, open_outlines: list[_Open], beyond: Counter[Beyond]) -> Iterator[Found]:
    around = open_outlines[-1] if open_outlines else None
    path = around.path if around else ()
    if around:
        around.has_children = True
    if each.is_too_long:
        beyond[Beyond.TAG] += 1
        return
    if each.is_cut:
        yield Found(line=each.line, problem=_CUT)
        return
    is_item = around is not None and _is_item(each, around.outline)
    address = "" if is_item else _address(each)
    if address:
        yield _entry(each, address, path)
    elif not each.is_open and not is_item and _says_feed(each):
        yield Found(line=each.line, title=_name(each), problem=_NO_ADDRESS)
    if each.is_open:
        inside = path if address else (*path, _name(each) or "")
        open_outlines.append(_Open(each, inside, is_folder=not address and not is_item))


def _is_item(each: Outline, around: Outline) -> bool:
    """Return whether an outline is an episode or an item of the feed around it, not a feed in an unclosed outline."""
    return _has_feed_address(around) and not _has_feed_address(each) and not _says_type(each)


def _has_feed_address(each: Outline) -> bool:
    return any(each.attributes.get(name, "").strip() for name in _FEED_ADDRESSES)


def _closed(ended: _Open) -> Iterator[Found]:
    """An empty outline with the type of a feed is an entry without an address. An empty folder is ignored."""
    if ended.is_folder and not ended.has_children and _says_feed(ended.outline):
        yield Found(line=ended.outline.line, title=_name(ended.outline), problem=_NO_ADDRESS)


def _entry(each: Outline, address: str, path: Path) -> Found:
    given = each.attributes
    problem = _INCLUDE if given.get("type", "").strip().lower() == "include" else None
    site_url = given.get("htmlurl", "").strip()
    return Found(
        line=each.line,
        url=address,
        title=_name(each),
        site_url=site_url if site_url and site_url != address else None,
        paths=_paths(path, given.get("category", "")),
        description=words(given.get("description")),
        language=words(given.get("language")),
        problem=problem,
    )


def _address(each: Outline) -> str:
    given = each.attributes
    named = next((found for name in _ADDRESSES if (found := given.get(name, "").strip())), "")
    if named:
        return named
    said = (given.get(name, "").strip() for name in ("text", "title"))
    return "" if each.is_open else next((text for text in said if is_address(text)), "")


def _says_feed(each: Outline) -> bool:
    return _says_type(each) or any(name in each.attributes for name in _ADDRESSES)


def _says_type(each: Outline) -> bool:
    return each.attributes.get("type", "").strip().lower() in _FEED_TYPES


def _name(each: Outline) -> str | None:
    return words(each.attributes.get("text")) or words(each.attributes.get("title"))


def _paths(path: Path, category: str) -> tuple[Path, ...]:
    """The folder around the entry, and the categories: `/Politics/News` is a path, `News` is one name."""
    around = tuple(name for name in path if name)
    named = [_category(part.strip()) for part in category.split(",")[:50]]
    return tuple(dict.fromkeys(each for each in (around, *named) if each))


def _category(part: str) -> Path:
    names = part.split("/") if part.startswith("/") else [part]
    return tuple(clean for name in names if (clean := words(name)))
