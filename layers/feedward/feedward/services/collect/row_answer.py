"""What came of one row, for whoever asked: the worker, who counts and logs, and the command line, which shows it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from feedward.frontier.decide import Path
from feedward.frontier.row import FrontierRow, RowStatus
from feedward.lineage.item import Edge


class RowDisposition(StrEnum):
    """What became of a row's fetch."""

    APPLIED = "applied"
    LATE = "late"
    """The message was too old: nothing was fetched, and the due index sees to the row."""
    DROPPED = "dropped"
    """The row is not what it was any more (fetched, moved, failed meanwhile): nothing was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowAnswer:
    """One row. `at` is when it ended, in epoch seconds; what follows is there as far as it went.

    - status, path, reason: as they were written; `reason` is what `last_error` says, None for a success
    - http_status: of the page's answer; detail: of a failure, for people
    - requests: how many were sent, redirects and robots.txt included
    - item_id, new_items, conflicts: what the page was collected as
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
