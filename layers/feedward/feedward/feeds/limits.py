"""How much of a document is read: limits that no honest feed meets (security X2, X7)."""

from __future__ import annotations

MAX_DEPTH = 100
MAX_ATTRIBUTES = 100
MAX_ELEMENTS = 300_000
MAX_ITEMS = 10_000
MAX_JSON_DEPTH = 50
MAX_HUBS = 10

MAX_TITLE = 1000
MAX_DESCRIPTION = 4000
MAX_URL = 2048
MAX_ID = 2048
MAX_WORD = 100
