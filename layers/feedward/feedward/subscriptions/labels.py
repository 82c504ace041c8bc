"""The labels that a tenant gives a subscription: title and tags, validated and normalized. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Final

from feedward.errors import InvalidInput

TITLE_CHARS: Final = 500
TAG_CHARS: Final = 100
TAGS_AT_MOST: Final = 50


def clean_title(title: str | None) -> str | None:
    """Return the title with white space trimmed and collapsed, or None for an empty one.

    Raises InvalidInput (`title`) if it is too long.
    """
    clean = _clean(title or "")
    if len(clean) > TITLE_CHARS:
        raise InvalidInput("title", f"a title has at most {TITLE_CHARS} characters")
    return clean or None


def clean_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """Return the normalized tags without duplicates, in their order. Raises InvalidInput (`tags`, `tags[3]`)."""
    clean = {_clean_tag(tag, f"tags[{at}]"): None for at, tag in enumerate(tags)}
    if len(clean) > TAGS_AT_MOST:
        raise InvalidInput("tags", f"a subscription has at most {TAGS_AT_MOST} tags")
    return tuple(clean)


def _clean_tag(tag: str, field: str) -> str:
    clean = _clean(tag)
    if not 1 <= len(clean) <= TAG_CHARS:
        raise InvalidInput(field, f"a tag has 1 to {TAG_CHARS} characters")
    return clean


def _clean(text: str) -> str:
    printable = "".join(each if each.isprintable() or each.isspace() else "" for each in text)
    return unicodedata.normalize("NFC", " ".join(printable.split()))
