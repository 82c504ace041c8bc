"""A row of the frontier: one URL to be fetched, and what became of it (design section 3, FrontierTable). Pure.

Names and shapes are those of the table, of its due index and of a message, so that all three are read alike: a fetch
starts from what it was sent and reads nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

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

    - row_id: a ULID; url: as it landed or was submitted, without fragment; url_hash: of its key (spec C4, F4)
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
      where the connection fails (spec C5)
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
    """What a success writes (frontier-redirects.md section 2): the row is fetched, its error and attempts are cleared.

    `now` and `last_fetched_at` are one. `url`: the spelling that the row takes where its key stays the same (spec F4),
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
