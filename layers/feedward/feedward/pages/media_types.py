"""Hints from the type of a link about its target (rules D2, D5)."""

from __future__ import annotations

import re
from enum import Enum

_FEED_TYPES = """
    application/rss+xml application/atom+xml application/rdf+xml application/feed+json
    application/json+feed application/rss application/atom application/rdf application/x-rss application/x-atom
    application/x-rss+xml application/x.rss+xml application/x-atom+xml application/x.atom+xml application/x-rdf+xml
    application/rss-xml application/atom-xml application/rdf-xml application/xml+rss application/xml+atom
    text/rss+xml text/atom+xml text/rdf+xml text/rss text/atom text/rdf text/x-rss text/feed+json
"""
# A misspelt type that names a format as a word: `rss`, `application/rss xml`, `rss/xml`.
_MISSPELT = re.compile(r"(?<![a-z])(?:rss2?|atom|rdf|feed)(?![a-z])")
_GENERIC_TYPES = "application/json text/json application/xml text/xml application/x-xml text/x-xml xml"


class TypeHint(Enum):
    """`FEED` names a feed format, `GENERIC` a format that feeds use, `OTHER` any other."""

    NONE = "none"
    FEED = "feed"
    GENERIC = "generic"
    OTHER = "other"


_HINTS = {
    "": TypeHint.NONE,
    **dict.fromkeys(_FEED_TYPES.split(), TypeHint.FEED),
    **dict.fromkeys(_GENERIC_TYPES.split(), TypeHint.GENERIC),
}


def bare_type(text: str) -> str:
    """`text` as a media type: lower case, without parameters and blanks."""
    return text[:200].partition(";")[0].strip().lower()


def type_hint(text: str | None) -> TypeHint:
    """The hint of a type's name; its parameters are for `is_entry_type`."""
    if not text:
        return TypeHint.NONE
    bare = bare_type(text)
    known = _HINTS.get(bare)
    return known or (TypeHint.FEED if _MISSPELT.search(bare) else TypeHint.OTHER)


def is_entry_type(text: str) -> bool:
    """True for `application/atom+xml;type=entry` in any spelling (RFC 5023, section 12.1)."""
    parameters = text[:200].lower().split(";")[1:]
    return any(
        name.strip() == "type" and value.strip().strip("\"'").strip() == "entry"
        for name, _, value in (parameter.partition("=") for parameter in parameters)
    )
