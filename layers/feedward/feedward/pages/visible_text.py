"""The visible text of an HTML page, by a real parser, and its title from the same parse (rule L4).

Two pages have the same text exactly if a reader sees the same words. `content_sha256` is the hash of this text. A
change that alters the text of any page raises the `text` component of the normalization version (docs/lineage.md).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from typing import TYPE_CHECKING, NamedTuple
from unicodedata import combining, normalize

from feedward.feeds.limits import MAX_TITLE
from feedward.feeds.text import plain
from feedward.pages.flat_page import flat_page
from feedward.pages.tags import (
    ATTRIBUTE,
    ATTRIBUTES,
    COMMENT,
    DECLARATION,
    FLAGS,
    NAME_END,
    RAW,
    REMOVED,
    SEPARATORS,
    TAG_END,
    mentions,
    raw_element,
)
from feedward.pages.thin_page import thin_page
from feedward.reading_budget import ReadingBudget

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode


# Python sorts a run of combining marks in quadratic time; no script has such words or such runs.
_MAX_WORD = 1000
_MAX_MARKS = 30
_PART = 100_000
_GAP = re.compile(r"\s")


def text_form(text: str) -> str:
    """`text` trimmed, in form NFC, with one space for each run of white space (no-break and other Unicode spaces too).

    Characters without width, such as U+200B, are not white space and stay.
    """
    return " ".join(filter(None, map(_form_of_part, _parts(text))))


def _parts(text: str) -> Iterator[str]:
    """`text` cut at white space: a list of all words of a large page takes 30 times its memory."""
    at = 0
    while at < len(text):
        gap = _GAP.search(text, at + _PART)
        end = gap.start() if gap else len(text)
        yield text[at:end]
        at = end


def _form_of_part(text: str) -> str:
    words = text.split()
    if not text.isascii():
        words = [word if word.isascii() else _composed(word) for word in words]
    return " ".join(words)


def _composed(word: str) -> str:
    return normalize("NFC", word if len(word) <= _MAX_WORD else _with_marks_in_order(word))


def _with_marks_in_order(word: str) -> str:
    """`word` with its long runs of marks in canonical order already; its NFC is the same."""
    pieces, done, marks_at = [], 0, -1
    for at, character in enumerate(chain(word, " ")):
        if combining(character):
            marks_at = at if marks_at < 0 else marks_at
        elif marks_at >= 0:
            if at - marks_at > _MAX_MARKS:
                pieces += [word[done:marks_at], *_in_order(word[marks_at:at])]
                done = at
            marks_at = -1
    return "".join((*pieces, word[done:]))


def _in_order(marks: str) -> Iterator[str]:
    """A run of marks, decomposed and sorted by class; in parts, since a list of characters takes much memory."""
    decomposed = marks.translate({ord(mark): normalize("NFD", mark) for mark in set(marks)})
    classes: dict[int, list[str]] = {}
    for start in range(0, len(decomposed), _PART):
        part = sorted(decomposed[start : start + _PART], key=combining)
        for its_class, run in groupby(part, key=combining):
            classes.setdefault(its_class, []).append("".join(run))
    return ("".join(classes[each]) for each in sorted(classes))


_SEPARATORS = ", ".join(sorted(SEPARATORS))
_HIDDEN = "[hidden], [popover]:not(dialog), dialog:not([open])"
_REMOVED = ", ".join((*sorted(REMOVED), _HIDDEN))
_HIDING = frozenset(["hidden", "popover"])


class PageText(NamedTuple):
    """A page's text, and its title as plain text of at most MAX_TITLE characters, or None."""

    text: str
    title: str | None


def page_text(html: str) -> str:
    """Return the text of a page: one line, in form NFC, words separated by one space; empty if nothing is visible.

    Raises TooCostly.
    """
    return read_page_text(html).text


