"""The tags of a page as the HTML standard's tokenizer finds them, in patterns that take linear time.

No quantifier gives back what it took, and what begins like a tag always matches: one pass, whatever the text.
"""

from __future__ import annotations

import re

FLAGS = re.IGNORECASE | re.DOTALL

# A quote that nothing closes is passed over, so that its tag ends at the next `>`.
_VALUE = r"""(?>(?:"[^"]*+"|'[^']*+'|[^\s"'>][^\s>]*+)?)"""
ATTRIBUTE = rf"[\s/]*+[^\s/>][^\s/>=]*+(?>(?:\s*+=\s*+{_VALUE})?)"
TAG_END = r"[\s/]*+(?:>|\Z)"
NAME_END = r"(?=[\s/>]|\Z)"

COMMENT = r"<!--(?:-?>|.*?(?:--!?>|\Z))"
DECLARATION = r"<(?:[!?]|/(?![a-z]))[^>]*+(?:>|\Z)"

_ATTRIBUTE_NAME = re.compile(rf"[\s/]*+([^\s/>][^\s/>=]*+)(?>(?:\s*+=\s*+{_VALUE})?)", FLAGS)


def raw_element(name: str) -> str:
    """The pattern of a whole element whose content is no markup: it ends at its first end tag, or with the page."""
    return rf"<{name}{NAME_END}(?>(?:{ATTRIBUTE})*){TAG_END}.*?(?:</{name}{NAME_END}(?>(?:{ATTRIBUTE})*){TAG_END}|\Z)"


def says_hidden(attributes: str) -> bool:
    """True if what stands behind a tag's name has an attribute `hidden`, whatever its value."""
    if "hidden" not in attributes.lower():
        return False
    return any(found[1].lower() == "hidden" for found in _ATTRIBUTE_NAME.finditer(attributes))
