"""What becomes of a row after a fetch: which update of the store, and with what (rules F1, F3, F4). Pure.

A success leaves the row where it is, or moves it to where the redirects led;
rows compare by key. A failure keeps the URL as it is, and its reason in `last_error`.
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
"""The host's robots.txt forbids the page: no outcome of a fetch, for there was none."""

SUCCESSES: Final = frozenset({Outcome.OK, Outcome.NOT_MODIFIED})
DEAD_AT_ONCE: Final = frozenset({Outcome.NOT_FOUND.value, Outcome.GONE.value, ROBOTS_DISALLOWED})
# The server says when to come again, not that anything is wrong with the page.
USES_NO_ATTEMPT: Final = frozenset({Outcome.RATE_LIMITED.value})

REASONS: Final = frozenset({outcome.value for outcome in Outcome if outcome not in SUCCESSES} | {ROBOTS_DISALLOWED})
"""All that `last_error` can hold: what the list of rows can be asked for."""


class Path(StrEnum):
    """The update of the store that ends a fetch, by its name there."""

    UPDATE_FETCHED = "update_fetched"
    UPDATE_FETCHED_WITH_FINAL_URL = "update_fetched_with_final_url"
    UPDATE_FAILED = "update_failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A success; the row moves to `final_url`, or stays where it is if that is None."""

    params: FetchedParams
    final_url: str | None = None

    @property
    def path(self) -> Path:
        """The store's update that this asks for."""
        return Path.UPDATE_FETCHED if self.final_url is None else Path.UPDATE_FETCHED_WITH_FINAL_URL


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A failure, to be asked for again or not."""

    params: FailedParams

    @property
    def path(self) -> Path:
        """The store's update that this asks for."""
        return Path.UPDATE_FAILED


Decision = Fetched | Failed


def decide(row: FrontierRow, fetch: FetchResult, settings: FrontierSettings, now: int) -> Decision:
    """Decide what the fetch makes of the row. The runs that are served, and their item, are for the caller to add."""
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
    """Decide a failure for this reason, which is the name of an outcome or `robots_disallowed` (frontier/decide.py).

    A row that was given up and is asked for anew has all its attempts again.
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
    """Tell whether a row that everybody sees would show a URL that gives access to whoever has it (rule T1)."""
    return row.owner is None and has_token(landed) and not has_token(row.url)


def _fetched(row: FrontierRow, fetch: FetchResult, settings: FrontierSettings, now: int) -> Fetched:
    """Raises InvalidInput for a landing URL that has no key."""
    params = FetchedParams(
        now=now,
        http_status=fetch.status,
        # A 304 has none of its own: those that it answered to stay.
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
    """The row takes scheme and path of where it landed and keeps its own query.

    https never goes back (rule F4), unless nobody ever said https (rule C5).
    """
    url = landed.partition("?")[0] + "".join(row.url.partition("#")[0].partition("?")[1:])
    if row.url.startswith("https:") and url.startswith("http:") and not row.scheme_open:
        url = "https" + url.removeprefix("http")
    return params if url == row.url else replace(params, url=url)


def _permanent_end(fetch: FetchResult) -> str:
    """Where the leading run of 301 and 308 led; the URL that was asked first if there is none."""
    run = len(list(takewhile(lambda hop: hop.permanent, fetch.hops)))
    return [*(hop.url for hop in fetch.hops), fetch.url][run]
