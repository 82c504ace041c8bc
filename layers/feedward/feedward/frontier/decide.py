"""Decides the update of a row after a fetch (rules F1, F3, F4). Pure.

A success keeps the row's URL or moves the row to the redirect target; rows are compared by key. A failure keeps the URL
and stores its reason in `last_error`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import takewhile
from typing import Final

from feedward.errors import InvalidInput
from feedward.frontier.row import FailedParams, FetchedParams, FrontierRow, RowStatus
from feedward.frontier.settings import FrontierSettings, MoveOn
from feedward.model import FetchResult, Outcome
from feedward.scheduling.backoff import retry_at
from feedward.urls.key import key
from feedward.urls.secrets import has_token

ROBOTS_DISALLOWED: Final = "robots_disallowed"
"""The host's robots.txt forbids the page. This is not an outcome, since nothing was fetched."""

SUCCESSES: Final = frozenset({Outcome.OK, Outcome.NOT_MODIFIED})
DEAD_AT_ONCE: Final = frozenset({Outcome.NOT_FOUND.value, Outcome.GONE.value, ROBOTS_DISALLOWED})
# The server asks for a later request; nothing is wrong with the page.
USES_NO_ATTEMPT: Final = frozenset({Outcome.RATE_LIMITED.value})

REASONS: Final = frozenset({outcome.value for outcome in Outcome if outcome not in SUCCESSES} | {ROBOTS_DISALLOWED})
"""The values of `last_error`, which are also the filter values of the list of rows."""


class Path(StrEnum):
    """The store's update that ends a fetch, by name."""

    UPDATE_FETCHED = "update_fetched"
    UPDATE_FETCHED_WITH_FINAL_URL = "update_fetched_with_final_url"
    UPDATE_FAILED = "update_failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A success. The row moves to `final_url`, or keeps its URL if that is None."""

    params: FetchedParams
    final_url: str | None = None

    @property
    def path(self) -> Path:
        """The store's update for this decision."""
        return Path.UPDATE_FETCHED if self.final_url is None else Path.UPDATE_FETCHED_WITH_FINAL_URL


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A failure, with or without a retry."""

    params: FailedParams

    @property
    def path(self) -> Path:
        """The store's update for this decision."""
        return Path.UPDATE_FAILED


Decision = Fetched | Failed


def decide(row: FrontierRow, fetch: FetchResult, settings: FrontierSettings, now: int) -> Decision:
    """Decide the update of the row after the fetch. The caller adds the runs that are served, and their item."""
    if fetch.outcome not in SUCCESSES:
        return failed(
            row,
            fetch.outcome.value,
            settings,
            now,
            http_status=fetch.status,
            retry_after_s=fetch.retry_after_s,
        )
    try:
        return _fetched(row, fetch, settings, now)
    except InvalidInput:
        return failed(row, Outcome.BAD_REDIRECT.value, settings, now, http_status=fetch.status)


def failed(
    row: FrontierRow,
    reason: str,
    settings: FrontierSettings,
    now: int,
    *,
    http_status: int | None = None,
    retry_after_s: int | None = None,
) -> Failed:
    """Decide the update after a failure. `reason` is the name of an outcome or `robots_disallowed`.

    A dead row that is requested again has all its attempts again.
    """
    before = 0 if row.status is RowStatus.DEAD else row.attempts
    attempts = before if reason in USES_NO_ATTEMPT else before + 1
    is_dead = reason in DEAD_AT_ONCE or (attempts > before and attempts >= settings.max_attempts)
    return Failed(
        params=FailedParams(
            now=now,
            status=RowStatus.DEAD if is_dead else RowStatus.FAILED,
            reason=reason,
            attempts=attempts,
            http_status=http_status,
            next_fetch_at=None if is_dead else retry_at(row.row_id, attempts, now, retry_after_s=retry_after_s),
            ended_runs=row.runs if is_dead else frozenset(),
        )
    )


def is_secret_to(row: FrontierRow, landed: str) -> bool:
    """Return whether a shared row would expose a redirect target that contains an access token (rule T1)."""
    return row.owner is None and has_token(landed) and not has_token(row.url)


def _fetched(row: FrontierRow, fetch: FetchResult, settings: FrontierSettings, now: int) -> Fetched:
    """Raises InvalidInput for a landing URL that has no key."""
    params = FetchedParams(
        now=now,
        http_status=fetch.status,
        # A 304 has no validators of its own, so the stored ones remain.
        validators=None if fetch.outcome is Outcome.NOT_MODIFIED else fetch.validators,
    )
    landed, own_key = fetch.url, key(row.url)
    if key(landed) == own_key:
        return Fetched(params=_spelled(params, row, landed))
    if is_secret_to(row, landed):
        return Fetched(params=params)
    target = landed if settings.move_on is MoveOn.ANY else _permanent_end(fetch)
    if target != landed:
        params = replace(params, final_url=landed)
    if is_secret_to(row, target):
        return Fetched(params=params)
    if key(target) == own_key:
        return Fetched(params=_spelled(params, row, target))
    return Fetched(params=params, final_url=target)


def _spelled(params: FetchedParams, row: FrontierRow, landed: str) -> FetchedParams:
    """Give the row the scheme and path of the landing URL, with its own query.

    https is never replaced by http (rule F4), unless https was only assumed (rule C5).
    """
    url = landed.partition("?")[0] + "".join(row.url.partition("#")[0].partition("?")[1:])
    if row.url.startswith("https:") and url.startswith("http:") and not row.scheme_open:
        url = "https" + url.removeprefix("http")
    return params if url == row.url else replace(params, url=url)


def _permanent_end(fetch: FetchResult) -> str:
    """Return the target of the leading redirects with 301 or 308; the requested URL if there are none."""
    run = len(list(takewhile(lambda hop: hop.permanent, fetch.hops)))
    return [*(hop.url for hop in fetch.hops), fetch.url][run]
