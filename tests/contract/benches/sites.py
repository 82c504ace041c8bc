"""Sites, candidates and jobs to store, for the contract suite: one line each."""

from __future__ import annotations

from typing import Any

from feedward.discovery.candidate import DiscoveredFrom, Kind, Source, ValidationStatus
from feedward.discovery.result import DiscoveryOutcome
from feedward.discovery.site import Job, JobStatus, Site, SiteCandidate, StatusChange, StoredSite
from feedward.model import FeedFormat, Outcome
from feedward.ulid import derived_ulid
from feedward.urls.key import url_hash
from tests.contract.benches.feeds import NOW

URL = "https://example.com/"
SITE_ID = url_hash(URL)
FULL_CANDIDATE: dict[str, Any] = {
    "final_url": "https://example.com/feed/",
    "why": "link rel=alternate",
    "kind": Kind.MAIN,
    "score": 725,
    "parts": {"source": 600, "site_link": 60, "item_links": 40, "host": 20, "scheme": 5},
    "validation_status": ValidationStatus.VALID,
    "http_status": 200,
    "is_canonical": True,
    "format": FeedFormat.ATOM,
    "title": "Example",
    "description": "News of examples",
    "site_url": "https://example.com/",
    "language": "en-gb",
    "item_count": 12,
    "items": ({"id": "tag:1", "url": "https://example.com/1", "title": "One", "published_at": NOW - 5},),
    "newest_item_at": NOW - 5,
    "aliases": ("https://www.example.com/feed",),
    "feed_id": derived_ulid(NOW, "feed"),
    "last_valid_at": NOW,
    "missing_since": NOW - 1,
    "history": (
        StatusChange(at=NOW - 9, status=ValidationStatus.INVALID, outcome=Outcome.SERVER_ERROR),
        StatusChange(at=NOW, status=ValidationStatus.VALID),
    ),
}
FULL_SITE: dict[str, Any] = {
    "title": "Example",
    "favicon": "https://example.com/favicon.ico",
    "language": "en",
    "generator": "WordPress 7.1",
    "hub_urls": ("https://hub.example.com/",),
    "canonical_feed_url": "https://example.com/feed",
    "feed_id": derived_ulid(NOW, "feed"),
    "page_outcome": Outcome.OK,
    "http_status": 200,
    "retry_after_s": 30,
    "detail": "fine",
    "requests": 3,
    "rounds": 2,
    "job_id": f"{SITE_ID}.{derived_ulid(NOW, 'job')}",
    "scope": "tenant",
}


def candidate(url: str, **members: Any) -> SiteCandidate:
    """Return an untested candidate, unless `members` say otherwise."""
    given: dict[str, Any] = {
        "url_hash": url_hash(url),
        "candidate_url": url,
        "final_url": None,
        "source": Source.LINK,
        "discovered_from": (DiscoveredFrom.HTML,),
        "why": "",
        "kind": Kind.MAIN,
        "score": 0,
        "parts": {},
        "validation_status": ValidationStatus.UNTESTED,
        "first_seen_at": NOW,
    }
    return SiteCandidate(**given | members)


def stored_site(*candidates: SiteCandidate, site_id: str = SITE_ID, **members: Any) -> StoredSite:
    """Return a site with these candidates."""
    given: dict[str, Any] = {
        "site_id": site_id,
        "input_url": "example.com",
        "url": URL,
        "canonical_url": URL,
        "domain": "example.com",
        "outcome": DiscoveryOutcome.FOUND,
        "complete": True,
        "intent": Kind.MAIN,
        "last_discovered_at": NOW,
        "created_at": NOW,
    }
    return StoredSite(site=Site(**given | members), candidates=candidates)


def new_job(name: str = "job", **members: Any) -> Job:
    """Return a pending job of the site."""
    given: dict[str, Any] = {
        "job_id": f"{SITE_ID}.{derived_ulid(NOW, name)}",
        "site_id": SITE_ID,
        "url": "example.com",
        "status": JobStatus.PENDING,
        "created_at": NOW,
        "updated_at": NOW,
    }
    return Job(**given | members)
