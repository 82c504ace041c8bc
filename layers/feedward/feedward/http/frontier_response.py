"""Rows of the frontier as JSON (design section 7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from feedward.errors import InvalidInput
from feedward.frontier.row import FrontierRow, Submitted
from feedward.http.api import Reply


class Page(Protocol):
    """A page of rows."""

    @property
    def rows(self) -> Sequence[FrontierRow]: ...
    @property
    def cursor(self) -> str | None: ...


def encode_row(row: FrontierRow) -> dict[str, Any]:
    """One row; its times are epoch seconds, `final_url` is where its last fetch landed if it did not move there."""
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
    """What became of each URL, in order: its row, and whether that is new; or why it cannot be one. 202."""
    return Reply(document={"results": list(map(_entry, entries))}, status=202)


def encode_rows(page: Page) -> dict[str, Any]:
    """A page of rows, and the cursor of the next one."""
    return {"rows": [encode_row(row) for row in page.rows], "cursor": page.cursor}


def _entry(entry: Submitted | InvalidInput) -> dict[str, Any]:
    if isinstance(entry, InvalidInput):
        return {"row": None, "created": False, "error": {"field": entry.field, "detail": entry.message}}
    return {"row": encode_row(entry.row), "created": entry.created, "error": None}
