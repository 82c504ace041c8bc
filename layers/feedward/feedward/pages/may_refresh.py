"""A cheap test whether a page may have a refresh; pages/refresh.py then reads it (rule L4)."""

from __future__ import annotations

import re
from collections.abc import Mapping

MAX_BYTES = 256 * 1024
_META = re.compile(rb"""http-equiv\s*+=\s*+["']?\s*+refresh""")


def may_refresh(headers: Mapping[str, str], body: bytes) -> bool:
    """Return whether the page may have a refresh. This costs little; most pages have none."""
    if len(body) > MAX_BYTES:
        return False
    is_utf16 = body[:2] in (b"\xff\xfe", b"\xfe\xff")
    return is_utf16 or "refresh" in headers or _META.search(body.lower()) is not None
