"""A stored site with the candidates that discoveries found there (rules R13, D12, D1).

Pure data. `site_update.py` decides how a new discovery updates it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from feedward.discovery.candidate import DiscoveredFrom, Kind, Source, ValidationStatus
from feedward.discovery.result import DiscoveryOutcome
from feedward.model import FeedFormat, Outcome

CANDIDATES_KEPT = 500
"""The number of candidates that a site keeps. Beyond it only valid candidates are added, and others are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """One page that was requested. `site_id` is the url_hash of `url`; times are epoch seconds.

    `input_url` and `url` are those of the first request, `last_input` is the last input as typed. `canonical_url` is
    the page's URL after redirects. `canonical_feed_url` is the chosen feed's canonical URL and `feed_id` its id, once
    registered. `own_feed_id` is the feed that is marked as the site's own (rule D5). `complete` is False while a job
    continues the discovery; `job_id` is the latest job. `candidates_left_out` counts those of the last discovery that
    are not kept. `rev` counts the writes; 0 for a site that was never written.
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
    own_feed_id: str | None = None
    page_outcome: Outcome | None = None
    http_status: int | None = None
    retry_after_s: int | None = None
    detail: str = ""
    requests: int = 0
    rounds: int = 0
    candidates_left_out: int = 0
    job_id: str | None = None
    scope: str = ""
    last_input: str = ""
    rev: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusChange:
    """A change of a candidate's status at `at` (epoch seconds)."""

    at: int
    status: ValidationStatus
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteCandidate:
    """One candidate of a site, stored under the url_hash of its URL, with its history (rule D12).

    `validation_status`, `last_error` (the outcome's name) and `detail` are those of the last try. `missing_since` is
    the time of the first discovery that no longer found it. `history` holds the last 20 changes of status, oldest
    first.
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
    """A site with all its candidates: valid ones first, best first, missing ones last."""

    site: Site
    candidates: tuple[SiteCandidate, ...] = field(default=())


class JobStatus(StrEnum):
    """The status of a discovery job (rule G6)."""

    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A discovery that continues after its response. `job_id` is `site_id.ulid`. Times are epoch seconds.

    `reason` is why it failed. `attempts` counts how often a worker started it. `tenant_id` is the requesting tenant,
    None for the deployment's own user; other tenants do not see the job.
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
    tenant_id: str | None = None

    @property
    def goes_on(self) -> bool:
        """True while it is pending or running."""
        return self.status in (JobStatus.PENDING, JobStatus.RUNNING)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftJob:
    """A job without progress for a long time. `sent_again` counts the messages that the sweep sent for it."""

    job_id: str
    pending_since: int
    sent_again: int = 0
