"""Reads the text of a page whose tree would be too expensive, from its tags in order and in linear time.

A well-formed page gives the same text as with a tree. If hidden elements overlap others, the text may differ.
"""

from __future__ import annotations

import re
from collections import Counter
from html import unescape

from feedward.pages.tags import (
    ATTRIBUTES,
    COMMENT,
    DECLARATION,
    ENDS_BY_ITSELF,
    FLAGS,
    NAME_END,
    REMOVED,
    RUBY_PARTS,
    SEPARATORS,
    TAG_END,
    VOID,
    raw_text,
    says_hidden,
)
from feedward.reading_budget import ReadingBudget

_TOKEN = re.compile(
    rf"""(?:{COMMENT}
    |<(?P<raw>script|style|noscript|iframe|noembed|noframes|textarea|title|xmp){NAME_END}
        (?P<raw_attributes>{ATTRIBUTES}){TAG_END}
        (?P<content>{raw_text("(?P=raw)")})(?:</(?P=raw){NAME_END}{ATTRIBUTES}{TAG_END}|\Z)
    |<plaintext{NAME_END}{ATTRIBUTES}{TAG_END}(?P<plain>.*)
    |<(?P<end>/?)(?P<name>[a-z][^\s/>]*+)(?P<attributes>{ATTRIBUTES}){TAG_END}
    |{DECLARATION})""",
    FLAGS | re.VERBOSE,
)
_IN_DRAWINGS = ("foreignobject", "desc", "title")


def flat_page(html: str, budget: ReadingBudget) -> tuple[str, str]:
    """Return text and title of a page, without normalizing white space. Raises TooCostly."""
    page = _FlatPage()
    at = 0
    for token in _TOKEN.finditer(html):
        budget.step()
        page.add_text(html[at : token.start()])
        page.add_token(token)
        at = token.end()
    page.add_text(html[at:])
    return "".join(page.pieces), page.title or ""


class _FlatPage:
    """The text read so far, and the element being skipped with its open descendants."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.title: str | None = None
        self.left_out: str | None = None
        self.open: Counter[str] = Counter()

    def add_text(self, text: str, *, is_markup: bool = True) -> None:
        if text and self.left_out is None:
            text = text.replace("\0", "")  # as the standard's parser does
            self.pieces.append(unescape(text) if is_markup and "&" in text else text)

    def add_token(self, token: re.Match[str]) -> None:
        if token["raw"]:
            self._add_raw(token["raw"].lower(), token["raw_attributes"], token["content"])
        elif token["plain"]:
            self.add_text(f" {token['plain']}", is_markup=False)
        elif token["name"]:
            name = token["name"].lower()
            if token["end"]:
                self._end(name)
            else:
                self._start(name, token["attributes"])

    def _add_raw(self, name: str, attributes: str, content: str) -> None:
        if name == "title" and self.title is None and self.left_out != "svg":
            self.title = unescape(content)
        elif name in ("textarea", "xmp") and not says_hidden(name, attributes):
            separator = " " if name in SEPARATORS else ""
            self.add_text(f"{separator}{content}{separator}", is_markup=name == "textarea")

    def _start(self, name: str, attributes: str) -> None:
        if self.left_out and self._is_ended_by(name):
            self.left_out = None
        if self.left_out:
            self.open[name] += name not in VOID
        elif name in REMOVED or (name not in VOID and says_hidden(name, attributes)):
            self.left_out, self.open = name, Counter((name,))
        elif name in SEPARATORS:
            self.pieces.append(" ")

    def _is_ended_by(self, name: str) -> bool:
        """True if the skipped element ends where this element begins."""
        if self.left_out == "svg":
            return name in SEPARATORS and not any(self.open[place] for place in _IN_DRAWINGS)
        if self.left_out == "p":
            return name in SEPARATORS and name != "br"
        if self.left_out == "rp" and name in RUBY_PARTS:
            return True
        return name == self.left_out and name in ENDS_BY_ITSELF and self.open.total() == 1

    def _end(self, name: str) -> None:
        if self.left_out is None:
            if name in SEPARATORS:
                self.pieces.append(" ")
        elif self.open[name]:
            self.open[name] -= 1
            if name == self.left_out and not self.open[name]:
                self.left_out = None
        elif name in SEPARATORS and not (name == "p" and self.left_out in SEPARATORS):
            self.left_out = None  # its parent ends, and so does it
            self.pieces.append(" ")
        elif name == "ruby" and self.left_out == "rp":
            self.left_out = None
