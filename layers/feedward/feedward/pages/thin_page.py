"""A page without the markup that makes its tree costly and does not touch its text.

Building a tree by the HTML standard is quadratic in the depth of blocks, in one tag's attributes, and in formatting
(`<b>`) that is not closed, which every later block opens again: some kilobytes would take gigabytes. Formatting goes;
a page that has too much of the rest is not made a tree (pages/flat_page.py reads it). So does noscript, whose content
is no markup where scripts run.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from feedward.pages.text_elements import FORMATTING
from feedward.pages.tokens import (
    ATTRIBUTE,
    COMMENT,
    DECLARATION,
    FLAGS,
    NAME_END,
    TAG_END,
    raw_element,
    says_hidden,
)

MAX_TAGS = 20_000
MAX_ATTRIBUTES = 100
# How many formatting elements may be opened again in how many places, and a number of tags that cannot exceed it.
_MAX_REOPENED = 200_000
SMALL = 800

_RAW_NAMES = ["script", "style", "iframe", "noembed", "noframes", "textarea", "title", "xmp"]
_PLAINTEXT = rf"<plaintext{NAME_END}(?>(?:{ATTRIBUTE})*){TAG_END}.*"
_RAW = "|".join((*map(raw_element, _RAW_NAMES), _PLAINTEXT))
_ANY_FORMATTING = re.compile(rf"<({'|'.join(FORMATTING)})(?=[\s/])((?>(?:{ATTRIBUTE})*))", FLAGS)


class ThinPage(NamedTuple):
    """Markup, and whether a tree may be made of it; where not, it is the whole page's."""

    html: str
    is_cheap: bool


def thin_page(html: str) -> ThinPage:
    """`html` without noscript and, where it has many tags, without formatting, if its tree is cheap then.

    Formatting that hides what is in it stays.
    """
    is_small = html.count("<") <= SMALL
    kept_names = frozenset(FORMATTING) if is_small else _formatting_that_hides(html)
    thin: list[str] = []
    for found in _pattern(kept_names).finditer(html):
        if found.lastgroup == "costly":
            return ThinPage(html, is_cheap=False)
        if found.lastgroup == "kept":
            thin.append(found[0])
    kept = "".join(thin)
    is_cheap = is_small or _is_cheap(kept, kept_names)
    return ThinPage(kept if is_cheap else html, is_cheap=is_cheap)


def _formatting_that_hides(html: str) -> frozenset[str]:
    """Names of the formatting elements that have the attribute `hidden` somewhere."""
    if "hidden" not in html.lower():
        return frozenset()
    return frozenset(found[1].lower() for found in _ANY_FORMATTING.finditer(html) if says_hidden(found[2]))


def _is_cheap(html: str, formatting: frozenset[str]) -> bool:
    tags = html.count("<")
    again = len(re.findall(rf"<(?:{'|'.join(formatting)}){NAME_END}", html, FLAGS)) if formatting else 0
    return tags <= MAX_TAGS and tags * again <= _MAX_REOPENED


@lru_cache(maxsize=16)
def _pattern(formatting: frozenset[str]) -> re.Pattern[str]:
    """Runs of what is kept, this formatting too; or what is dropped; or the start of a tag with too many attributes."""
    names = "|".join(("noscript", *(name for name in FORMATTING if name not in formatting)))
    tag = rf"</?(?!(?:{names}){NAME_END})[a-z][^\s/>]*+(?:{ATTRIBUTE}){{0,{MAX_ATTRIBUTES}}}+{TAG_END}"
    kept = rf"(?:[^<]++|<(?![a-z/!?])|{COMMENT}|{_RAW}|{tag}|{DECLARATION}){{1,1000}}+"
    dropped = rf"{raw_element('noscript')}|</?(?:{names}){NAME_END}(?>(?:{ATTRIBUTE})*){TAG_END}"
    return re.compile(rf"(?P<kept>{kept})|(?P<dropped>{dropped})|(?P<costly><)", FLAGS)
