"""The row after each operation (rules R15, F5, F3, F4). Pure.

Every change is a new revision. A revision follows from the previous one and the operation, so a writer that finds its
revision stored already knows that the write was made, by itself or by a writer with the same operation.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from feedward.errors import InvalidInput
from feedward.frontier.row import Address, FailedParams, FetchedParams, FrontierRow, RowStatus
from feedward.model import Validators
from feedward.scheduling.lateness import LEAST_AHEAD_S

# Stored verbatim or not at all: a longer value would not fit into a message of ten rows.
VALIDATOR_CHARS: Final = 1024
RUNS_AT_MOST: Final = 200
"""The number of runs that can wait for one row: ten rows with their runs fit into one message and its time."""


def fetched(row: FrontierRow, params: FetchedParams, at: Address | None = None) -> FrontierRow:
    """Return the row after a success: error and attempts are cleared; it is no longer due. `at` is its new address.

    After a 304 the row keeps its item; a complete response without an item clears it. If runs remain that were not
    served, the row is pending for them.
    """
    runs = row.runs - params.runs
    place = at or Address(url=row.url, url_hash=row.url_hash, host=row.host)
    known = row if params.validators is None and params.content_version is None else params
    return replace(
        row,
        url=place.url,
        url_hash=place.url_hash,
        host=place.host,
        status=RowStatus.PENDING if runs else RowStatus.FETCHED,
        rev=row.rev + 1,
        attempts=0,
        last_error=None,
        http_status=params.http_status,
        validators=row.validators if params.validators is None else storable(params.validators),
        final_url=params.final_url,
        next_fetch_at=params.now + LEAST_AHEAD_S if runs else None,
        last_fetched_at=params.now,
        runs=runs,
        content_version=known.content_version,
        item_id=known.item_id,
        scheme_open=False,
        sent_at=None,
    )


def failed(row: FrontierRow, params: FailedParams) -> FrontierRow:
    """Return the row after a failure: it is fetched again at `next_fetch_at`, or it is dead."""
    return replace(
        row,
        status=params.status,
        rev=row.rev + 1,
        attempts=params.attempts,
        last_error=params.reason,
        http_status=params.http_status,
        next_fetch_at=params.next_fetch_at,
        runs=row.runs - params.ended_runs,
        sent_at=None,
    )


def postponed(row: FrontierRow, to: int) -> FrontierRow:
    """Return the row, rescheduled to `to` (epoch seconds). Nothing else changes."""
    return replace(row, rev=row.rev + 1, next_fetch_at=to, sent_at=None)


def wanted_again(row: FrontierRow, asked: FrontierRow) -> FrontierRow:
    """Return the row with the runs of `asked` added, due no later than `asked`; the same row if nothing changes.

    A row that was fetched or dead is pending again, with all its attempts: a run is a new request. Runs that wait
    already are served when the row is due. Raises InvalidInput (`url`) if too many runs wait.
    """
    if asked.runs <= row.runs and (row.next_fetch_at is not None or not asked.runs):
        return row
    if len(row.runs | asked.runs) > RUNS_AT_MOST:
        raise InvalidInput(
            "url", f"{len(row.runs)} runs wait for this URL already: submit it again when they are served"
        )
    is_over = row.next_fetch_at is None
    times = [at for at in (row.next_fetch_at, asked.next_fetch_at) if at is not None]
    return replace(
        row,
        status=RowStatus.PENDING if is_over else row.status,
        attempts=0 if is_over else row.attempts,
        rev=row.rev + 1,
        runs=row.runs | asked.runs,
        next_fetch_at=min(times, default=None),
        sent_at=None,
    )


def storable(validators: Validators) -> Validators:
    """Return the validators that fit into a row; the others are dropped."""
    return Validators(etag=_kept(validators.etag), last_modified=_kept(validators.last_modified))


def _kept(value: str | None) -> str | None:
    is_storable = value and len(value) <= VALIDATOR_CHARS and value.isascii() and value.isprintable()
    return value if is_storable else None
