"""A row of the frontier: one URL to fetch, and its state (rule R15). Pure.

The table, its due index and messages use the same names and shapes, so one function reads all three. A fetch starts
from its message and reads nothing more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from feedward.errors import InvalidInput
from feedward.model import Validators
from feedward.urls.key import url_hash
from feedward.urls.safety import DEFAULT_POLICY, Refusal, UrlPolicy, admit_url, request_url


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """`url` has no fragment; `url_hash` is the hash of its key in its owner's scope; `host` has no trailing dot."""

    url: str
    url_hash: str
    host: str


def address_of(
    url: str, *, owner: str | None = None, field: str = "url", policy: UrlPolicy = DEFAULT_POLICY
) -> Address:
    """Return the address of a row with this URL. `owner` is the tenant of a private URL.

    Raises InvalidInput, which names `field`, for a URL that the guarded fetch would refuse under this policy.
    """
    admitted = admit_url(url, policy)
    if isinstance(admitted, Refusal):
        raise InvalidInput(field, admitted.detail)
    written = request_url(admitted)
    try:
        return Address(url=written, url_hash=url_hash(written, owner or ""), host=admitted.hostname.removesuffix("."))
    except InvalidInput as error:
        raise InvalidInput(field, error.message) from error


class RowStatus(StrEnum):
    """The state of a row: not fetched yet, fetched, failed with a retry to come, or given up."""

    PENDING = "pending"
    FETCHED = "fetched"
    FAILED = "failed"
    DEAD = "dead"


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierRow:
    """One row. Times are epoch seconds.

    - row_id: a ULID; url: as submitted or redirected, without fragment; url_hash: the hash of its key (rules C4, F4)
    - rev: the revision of the row; every write increments it
    - attempts: consecutive failures that count as attempts; last_error: the name of the last failure's outcome, None
      after a success; http_status: the status of the last response
    - validators: those of the last complete response, verbatim; final_url: the landing URL of the last fetch, if the
      row did not move there
    - next_fetch_at: when it is due; None for a fetched or dead row, which is not in the due index
    - owner: the tenant of a private URL, None for a shared one
    - runs: ids of the runs that wait for this row
    - content_version: the normalization version of the item made of the last response; item_id: that item. Validators
      are sent only if the waiting runs need the same version
    - scheme_open: https was assumed for a missing or feed-like scheme, and no server has answered yet: http is tried
      too if the connection fails (rule C5)
    - sent_at: when its message became visible, None if it did not come in a message
    """

    row_id: str
    url: str
    url_hash: str
    host: str
    status: RowStatus = RowStatus.PENDING
    rev: int = 1
    attempts: int = 0
    last_error: str | None = None
    http_status: int | None = None
    validators: Validators = field(default_factory=Validators)
    final_url: str | None = None
    next_fetch_at: int | None = None
    last_fetched_at: int | None = None
    created_at: int = 0
    owner: str | None = None
    runs: frozenset[str] = frozenset()
    content_version: str | None = None
    item_id: str | None = None
    scheme_open: bool = False
    sent_at: int | None = None

    @property
    def entry_id(self) -> str:
        """The id of this entry in a batch."""
        return self.row_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """The result of a submission: the row with the URL, and whether this call created it."""

    row: FrontierRow
    created: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedParams:
    """The values that a success writes (rule F5): the row is fetched, its error and attempts are cleared.

    `now` becomes `last_fetched_at`. `url` is a new spelling with the same key (rule F4), or None. `final_url` is the
    landing URL if the row does not move there. `validators` None keeps the stored ones (304). `runs` are the runs that
    were served; they are removed from the row.
    """

    now: int
    http_status: int | None
    validators: Validators | None = None
    url: str | None = None
    final_url: str | None = None
    runs: frozenset[str] = frozenset()
    content_version: str | None = None
    item_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedParams:
    """The values that a failure writes: `status` failed or dead, `reason` for `last_error`, and the time of the retry.

    `next_fetch_at` is None for a dead row. `ended_runs` are the runs that stop waiting: all of a dead row's. They are
    removed from the row, and each counts one more `dead` in the same transaction. Other runs keep waiting.
    """

    now: int
    status: RowStatus
    reason: str
    attempts: int
    http_status: int | None = None
    next_fetch_at: int | None = None
    ended_runs: frozenset[str] = frozenset()


_TEXTS: Final = ("last_error", "final_url", "owner", "content_version", "item_id")
_NUMBERS: Final = ("http_status", "next_fetch_at", "last_fetched_at", "sent_at")
_NEEDED_TEXTS: Final = ("row_id", "url", "url_hash", "host")


def stored_row(row: FrontierRow) -> dict[str, Any]:
    """Return the row's attributes; `runs` is a sorted list."""
    plain: dict[str, Any] = {name: getattr(row, name) for name in (*_NEEDED_TEXTS, *_TEXTS, *_NUMBERS)}
    plain |= {"status": row.status.value, "rev": row.rev, "created_at": row.created_at}
    plain |= {"attempts": row.attempts or None, "runs": sorted(row.runs) or None}
    plain |= {"scheme_open": row.scheme_open or None}
    plain |= {"etag": row.validators.etag, "last_modified": row.validators.last_modified}
    return {name: value for name, value in plain.items() if value is not None}


def read_row(stored: Mapping[str, Any]) -> FrontierRow:
    """Read the attributes of a row. Others are ignored. Raises InvalidInput, which names the attribute."""
    members: dict[str, Any] = {name: _needed(_text(stored, name), name) for name in _NEEDED_TEXTS}
    members |= {name: _text(stored, name) for name in _TEXTS}
    members |= {name: _number(stored, name) for name in _NUMBERS}
    return FrontierRow(
        **members,
        status=_status(stored.get("status")),
        rev=_needed(_number(stored, "rev"), "rev"),
        attempts=_number(stored, "attempts") or 0,
        created_at=_number(stored, "created_at") or 0,
        runs=_runs(stored.get("runs")),
        scheme_open=stored.get("scheme_open") is True,
        validators=Validators(etag=_text(stored, "etag"), last_modified=_text(stored, "last_modified")),
    )


def _status(value: object) -> RowStatus:
    if not isinstance(value, str) or value not in tuple(RowStatus):
        raise InvalidInput("status", f"expected one of {', '.join(RowStatus)}")
    return RowStatus(value)


def _runs(value: object) -> frozenset[str]:
    if value is None:
        return frozenset()
    if not isinstance(value, (list, set, frozenset, tuple)) or not all(isinstance(each, str) for each in value):
        raise InvalidInput("runs", "expected a list of texts")
    return frozenset(value)


def _text(stored: Mapping[str, Any], name: str) -> str | None:
    value = stored.get(name)
    if value is not None and not (isinstance(value, str) and value):
        raise InvalidInput(name, "expected a text")
    return value


def _number(stored: Mapping[str, Any], name: str) -> int | None:
    value = stored.get(name)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise InvalidInput(name, "expected a whole number")
    return value


def _needed(value: Any, name: str) -> Any:
    if value is None:
        raise InvalidInput(name, "is missing")
    return value
