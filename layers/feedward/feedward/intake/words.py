"""Plain text of titles and names, and a test for addresses."""

from __future__ import annotations

import re
from typing import Final

_TAG: Final = re.compile(r"</?[A-Za-z!][^<>]{0,2000}>")
_CONTROL: Final = re.compile(
    r"[\x00-\x08\x0e-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_ADDRESS: Final = re.compile(r"(?:https?|feed|rss|pcast|itpc|podcast):/{0,2}[^\s/]{1,300}\S{0,4000}", re.IGNORECASE)


def words(text: str | None) -> str | None:
    """Return a text without control characters, with collapsed white space; None for an empty one."""
    return " ".join(_CONTROL.sub("", text).split()) or None if text else None


def without_tags(text: str) -> str:
    """Return a text without its tags, for a file with unescaped text."""
    return _TAG.sub("", text) if "<" in text else text


def is_address(text: str) -> bool:
    """Return whether a text is an address with a scheme that leads to a feed or a site."""
    return _ADDRESS.fullmatch(text) is not None