def read_page_text(html: str, budget: ReadingBudget | None = None) -> PageText:
    """Text and title of a page, from one parse; in time and memory that grow with its length, whatever the markup.

    Raises TooCostly, and nothing else, for a page with more tags than `budget` allows, or that takes longer.
    """
    budget = budget or ReadingBudget()
    budget.admit_tags(html.count("<"))
    markup = thin_page(with_shown_shadow_roots(_without_lone_surrogates(html), budget), budget)
    budget.check_time()
    text, title = _read(markup.html, budget) if markup.is_cheap else flat_page(markup.html, budget)
    budget.check_time()
    return PageText(text=text_form(text), title=plain(title, MAX_TITLE))


def _without_lone_surrogates(text: str) -> str:
    """`text` without lone surrogates: a pair becomes one character, a lone half becomes U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def _read(html: str, budget: ReadingBudget) -> tuple[str, str]:
    """Text and title of the tree, not normalized yet."""
    if not html:
        return "", ""
    from selectolax.lexbor import LexborHTMLParser  # noqa: PLC0415 - a start that reads no page does without

    tree = LexborHTMLParser(html)
    title = _title(tree)
    budget.check_time()
    return _text(tree), title


def _title(tree: LexborHTMLParser) -> str:
    """The title of the head, else the first one elsewhere that is not a drawing's."""
    if (of_head := tree.css_first("head > title")) is not None:
        return of_head.text()
    of_drawings = {title.mem_id for title in tree.css("svg title")}
    return next((title.text() for title in tree.css("title") if title.mem_id not in of_drawings), "")


def _text(tree: LexborHTMLParser) -> str:
    body = tree.body
    if body is None or any(_HIDING & node.attributes.keys() for node in (body, tree.root) if node is not None):
        return ""
    for node in _outermost(body.css(_REMOVED), _REMOVED):
        node.decompose()
    for node in body.css(_SEPARATORS):
        node.insert_before(" ")
        node.insert_after(" ")
    return body.text()


def _outermost(nodes: Sequence[LexborNode], selector: str) -> Iterator[LexborNode]:
    """The nodes, in document order, that are inside no other: removing the outermost removes the others."""
    inner: set[int] = set()
    for node in nodes:
        if node.mem_id not in inner:
            inner.update(below.mem_id for below in node.css(selector))
            yield node


_WORD = "shadowrootmode"
_TOKEN = re.compile(
    rf"""{COMMENT}|{RAW}|{raw_element("noscript")}
    |<(?P<end>/?)(?P<template>template){NAME_END}(?P<attributes>{ATTRIBUTES}){TAG_END}
    |</?[a-z][^\s/>]*+{ATTRIBUTES}{TAG_END}|{DECLARATION}""",
    FLAGS | re.VERBOSE,
)
_ATTRIBUTE = re.compile(ATTRIBUTE, FLAGS)
_OPEN = re.compile(r"""[\s/]*+shadowrootmode\s*+=\s*+["']?open["']?""", re.IGNORECASE)
_ELEMENT = "shadow-root"


def with_shown_shadow_roots(html: str, budget: ReadingBudget) -> str:
    """Return `html` with an element in place of each open shadow root; other templates stay. Raises TooCostly."""
    if not mentions(html, _WORD):
        return html
    # For each open template: whether it is shown. Templates inside a hidden one are hidden too, so the last one tells.
    shown: list[bool] = []

    def replacement(token: re.Match[str]) -> str:
        budget.step()
        if not token["template"]:
            return token[0]
        if token["end"]:
            return f"</{_ELEMENT}>" if shown and shown.pop() else token[0]
        shown.append((not shown or shown[-1]) and _is_open(token["attributes"]))
        return f"<{_ELEMENT}>" if shown[-1] else token[0]

    return _TOKEN.sub(replacement, html)


def _is_open(attributes: str) -> bool:
    return any(_OPEN.fullmatch(attribute[0]) for attribute in _ATTRIBUTE.finditer(attributes))
