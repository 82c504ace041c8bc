"""Opaque cursors of paged lists (rule G2): the position where the last page ended, as text. Pure.

A cursor names its list, so a cursor of another list is refused instead of misread. It grants no access: the caller's
identity decides which list is read.
"""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Sequence
from typing import Any, Final

from feedward.errors import InvalidInput

_CHARACTERS_AT_MOST: Final = 2000


def own_list(name: str, tenant_id: str | None) -> str:
    """Return the name of a tenant's list, whose cursors no other tenant can use (rule I8)."""
    return name if tenant_id is None else f"{name} of {tenant_id}"


def encode_cursor(of: str, *place: str | int) -> str:
    """Return the cursor of the list named `of` for the page after this position."""
    said = json.dumps([of, *place], separators=(",", ":"))
    return base64.urlsafe_b64encode(said.encode()).decode().rstrip("=")


def decode_cursor(of: str, cursor: str, *, parts: Sequence[type]) -> tuple[str | int, ...]:
    """Return the position in a cursor of the list named `of`, with parts of these types.

    Raises InvalidInput (`cursor`) for any text that `encode_cursor` did not return for this list.
    """
    said = _said(cursor)
    is_ours = [type(part) for part in said] == [str, *parts] and said[0] == of
    if not is_ours or encode_cursor(of, *said[1:]) != cursor:
        raise InvalidInput("cursor", "not a cursor of this list")
    return tuple(said[1:])


def _said(cursor: str) -> list[Any]:
    """Return the decoded list; an empty list if the text is not a cursor."""
    if len(cursor) > _CHARACTERS_AT_MOST:
        return []
    try:
        raw = base64.b64decode(cursor.encode() + b"=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
        said = json.loads(raw)
    except (binascii.Error, ValueError, RecursionError):
        return []
    return said if isinstance(said, list) else []
