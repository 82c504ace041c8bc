"""What each operation makes of a row (rules R15, F5, F3, F4). Pure.

Every change is a new revision. Since a revision's content follows from the one before and the operation, whoever finds
it stored already knows that the write was made, by themselves or by somebody who did the same.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from feedward.errors import InvalidInput
from feedward.frontier.row import Address, FailedParams, FetchedParams, FrontierRow, RowStatus
from feedward.model import Validators
from feedward.scheduling.lateness import LEAST_AHEAD_S

# Verbatim or not at all: what is longer would take the room of all else in a message of ten rows.
VALIDATOR_CHARS: Final = 1024
RUNS_AT_MOST: Final = 200
"""How many runs can wait for one row: ten rows with all theirs are one message, and what they get is made in time."""


def fetched(row: FrontierRow, params: FetchedParams, at: Address | None = None) -> FrontierRow:
    """The row is fetched: error and attempts are cleared, and it is due no more. `at`: where it is from now on.

    What an item was made of stays known after a 304; a whole answer that was made none is known as none. Where runs
    are left that were not served, the row is pending for them.
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
    """The row failed, and is asked again at `next_fetch_at`; or it is dead."""
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
    """The row is due at `to` (epoch seconds); nothing else is known of it."""
    return replace(row, rev=row.rev + 1, next_fetch_at=to, sent_at=None)


def wanted_again(row: FrontierRow, asked: FrontierRow) -> FrontierRow:
    """The runs of `asked` wait for the row too, and it is due at the latest when `asked` is; the same row if they do.

    Who was done with is pending again, with all attempts before it: a run is a request. Runs that wait already are
    served when the row is due anyway. Raises InvalidInput (`url`) where no more of them can wait.
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
    """The validators that a row has room for."""
    return Validators(etag=_kept(validators.etag), last_modified=_kept(validators.last_modified))


def _kept(value: str | None) -> str | None:
    is_storable = value and len(value) <= VALIDATOR_CHARS and value.isascii() and value.isprintable()
    return value if is_storable else None
