"""Limits for reading a document, beyond the size of any legitimate feed (rules X2, X7)."""

from __future__ import annotations

MAX_DEPTH = 100
MAX_ATTRIBUTES = 100
MAX_ELEMENTS = 300_000
MAX_ITEMS = 10_000
MAX_JSON_DEPTH = 50
MAX_HUBS = 10
MAX_CATEGORIES = 10
MAX_PROLOG = 300_000
"""Comments, instructions and declarations before the root element."""
MAX_STRAYS = 600_000
"""Characters `<` that start no markup, in a document that is not well-formed."""
MAX_UNUSABLE = 30_000
"""Invalid values, such as text that is not a date; after this number no further values are parsed."""
MAX_VALUE = 1 << 20
"""Characters of a text, markup included, that are read for its first MAX_TITLE or MAX_DESCRIPTION characters."""

MAX_TITLE = 1000
MAX_DESCRIPTION = 4000
MAX_URL = 2048
MAX_ID = 2048
MAX_WORD = 100
