"""Limits of an imported file (rule IM2). Parts beyond them are counted, not read."""

from __future__ import annotations

from typing import Final

FILE_BYTES: Final = 10 * 1024 * 1024
ENTRIES: Final = 20_000
DEPTH: Final = 100
TAG_CHARS: Final = 64 * 1024
ATTRIBUTES: Final = 100
URL_CHARS: Final = 2048
TITLE_CHARS: Final = 500
DESCRIPTION_CHARS: Final = 1000
LINES: Final = 500_000
LINE_CHARS: Final = 16 * 1024
