"""A site as JSON: the result of its discovery, every candidate with its score explained (rules G1, D1, D5).

POST /v1/discoveries, GET of its job and of the site, and `feedward discover --json` return the same document.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Protocol

from feedward.api.route import Reply
from feedward.discovery.site import Job, JobStatus, Site, SiteCandidate, StatusChange, StoredSite


class Found(Protocol):
    """A site and its discovery job."""

    @property
    def site(self) -> StoredSite | None: ...
    @property
    def job(self) -> Job | None: ...


def encode_site(stored: StoredSite | None, job: Job | None = None, *, kept: bool = True) -> dict[str, Any]:
    """Return a site and the state of its discovery. `job` is the job that continues the discovery in the background.

    `stored` is None until the job has stored a result. `kept` is False if no directory stores the site, which then has
    no id.
    """
    site = stored.site if stored else None
    return {
        "id": job.job_id if job else None,
        "status": (job.status if job else JobStatus.DONE).value,
        "reason": job.reason if job else None,
        "complete": bool(site and site.complete),
        "outcome": site.outcome.value if site else None,
        "page_outcome": _value(site.page_outcome) if site else None,
        "http_status": site.http_status if site else None,
        "retry_after_s": site.retry_after_s if site else None,
        "detail": site.detail if site else "",
        "site": _site(site, kept=kept) if site else None,
        "canonical": _canonical(stored) if stored else None,
        "candidates": [_candidate(candidate) for candidate in stored.candidates] if stored else [],
        "candidates_left_out": site.candidates_left_out if site else 0,
        "requests": site.requests if site else 0,
        "rounds": site.rounds if site else 0,
    }


def encode_found(found: Found, *, kept: bool = True) -> dict[str, Any]:
    """Return the same for the result of a service."""
    return encode_site(found.site, found.job, kept=kept)


def encode_discovery(found: Found, *, kept: bool) -> Reply:
    """Return the response to a discovery request: 200, or 202 with the location of the job while it runs."""
    job, document = found.job, encode_found(found, kept=kept)
    if job is None or not job.goes_on:
        return Reply(document=document)
    return Reply(document=document, status=202, headers={"Location": f"/v1/discoveries/{job.job_id}"})


def encode_candidates(found: Found) -> dict[str, Any]:
    """Return all candidates of a site with their history, best first, missing ones last."""
    stored = found.site
    return {
        "site_id": stored.site.site_id if stored else None,
        "candidates": [
            _candidate(candidate) | {"history": [_change(change) for change in candidate.history]}
            for candidate in (stored.candidates if stored else ())
        ],
        "candidates_left_out": stored.site.candidates_left_out if stored else 0,
    }


def _site(site: Site, *, kept: bool) -> dict[str, Any]:
    return {
        "id": site.site_id if kept else None,
        "input_url": site.input_url,
        "url": site.url,
        "canonical_url": site.canonical_url,
        "domain": site.domain,
        "title": site.title,
        "favicon": site.favicon,
        "language": site.language,
        "generator": site.generator,
        "hub_urls": list(site.hub_urls),
        "intent": site.intent.value,
        "created_at": site.created_at,
        "last_discovered_at": site.last_discovered_at,
    }


def _canonical(stored: StoredSite) -> dict[str, Any] | None:
    """Return the chosen feed. Its `url` is its canonical URL, if it is registered."""
    chosen = next((candidate for candidate in stored.candidates if candidate.is_canonical), None)
    if chosen is None:
        return None
    return {
        "url": stored.site.canonical_feed_url or chosen.final_url or chosen.candidate_url,
        "feed_id": stored.site.feed_id,
        "title": chosen.title,
        "kind": chosen.kind.value,
        "score": chosen.score,
        "format": _value(chosen.format),
        "candidate_url": chosen.candidate_url,
    }


def _candidate(candidate: SiteCandidate) -> dict[str, Any]:
    return {
        "candidate_url": candidate.candidate_url,
        "final_url": candidate.final_url,
        "aliases": list(candidate.aliases),
        "discovered_from": [source.value for source in candidate.discovered_from],
        "source": candidate.source.value,
        "why": candidate.why,
        "kind": candidate.kind.value,
        "score": candidate.score,
        "parts": dict(candidate.parts),
        "is_canonical": candidate.is_canonical,
        "validation_status": candidate.validation_status.value,
        "last_error": _value(candidate.last_error),
        "http_status": candidate.http_status,
        "detail": candidate.detail,
        "format": _value(candidate.format),
        "title": candidate.title,
        "description": candidate.description,
        "site_url": candidate.site_url,
        "language": candidate.language,
        "items": [dict(item) for item in candidate.items],
        "item_count": candidate.item_count,
        "newest_item_at": candidate.newest_item_at,
        "feed_id": candidate.feed_id,
        "first_seen_at": candidate.first_seen_at,
        "last_valid_at": candidate.last_valid_at,
        "missing_since": candidate.missing_since,
    }


def _change(change: StatusChange) -> dict[str, Any]:
    return {"at": change.at, "status": change.status.value, "outcome": _value(change.outcome)}


def _value(name: StrEnum | None) -> str | None:
    """Return the value of an enumeration's member, or None."""
    return None if name is None else str(name.value)
