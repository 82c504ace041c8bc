"""The labels that a tenant gives a subscription: title and tags, validated and normalized. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from feedward.errors import InvalidInput

TITLE_CHARS: Final = 500
TAG_CHARS: Final = 100
TAGS_AT_MOST: Final = 50
# Written out, so that the API's description has the same set, and a character newer than Python's Unicode is kept.
_WHITE_SPACE: Final = r"\u0009-\u000d\u001c-\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_CONTROLS: Final = (
    r"\u0000-\u0008\u000e-\u001b\u007f-\u0084\u0086-\u009f\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2"
    r"\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufdd0-\ufdef\ufeff\ufff0-\ufffb\ufffe\uffff"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f"
)
SHOWN: Final = f"[^{_CONTROLS}{_WHITE_SPACE}]"
"""Matches a visible character: a label without any is empty."""
_NAMES: Final = re.compile(r"(?:\\.|[^\\/]|\\$)+")
_CONTROL: Final = re.compile(f"[{_CONTROLS}]")


def clean_title(title: str | None) -> str | None:
    """Return the title with white space trimmed and collapsed, or None for an empty one.

    Raises InvalidInput (`title`) if it is too long.
    """
    clean = _clean(title or "")
    if _is_too_long(clean, title or "", TITLE_CHARS):
        raise InvalidInput("title", f"a title has at most {TITLE_CHARS} characters")
    return clean or None


def path_spelling(tag: str) -> str:
    """Return the canonical spelling of a tag's path (rule IM6): no blanks and no empty names around its slashes.

    A tag of slashes only is one name. A backslash at the end of a name is written twice.
    """
    names = [name + "\\" * _is_open(name) for part in _NAMES.findall(tag) if (name := part.strip())]
    return "/".join(names) or tag.replace("/", "\\/")


def _is_open(name: str) -> bool:
    """Return whether the last backslash would escape the next character."""
    return (len(name) - len(name.rstrip("\\"))) % 2 == 1


def clean_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """Return the normalized tags without duplicates, in their order. Raises InvalidInput (`tags`, `tags[3]`)."""
    clean = {_clean_tag(tag, f"tags[{at}]"): None for at, tag in enumerate(tags)}
    if len(clean) > TAGS_AT_MOST:
        raise InvalidInput("tags", f"a subscription has at most {TAGS_AT_MOST} tags")
    return tuple(clean)


def _clean_tag(tag: str, field: str) -> str:
    clean = path_spelling(_clean(tag))
    if not clean or _is_too_long(clean, tag, TAG_CHARS):
        raise InvalidInput(field, f"a tag has 1 to {TAG_CHARS} characters")
    return clean


def _clean(text: str) -> str:
    return unicodedata.normalize("NFC", " ".join(_CONTROL.sub("", text).split()))


def _is_too_long(clean: str, text: str, at_most: int) -> bool:
    """Return whether a label is too long both as sent and when normalized: NFC makes some characters two."""
    return min(len(clean), len(text)) > at_most
