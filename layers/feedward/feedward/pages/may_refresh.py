"""A cheap test whether a page may only redirect; pages/refresh.py then reads it (rule L4)."""

from __future__ import annotations

import re
from collections.abc import Mapping

MAX_BYTES = 256 * 1024
MAX_STUB = 4000
_META = re.compile(rb"""http-equiv\s*+=\s*+["']?\s*+refresh""")


def may_refresh(headers: Mapping[str, str], body: bytes) -> bool:
    """Return whether the page may have a refresh, or only a script. This costs little; most pages have none."""
    if len(body) > MAX_BYTES:
        return False
    if len(body) <= MAX_STUB and b"location" in body:
        return True
    return body.startswith((b"\xff\xfe", b"\xfe\xff")) or "refresh" in headers or _META.search(body.lower()) is not None
