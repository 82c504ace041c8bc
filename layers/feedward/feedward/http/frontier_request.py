"""What is asked of the frontier: URLs to submit, the id of a row, rows by their error or URL (design section 7)."""

from __future__ import annotations

import re
from typing import Any, Final

from feedward.errors import InvalidInput, NotFound
from feedward.http.body import json_object
from feedward.http.event import Event, path_parameter
from feedward.http.fields import array, known_fields
from feedward.http.query import cursor, query_values, whole_number

ROW_ID: Final = re.compile(r"[0-9A-HJKMNP-TV-Z]{26}")
URLS_AT_MOST: Final = 500
ROWS_AT_MOST: Final = 100
# 500 URLs of 2,048 characters, also where JSON escapes many of them.
BODY_BYTES_AT_MOST: Final = 4 << 20
URL_CHARACTERS_AT_MOST: Final = 2048


def decode_submission(event: Event) -> dict[str, Any]:
    """The `urls`, whatever they are: each is judged alone. Raises InvalidInput (`urls`), and as `json_object` does."""
    body = json_object(event, bytes_at_most=BODY_BYTES_AT_MOST)
    known_fields(body, ("urls",))
    return {"urls": array(body.get("urls"), "urls", at_least=1, at_most=URLS_AT_MOST)}


def decode_id(event: Event) -> dict[str, Any]:
    """The row's id in the path. Raises NotFound for what cannot be one."""
    given = path_parameter(event, "id")
    if not ROW_ID.fullmatch(given):
        raise NotFound("there is no frontier row with this id")
    return {"row_id": given}


def decode_list(event: Event) -> dict[str, Any]:
    """`last_error` or `url`, `cursor` and `limit`. Raises InvalidInput, which names the parameter."""
    return query_values(event, LIST_PARAMETERS)


def _given(value: str, name: str) -> str:
    if not 0 < len(value) <= URL_CHARACTERS_AT_MOST:
        raise InvalidInput(name, f"expected 1 to {URL_CHARACTERS_AT_MOST} characters")
    return value


LIST_PARAMETERS: Final = {
    "last_error": _given,
    "url": _given,
    "cursor": cursor,
    "limit": whole_number(1, ROWS_AT_MOST),
}
