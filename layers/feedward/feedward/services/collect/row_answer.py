"""The result of one row, as the worker counts and logs it and the command line shows it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from feedward.frontier.decide import Path
from feedward.frontier.row import FrontierRow, RowStatus
from feedward.lineage.item import Edge


class RowDisposition(StrEnum):
    """The disposition of a row's fetch."""

    APPLIED = "applied"
    LATE = "late"
    """The message was too old: nothing was fetched. The due index still has the row."""
    DROPPED = "dropped"
    """The row was changed meanwhile (fetched, moved, failed): nothing was written."""
    FOREIGN = "foreign"
    """The message names another tenant than the row, or a deleted one: nothing was fetched (rule TN5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowAnswer:
    """The result of one row. `at` is its end, in epoch seconds; the other fields are set as far as the fetch got.

    - status, path, reason: as written; `reason` is the row's `last_error`, None for a success
    - http_status: of the page's answer; detail: of a failure, for people
    - requests: requests sent, including redirects and robots.txt
    - item_id, new_items, conflicts: the result of collecting the page
    """

    row_id: str
    url: str
    host: str
    at: int
    disposition: RowDisposition
    status: RowStatus | None = None
    path: Path | None = None
    reason: str | None = None
    http_status: int | None = None
    detail: str = ""
    requests: int = 0
    item_id: str | None = None
    new_items: int = 0
    conflicts: tuple[Edge, ...] = ()


def unfetched(row: FrontierRow, disposition: RowDisposition, now: int, *, requests: int = 0) -> RowAnswer:
    """Return the answer for a row whose page was not fetched."""
    return RowAnswer(row_id=row.row_id, url=row.url, host=row.host, at=now, disposition=disposition, requests=requests)
