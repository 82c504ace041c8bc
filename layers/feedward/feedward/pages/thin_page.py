"""Removes markup that makes a page's tree expensive and does not affect its text.

Building a tree by the HTML standard is quadratic in the depth of blocks, in one tag's attributes, and in formatting
(`<b>`) that is not closed, which every later block reopens: some kilobytes would take gigabytes. Formatting is removed.
If the remaining markup is still too costly, no tree is built (pages/flat_page.py reads the page). noscript is removed
too, since its content is raw text where scripts run.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from feedward.pages.tags import (
    ATTRIBUTE,
    ATTRIBUTES,
    COMMENT,
    DECLARATION,
    FLAGS,
    FORMATTING,
    NAME_END,
    RAW,
    RAW_NAMES,
    TAG_END,
    mentions,
    raw_element,
    says_hidden,
)
from feedward.reading_budget import ReadingBudget

MAX_TAGS = 20_000
MAX_ATTRIBUTES = 100
# The most formatting elements that may be reopened, times their places, and a number of tags that cannot exceed it.
_MAX_REOPENED = 200_000
SMALL = 800

_ANY_FORMATTING = re.compile(rf"<({'|'.join(FORMATTING)})(?=[\s/])({ATTRIBUTES})", FLAGS)


class ThinPage(NamedTuple):
    """Markup, and whether a tree may be built from it; if not, it is the whole page's."""

    html: str
    is_cheap: bool


def thin_page(html: str, budget: ReadingBudget) -> ThinPage:
    """Return `html` without noscript and, if it has many tags, without formatting, provided its tree is cheap then.

    Formatting that hides its content stays. Raises TooCostly.
    """
    is_small = html.count("<") <= SMALL
    kept_names = frozenset(FORMATTING) if is_small else _formatting_that_hides(html, budget)
    thin = _thinned(html, kept_names, budget)
    if thin is None or not (is_small or _is_cheap(thin, kept_names)):
        return ThinPage(html, is_cheap=False)
    return ThinPage(thin, is_cheap=True)


def _thinned(html: str, kept_names: frozenset[str], budget: ReadingBudget) -> str | None:
    """The markup that is kept; None as soon as its tree is known to be too costly."""
    thin: list[str] = []
    tags, may_be_too_many = 0, html.count("<") > MAX_TAGS
    for found in _pattern(kept_names).finditer(html):
        budget.step()
        thin.append(found[1])
        if may_be_too_many:
            tags += found[1].count("<")
        if found.lastindex == _COSTLY or tags > MAX_TAGS:
            return None
    return "".join(thin)


def _formatting_that_hides(html: str, budget: ReadingBudget) -> frozenset[str]:
    """Names of the formatting elements that are hidden somewhere."""
    names: set[str] = set()
    # `hidden` without its i: a dotted or a dotless one is the same letter for a pattern without case.
    if mentions(html, "dden") or mentions(html, "popover"):
        for found in _ANY_FORMATTING.finditer(html):
            budget.step()
            name = found[1].lower()
            if name not in names and says_hidden(name, found[2]):
                names.add(name)
    return frozenset(names)


def _is_cheap(html: str, formatting: frozenset[str]) -> bool:
    tags = html.count("<")
    again = len(re.findall(rf"<(?:{'|'.join(formatting)}){NAME_END}", html, FLAGS)) if formatting else 0
    return tags <= MAX_TAGS and tags * again <= _MAX_REOPENED


_COSTLY = 2


@lru_cache(maxsize=16)
def _pattern(formatting: frozenset[str]) -> re.Pattern[str]:
    """A run of kept markup, including this formatting, and what ends it: dropped markup, or a costly tag, with too many
    attributes.
    """
    dropped_names = ["noscript", *(name for name in FORMATTING if name not in formatting)]
    is_dropped = rf"(?:{'|'.join(dropped_names)}){NAME_END}"
    rest = rf"[a-z][^\s/>]*+(?>(?:{ATTRIBUTE}){{0,{MAX_ATTRIBUTES}}}){TAG_END}"
    # Most tags are found by their first letter: no name that needs a closer look begins with it.
    special = "".join(sorted({name[0] for name in (*dropped_names, *RAW_NAMES)}))
    tag = rf"<(?:/(?!{is_dropped})|(?![{special}])){rest}|<(?![a-z/!?])|{COMMENT}|{RAW}|<(?!{is_dropped}){rest}"
    kept = rf"(?:[^<]++|{tag}|{DECLARATION})"
    dropped = rf"(?>(?:{raw_element('noscript')}|</?{is_dropped}{ATTRIBUTES}{TAG_END}){{1,1000}})"
    return re.compile(rf"((?>{kept}{{0,1000}}))(?:{dropped}|(?!{kept})(<))?", FLAGS)
