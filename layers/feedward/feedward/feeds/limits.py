"""How much of a document is read: limits that no honest feed meets (rules X2, X7)."""

from __future__ import annotations

MAX_DEPTH = 100
MAX_ATTRIBUTES = 100
MAX_ELEMENTS = 300_000
MAX_ITEMS = 10_000
MAX_JSON_DEPTH = 50
MAX_HUBS = 10
MAX_PROLOG = 300_000
"""Comments, instructions and declarations before the root element."""
MAX_STRAYS = 600_000
"""Signs `<` that start nothing, in a document that is not well-formed."""
MAX_UNUSABLE = 30_000
"""Values that say nothing, such as dates that are none; after so many no more are looked at."""
MAX_VALUE = 1 << 20
"""Characters of a text, markup included, that are looked at for its first MAX_TITLE or MAX_DESCRIPTION."""

MAX_TITLE = 1000
MAX_DESCRIPTION = 4000
MAX_URL = 2048
MAX_ID = 2048
MAX_WORD = 100
