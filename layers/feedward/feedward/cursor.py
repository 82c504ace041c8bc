"""The opaque cursors by which lists are paged (rule G2): where the page before ended, as a text. Pure.

A cursor says which list it is of, so that one of another list is refused and not misread. It grants nothing: whose
list is read is decided by who asks.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from typing import Any, Final

from feedward.errors import InvalidInput

_CHARACTERS_AT_MOST: Final = 2000


def encode_cursor(of: str, *place: str | int) -> str:
    """Return the cursor of the list named `of` that goes on after this place."""
    said = json.dumps([of, *place], separators=(",", ":"))
    return base64.urlsafe_b64encode(said.encode()).decode().rstrip("=")


def decode_cursor(of: str, cursor: str, *, parts: Sequence[type]) -> tuple[str | int, ...]:
    """Return the place that a cursor of the list named `of` tells: as many parts, of these types.

    Raises InvalidInput (`cursor`) for anything that `encode_cursor` did not make for this list.
    """
    said = _said(cursor)
    is_ours = [type(part) for part in said] == [str, *parts] and said[0] == of
    if not is_ours or encode_cursor(of, *said[1:]) != cursor:
        raise InvalidInput("cursor", "this is no cursor that this list gave")
    return tuple(said[1:])


def _said(cursor: str) -> list[Any]:
    """What a text says if it is a cursor, else nothing."""
    if len(cursor) > _CHARACTERS_AT_MOST:
        return []
    try:
        raw = base64.b64decode(cursor.encode() + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        said = json.loads(raw)
    except (binascii.Error, ValueError, RecursionError):
        return []
    return said if isinstance(said, list) else []
