"""Reads the outlines of malformed OPML: one pass over the text, without an XML parser or a DTD (rule IM2).

Each outline is parsed on its own, from `<outline` to the next token, so that a fault costs one outline. A quote ends a
value only if an attribute or the end of the tag follows: other quotes and tags are part of the value.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from feedward.intake.entry import without_tags
from feedward.intake.limits import ATTRIBUTES, TAG_CHARS

_TOKEN: Final = re.compile(
    r"<!--|<!\[CDATA\[|<(/?)(?:[A-Za-z_][\w.-]{0,30}:)?(outline|body|head|opml)(?=[\s/>])", re.IGNORECASE
)
_SKIPPED_TO: Final = {"<!--": "-->", "<![cdata[": "]]>"}
_CLOSED: Final = re.compile(r"[\"'/]\s{0,99}>")
_ATTRIBUTE: Final = re.compile(r"([A-Za-z_][\w:.-]{0,63})\s{0,99}=\s{0,99}([\"']?)")
# What follows the closing quote of a value: another attribute with a quote, or the end of the tag.
_NEXT: Final = re.compile(
    r"[\s,;]{0,999}(?!(?:href|src|target|rel|class|style|alt|width|height|border|align|id|name|on\w{1,20})\s{0,9}=)"
    r"[A-Za-z_][\w:.-]{0,63}\s{0,99}=\s{0,99}[\"']?|[\s,;]{0,999}/?\s{0,99}>?\s{0,999}$",
    re.IGNORECASE,
)
_UNQUOTED: Final = re.compile(r"[^\s\"'>]*?(?=\s|/?>|[\"']|$)")
_END: Final = re.compile(r"\s{0,999}/?\s{0,99}>")
# The end of a tag, with much text behind it.
_EARLY_END: Final = re.compile(r"[\"'/]\s{0,99}>(?=[\s<])")
# An unclosed value extends into these attributes, which have the same quotes. Other quotes are those of a text.
_SWALLOWED: Final = {
    quote: re.compile(rf"\s(?:xmlUrl|htmlUrl|type)\s{{0,9}}=\s{{0,9}}{quote}", re.IGNORECASE) for quote in "\"'"
}
_CURLY: Final = re.compile(r"(?<==)(\s{0,9})[“”„]|[“”](?=\s{1,999}[A-Za-z_][\w:.-]{0,63}\s{0,9}=|\s{0,9}/?\s{0,9}>)")
_COMMENT: Final = re.compile(r"<!--[^<>]{0,9999}-->")
_WITHIN_TAG: Final = 8
_TEXTS: Final = frozenset({"text", "title", "description", "category"})
_CDATA_MARKS: Final = re.compile(r"<!\[CDATA\[|\]\]>", re.IGNORECASE)
_ENTITY: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outline:
    """The start tag of an outline. Attribute names are in lower case; values are decoded.

    `is_open`: its children follow, until its end tag. `is_too_long`: its attributes were not read. `is_cut`: the file
    ends inside it.
    """

    line: int
    attributes: Mapping[str, str] = field(default_factory=dict)
    is_open: bool = False
    is_too_long: bool = False
    is_cut: bool = False


def outlines(text: str) -> Iterator[Outline | None]:
    """Yield the outlines of a document in order, and None for each end tag. Other markup is skipped."""
    lines, place = _Lines(text), 0
    closed = {mark: text.rfind(mark) for mark in _SKIPPED_TO.values()}
    while (token := _TOKEN.search(text, place)) is not None:
        skipped_to = _SKIPPED_TO.get(token[0].lower())
        if skipped_to is not None:
            # An unclosed comment is not skipped, since it would hide the rest.
            is_closed = closed[skipped_to] >= token.end()
            place = text.find(skipped_to, token.end()) + len(skipped_to) if is_closed else token.end()
            continue
        place = token.end()
        if token[2].lower() != "outline":
            continue
        if token[1]:
            yield None
            continue
        following = _following(text, place)
        end = following.start() if following else len(text)
        yield _outline(
            text[place : min(end, place + TAG_CHARS + 1)], lines.at(token.start()), is_last=following is None
        )
        place = end


def text_of(value: str) -> str:
    """Return the text of a value: entities that end in `;` are decoded once, others are kept."""
    return _ENTITY.sub(lambda found: html.unescape(found[0]), value) if "&" in value else value


def _following(text: str, place: int) -> re.Match[str] | None:
    """Return the token after an outline. A few comments and CDATA sections within its tag do not end it."""
    found = _TOKEN.search(text, place)
    for _ in range(_WITHIN_TAG):
        if not found or found[0][1] != "!" or found.start() - place > TAG_CHARS:
            break
        inside = text[place : found.start()]
        is_in_value = inside.count('"') % 2 or ('"' not in inside and inside.count("'") % 2)
        if ">" in inside and (not is_in_value or _CLOSED.search(inside)):
            break
        found = _TOKEN.search(text, found.end())
    return found


class _Lines:
    """Counts lines incrementally, so that each part of the text is scanned once."""

    def __init__(self, text: str) -> None:
        self._text, self._place, self._line = text, 0, 1

    def at(self, place: int) -> int:
        self._line += self._text.count("\n", self._place, place)
        self._place = place
        return self._line


def _outline(inside: str, line: int, *, is_last: bool) -> Outline:
    if len(inside) > TAG_CHARS:
        early = _EARLY_END.search(inside)
        if early is None:
            return Outline(line=line, is_too_long=True)
        inside = inside[: early.end()]
    if "<!--" in inside:
        inside = _COMMENT.sub(" ", inside)
    ends_at = inside.rfind(">")
    if ends_at < 0 and is_last:
        return Outline(line=line, is_cut=True)
    if ends_at < 0:  # the next tag begins before this one ends
        return Outline(line=line, attributes=_attributes(inside))
    tag = inside[: ends_at + 1]
    return Outline(line=line, attributes=_attributes(tag), is_open=not tag[:-1].rstrip().endswith("/"))


def _attributes(tag: str) -> dict[str, str]:
    """Among attributes of the same name, the first non-empty one counts."""
    found: dict[str, str] = {}
    if '"' not in tag and "=“" in tag:
        tag = _CURLY.sub('"', tag)
    place = 0
    while len(found) < ATTRIBUTES and (named := _ATTRIBUTE.search(tag, place)) is not None:
        value, place = _quoted(tag, named.end(), named[2]) if named[2] else _bare(tag, named.end())
        value = _CDATA_MARKS.sub("", value) if "<![" in value else value
        name = named[1].lower()
        if not found.get(name):
            found[name] = text_of(without_tags(value) if name in _TEXTS else value)
    return found


def _quoted(tag: str, start: int, quote: str) -> tuple[str, int]:
    place = start
    while (end := tag.find(quote, place)) >= 0:
        if _NEXT.match(tag, end + 1):
            swallowed = _SWALLOWED[quote].search(tag, start, end + 1)
            return (tag[start : swallowed.start()], swallowed.start()) if swallowed else (tag[start:end], end + 1)
        place = end + 1
    first = tag.find(quote, start)
    if first >= 0 and _END.match(tag, first + 1):
        return tag[start:first], first + 1
    return tag[start:].rstrip().removesuffix(">").removesuffix("/"), len(tag)


def _bare(tag: str, start: int) -> tuple[str, int]:
    found = _UNQUOTED.match(tag, start)
    return (found[0], found.end()) if found else ("", start)
