"""A site in the directory: what discovery found there, kept over the years (rules R13, D12, D1).

Pure data. What becomes of it at another discovery is decided in `records.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from feedward.discovery.candidate import DiscoveredFrom, Kind, Source, ValidationStatus
from feedward.discovery.result import DiscoveryOutcome
from feedward.model import FeedFormat, Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One page that somebody asked about. `site_id` is the url_hash of `url`; times are epoch seconds.

    `input_url` and `url` are of the first time, `last_input` is what was asked the last time, as it was typed.
    `canonical_url` is the page after redirects. `canonical_feed_url` is the chosen feed's canonical URL and `feed_id`
    its feed, once registered. `complete` is False while a job still looks further: `job_id` names the last one. `rev`
    counts the writes; 0 is a site that was never written.
    """

    site_id: str
    input_url: str
    url: str
    canonical_url: str
    domain: str
    outcome: DiscoveryOutcome
    complete: bool
    intent: Kind
    last_discovered_at: int
    created_at: int
    title: str | None = None
    favicon: str | None = None
    language: str | None = None
    generator: str | None = None
    hub_urls: tuple[str, ...] = ()
    canonical_feed_url: str | None = None
    feed_id: str | None = None
    page_outcome: Outcome | None = None
    http_status: int | None = None
    retry_after_s: int | None = None
    detail: str = ""
    requests: int = 0
    rounds: int = 0
    job_id: str | None = None
    scope: str = ""
    last_input: str = ""
    rev: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusChange:
    """A candidate's status was this from `at` (epoch seconds) on."""

    at: int
    status: ValidationStatus
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteCandidate:
    """One candidate of a site, stored under the url_hash of its URL, with its history (rule D12).

    `validation_status`, `last_error` (the outcome's name) and `detail` are those of the last try. `missing_since` is
    when a discovery first did not come upon it any more. `history` holds the changes of status, oldest first, the last
    20.
    """

    url_hash: str
    candidate_url: str
    final_url: str | None
    source: Source
    discovered_from: tuple[DiscoveredFrom, ...]
    why: str
    kind: Kind
    score: int
    parts: Mapping[str, int]
    validation_status: ValidationStatus
    first_seen_at: int
    last_error: Outcome | None = None
    http_status: int | None = None
    detail: str = ""
    is_canonical: bool = False
    format: FeedFormat | None = None
    title: str | None = None
    description: str | None = None
    site_url: str | None = None
    language: str | None = None
    item_count: int = 0
    items: tuple[Mapping[str, Any], ...] = ()
    newest_item_at: int | None = None
    aliases: tuple[str, ...] = ()
    feed_id: str | None = None
    last_valid_at: int | None = None
    missing_since: int | None = None
    history: tuple[StatusChange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredSite:
    """A site with all its candidates: valid ones first, best first, those that went missing last."""

    site: Site
    candidates: tuple[SiteCandidate, ...] = field(default=())


class JobStatus(StrEnum):
    """How far a discovery job is (rule G6)."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A discovery that goes on after its answer. `job_id` is `site_id.ulid`. Times are epoch seconds.

    `reason` says why it failed. `attempts` counts how often a worker took it up.
    """

    job_id: str
    site_id: str
    url: str
    status: JobStatus
    created_at: int
    updated_at: int
    intent: Kind | None = None
    attempts: int = 0
    reason: str | None = None
    scope: str = ""

    @property
    def goes_on(self) -> bool:
        """True while a worker has it, or will have it."""
        return self.status in (JobStatus.PENDING, JobStatus.RUNNING)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftJob:
    """A job that nobody ended or took up for long. `sent_again` counts the messages that the sweep sent for it."""

    job_id: str
    pending_since: int
    sent_again: int = 0
