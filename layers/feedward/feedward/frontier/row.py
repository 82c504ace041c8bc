"""A row of the frontier: one URL to be fetched, and what became of it (rule R15). Pure.

Names and shapes are those of the table, of its due index and of a message, so that all three are read alike: a fetch
starts from what it was sent and reads nothing.
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
    """`url` without fragment; `url_hash` of its key, in the scope of its owner; `host` without a last dot."""

    url: str
    url_hash: str
    host: str


def address_of(
    url: str, *, owner: str | None = None, field: str = "url", policy: UrlPolicy = DEFAULT_POLICY
) -> Address:
    """Return where a row of this URL is, as it landed or was resolved. `owner`: the tenant of a private URL.

    Raises InvalidInput, which names `field`, for what the guarded fetch would not fetch under this policy.
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
    """What became of a row: not asked yet, fetched, failed and to be asked again, or given up."""

    PENDING = "pending"
    FETCHED = "fetched"
    FAILED = "failed"
    DEAD = "dead"


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierRow:
    """One row. Times are epoch seconds.

    - row_id: a ULID; url: as it landed or was submitted, without fragment; url_hash: of its key (rules C4, F4)
    - rev: which writing of the row this is; every writer adds one
    - attempts: failures in a row that used one up; last_error: the name of the last failure's outcome, None after
      a success; http_status: of the last answer
    - validators: verbatim, of the last whole answer; final_url: where the last fetch landed, where the row did not
      move there
    - next_fetch_at: when it is due; None for a row that is fetched or dead, which is in no due index
    - owner: the tenant of a private URL, None for a shared one
    - runs: ids of the runs that wait for this row; empty where nobody does
    - content_version: the normalization version under which the last answer was made an item, and `item_id` that item;
      validators are only sent while the same version is wanted
    - scheme_open: https was taken for a missing or a feed-like scheme, and nothing answered yet: http is tried as well
      where the connection fails (rule C5)
    - sent_at: when its message could be read first, None if it came by no message
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
        """Names the row among what is due."""
        return self.row_id


@dataclass(frozen=True, slots=True, kw_only=True)
class Submitted:
    """Answer of a submission: the row that has the URL, and whether this call made it."""

    row: FrontierRow
    created: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedParams:
    """What a success writes (rule F5): the row is fetched, its error and attempts are cleared.

    `now` and `last_fetched_at` are one. `url`: the spelling that the row takes where its key stays the same (rule F4),
    else None. `final_url`: where the fetch landed, where the row is not moved there. `validators` None: they stay as
    they are (304). `runs` are those that were served: they are taken off the row.
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
    """What a failure writes: `status` failed or dead, `reason` for `last_error`, and when to ask again (None if dead).

    `ended_runs` are the runs for which the row has ended: all that wait for a dead one. They are taken off the row and
    each counts one more `dead`, in the same transaction; the others go on waiting.
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
    """Read the attributes of a row; what else there is is let be. Raises InvalidInput, which names the attribute."""
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
