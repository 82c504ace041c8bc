"""The result of a canonicalization: the URL, its reason, and everything that was tried (rules C9, C10)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from feedward.model import Feed, FetchResult, Known, Outcome


class Reason(StrEnum):
    """Why this URL was chosen, or why there is none (rule C9)."""

    RESPONSE_URL = "response_url"
    REDIRECT_VERIFIED = "redirect_verified"
    CONTENT_VERIFIED = "content_verified"
    SIGNATURE_VERIFIED = "signature_verified"
    UPGRADE_HTTPS = "upgrade_https"
    EXISTS_IN_DB = "exists_in_db"
    FALLBACK = "fallback"
    UNSAFE_URL = "unsafe_url"
    BAD_URL = "bad_url"
    ERROR = "error"


class Source(StrEnum):
    """The URL that the result derives from."""

    INPUT = "input"
    RESPONSE = "response"
    SELF = "self"


class CandidateState(StrEnum):
    """The state of a candidate URL."""

    VERIFIED = "verified"
    REDIRECTED = "redirected"
    DIFFERENT = "different"
    FAILED = "failed"
    REFUSED = "refused"
    UNTESTED = "untested"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A candidate URL. `score` is its cleanliness, `preset` the preset that made it, or None."""

    url: str
    score: float
    source: Source
    state: CandidateState
    preset: str | None = None


class Step(StrEnum):
    """The steps of the algorithm (rule C7), in order."""

    REPAIR = "repair"
    CHECK_BEFORE_FETCH = "check_before_fetch"
    FIRST_FETCH = "first_fetch"
    CHECK_AFTER_FETCH = "check_after_fetch"
    SELF = "self"
    REWRITE = "rewrite"
    PROBE = "probe"
    BEST = "best"
    VARIANTS = "variants"
    UPGRADE_HTTPS = "upgrade_https"
    ANSWER = "answer"


class What(StrEnum):
    """The type of an event. `explain` has a sentence for each."""

    REPAIRED = "repaired"
    REFUSED = "refused"
    ASKED_EXISTS = "asked_exists"
    FETCHED = "fetched"
    KNOWN_GOOD = "known_good"
    KNOWN_BAD = "known_bad"
    OUT_OF_BUDGET = "out_of_budget"
    OUT_OF_TIME = "out_of_time"
    SKIPPED = "skipped"
    CHOSEN = "chosen"
    NOT_CHOSEN = "not_chosen"
    STOPPED = "stopped"
    ANSWERED = "answered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event of the trace: its step, URL and reason. `landed` is the landing URL of a fetch, if different."""

    step: Step
    what: What
    url: str | None = None
    landed: str | None = None
    outcome: Outcome | None = None
    status: int | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstDocument:
    """The first document: its fetch and its feed. As a part of the result it is parsed only once."""

    fetch: FetchResult = field(repr=False)
    feed: Feed = field(repr=False)
    response_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CanonicalResult:
    """The result for one URL.

    If `url` is None, `reason`, `outcome`, `status`, `retry_after_s` and `detail` say why. `requests` are all fetched
    URLs in order, without redirect hops. `aliases` are all URLs proven to be this feed, `url` included. `proof` is the
    fetch that ended on `url`. `feed_id` and `created` come from the store.
    """

    input: str
    url: str | None
    reason: Reason
    source: Source
    preset: str | None = None
    outcome: Outcome | None = None
    status: int | None = None
    retry_after_s: int | None = None
    detail: str = ""
    requests: tuple[str, ...] = ()
    temporary_redirect: bool = False
    aliases: tuple[str, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    self_url: str | None = None
    known: Known | None = None
    feed_id: str | None = None
    created: bool | None = None
    document: FirstDocument | None = field(default=None, repr=False)
    proof: FetchResult | None = field(default=None, repr=False)
    trace: tuple[Event, ...] = field(default=(), repr=False)
    debug: dict[str, Any] | None = field(default=None, repr=False)

    @property
    def request_count(self) -> int:
        """The number of fetches after the first (rule C9)."""
        return max(0, len(self.requests) - 1)
