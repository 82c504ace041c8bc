"""What a canonicalization answers: the URL, why it, and everything that was tried on the way (rules C9, C10)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from feedward.model import Feed, FetchResult, Known, Outcome


class Reason(StrEnum):
    """Why this URL, or why none (rule C9)."""

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
    """Which URL the returned one comes from."""

    INPUT = "input"
    RESPONSE = "response"
    SELF = "self"


class CandidateState(StrEnum):
    """What became of a URL that came into question."""

    VERIFIED = "verified"
    REDIRECTED = "redirected"
    DIFFERENT = "different"
    FAILED = "failed"
    REFUSED = "refused"
    UNTESTED = "untested"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A URL that came into question. `score` is its cleanliness; `preset` made it, if one did."""

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
    """What happened in a step. `explain` has a sentence for each."""

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
    """One thing that happened: in which step, to which URL, and why. `landed` is where a fetch ended, if elsewhere."""

    step: Step
    what: What
    url: str | None = None
    landed: str | None = None
    outcome: Outcome | None = None
    status: int | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstDocument:
    """The first document: how it was fetched and what it says. It goes with the result: nobody parses it again."""

    fetch: FetchResult = field(repr=False)
    feed: Feed = field(repr=False)
    response_url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CanonicalResult:
    """The answer to one URL.

    `url` is None where there is none; `reason`, `outcome`, `status`, `retry_after_s` and `detail` then say why.
    `requests` is every URL fetched, in order, redirect hops not among them. `aliases` are all URLs proven to be this
    feed, `url` included. `proof` is the fetch that ended on `url`. `feed_id` and `created` come from the directory.
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
        """How many fetches came after the first (rule C9)."""
        return max(0, len(self.requests) - 1)
