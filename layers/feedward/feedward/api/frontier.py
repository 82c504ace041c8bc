"""The frontier as JSON: submissions of URLs, and rows in requests and responses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

from feedward.api.event import Event, cursor, query_values, whole_number
from feedward.api.fields import URL_CHARACTERS_AT_MOST, array, json_object, known_fields
from feedward.api.path_ids import path_id
from feedward.api.route import Reply
from feedward.errors import InvalidInput
from feedward.frontier.row import FrontierRow, Submitted
from feedward.urls.secrets import mask_tokens

URLS_AT_MOST: Final = 500
ROWS_AT_MOST: Final = 100
# 500 URLs of 2,048 characters, with room for JSON escapes.
BODY_BYTES_AT_MOST: Final = 4 << 20


def decode_submission(event: Event) -> dict[str, Any]:
    """Return the `urls` unchecked: the service validates each one. Raises InvalidInput (`urls`) or as `json_object`."""
    body = json_object(event, bytes_at_most=BODY_BYTES_AT_MOST)
    known_fields(body, ("urls",))
    return {"urls": array(body.get("urls"), "urls", at_least=1, at_most=URLS_AT_MOST)}


def decode_id(event: Event) -> dict[str, Any]:
    """Return the row's id in the path. Raises NotFound for an invalid id."""
    return {"row_id": path_id(event, "frontier row")}


def decode_list(event: Event) -> dict[str, Any]:
    """Return `last_error` or `url`, `cursor` and `limit`. Raises InvalidInput, which names the parameter."""
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


class Page(Protocol):
    """A page of rows."""

    @property
    def rows(self) -> Sequence[FrontierRow]: ...
    @property
    def cursor(self) -> str | None: ...


def encode_row(row: FrontierRow) -> dict[str, Any]:
    """Return a row. Times are epoch seconds. `final_url` is set if the last fetch ended there without a move."""
    return {
        "id": row.row_id,
        "url": row.url,
        "host": row.host,
        "status": row.status.value,
        "attempts": row.attempts,
        "last_error": row.last_error,
        "http_status": row.http_status,
        "final_url": row.final_url,
        "etag": row.validators.etag,
        "last_modified": row.validators.last_modified,
        "next_fetch_at": row.next_fetch_at,
        "last_fetched_at": row.last_fetched_at,
        "created_at": row.created_at,
        "item_id": row.item_id,
        "runs": sorted(row.runs),
    }


def encode_submission(entries: Sequence[Submitted | InvalidInput]) -> Reply:
    """Return 202 with an entry per URL, in order: its row and whether the row is new, or the reason for a refusal."""
    return Reply(document={"results": list(map(_entry, entries))}, status=202)


def encode_rows(page: Page) -> dict[str, Any]:
    """Return a page of rows, their tokens masked (rule T4), and the cursor of the next page."""
    return {"rows": [_listed(row) for row in page.rows], "cursor": page.cursor}


def _listed(row: FrontierRow) -> dict[str, Any]:
    final_url = row.final_url and mask_tokens(row.final_url)
    return {**encode_row(row), "url": mask_tokens(row.url), "final_url": final_url}


def _entry(entry: Submitted | InvalidInput) -> dict[str, Any]:
    if isinstance(entry, InvalidInput):
        return {"row": None, "created": False, "error": {"field": entry.field, "detail": entry.message}}
    return {"row": encode_row(entry.row), "created": entry.created, "error": None}
