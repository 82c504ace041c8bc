"""Opaque cursors of paged lists (rule G2): the position where the last page ended, as text. Pure.

A cursor names its list, so a cursor of another list is refused instead of misread. It grants no access: the caller's
identity decides which list is read.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Callable, Sequence
from operator import call
from typing import Any, Final

from feedward.errors import InvalidInput

_CHARACTERS_AT_MOST: Final = 2000
ULID: Final = "[0-9A-HJKMNP-TV-Z]{26}"


def require_limit(limit: int, at_most: int) -> None:
    """Raise InvalidInput (`limit`) unless it is a number of entries that a page may have."""
    if not 1 <= limit <= at_most:
        raise InvalidInput("limit", f"expected a number from 1 to {at_most}")


def own_list(name: str, tenant_id: str | None) -> str:
    """Return the name of a tenant's list, whose cursors no other tenant can use (rule I8)."""
    return name if tenant_id is None else f"{name} of {tenant_id}"


def encode_cursor(of: str, *place: str | int) -> str:
    """Return the cursor of the list named `of` for the page after this position."""
    said = json.dumps([of, *place], separators=(",", ":"))
    return base64.urlsafe_b64encode(said.encode()).decode().rstrip("=")


def is_text(part: object) -> bool:
    """Accept any text as a part of a cursor: for parts that become no key of a store."""
    return type(part) is str


def is_ulid(part: object) -> bool:
    """Accept a text that has the form of a ULID: any other text is no id, and may not become a part of a key."""
    return isinstance(part, str) and re.fullmatch(ULID, part) is not None


def is_entry_id(part: object) -> bool:
    """Accept a text that has the form of the id of an audit log entry: its time, `#` and a ULID."""
    return isinstance(part, str) and re.fullmatch(f"[0-9]{{11}}#{ULID}", part) is not None


def is_count(part: object) -> bool:
    """Accept a whole number from 0 to 2^31."""
    return type(part) is int and 0 <= part <= 2**31


def decode_cursor(of: str, cursor: str, *, parts: Sequence[Callable[[object], bool]]) -> tuple[Any, ...]:
    """Return the position in a cursor of the list named `of`. Each of its parts must fulfil its condition.

    Anyone can write a cursor, so its parts are checked like other input. Raises InvalidInput (`cursor`) for any text
    that `encode_cursor` does not return for this list.
    """
    said = _said(cursor)
    is_ours = len(said) == len(parts) + 1 and said[0] == of and all(map(call, parts, said[1:]))
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
