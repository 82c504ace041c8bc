"""The tags of a page as the HTML standard's tokenizer finds them, in patterns that take linear time.

No quantifier backtracks, and text that begins like a tag always matches, so any text takes one pass.
"""

from __future__ import annotations

import re

FLAGS = re.IGNORECASE | re.DOTALL

# An unclosed quote is ignored: its tag ends at the next `>`.
_VALUE = r"""(?>(?:"[^"]*+"|'[^']*+'|[^\s"'>][^\s>]*+)?)"""
ATTRIBUTE = rf"[\s/]*+[^\s/>][^\s/>=]*+(?>(?:\s*+=\s*+{_VALUE})?)"
# All attributes of a tag, possessively: `(?>...)` would keep a record of each, and a tag may have millions.
ATTRIBUTES = rf"(?:{ATTRIBUTE})*+"
TAG_END = r"[\s/]*+(?:>|\Z)"
NAME_END = r"(?=[\s/>]|\Z)"

COMMENT = r"<!--(?:-?>|.*?(?:--!?>|\Z))"
DECLARATION = r"<(?:[!?]|/(?![a-z]))[^>]*+(?:>|\Z)"

_HIDDEN_NAME = r"[\s/]*+hidden(?=[\s/>=]|\Z)"
_HIDDEN = re.compile(rf"(?:(?!{_HIDDEN_NAME}){ATTRIBUTE})*+{_HIDDEN_NAME}", FLAGS)
HIDDEN_WORD = re.compile("hidden", re.IGNORECASE)


def raw_element(name: str) -> str:
    """The pattern of a whole element with raw text content: it ends at its first end tag, or with the page."""
    return rf"<{name}{NAME_END}{ATTRIBUTES}{TAG_END}.*?(?:</{name}{NAME_END}{ATTRIBUTES}{TAG_END}|\Z)"


_RAW_NAMES = ["script", "style", "iframe", "noembed", "noframes", "textarea", "title", "xmp"]
_PLAINTEXT = rf"<plaintext{NAME_END}{ATTRIBUTES}{TAG_END}.*"
RAW = "|".join((*map(raw_element, _RAW_NAMES), _PLAINTEXT))
"""Whole elements with raw text content, without noscript."""


def says_hidden(attributes: str) -> bool:
    """True if the text behind a tag's name has an attribute `hidden`, whatever its value."""
    return HIDDEN_WORD.search(attributes) is not None and _HIDDEN.match(attributes) is not None
