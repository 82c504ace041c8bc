"""A site as JSON, before its discovery, during its job, and afterwards."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from feedward.api.sites import encode_candidates, encode_discovery, encode_site
from feedward.discovery.candidate import DiscoveredFrom, Kind, Source, ValidationStatus
from feedward.discovery.result import DiscoveryOutcome
from feedward.discovery.site import Job, JobStatus, Site, SiteCandidate, StatusChange, StoredSite
from feedward.model import FeedFormat, Outcome

NOW = 1_790_000_000
SITE = Site(
    site_id="5" * 64,
    input_url="example.com",
    url="https://example.com/",
    canonical_url="https://example.com/",
    domain="example.com",
    outcome=DiscoveryOutcome.FOUND,
    complete=True,
    intent=Kind.MAIN,
    last_discovered_at=NOW,
    created_at=NOW,
    page_outcome=Outcome.OK,
    requests=3,
    rounds=2,
)
CHOSEN = SiteCandidate(
    url_hash="6" * 64,
    candidate_url="https://example.com/rss",
    final_url="https://example.com/feed/",
    source=Source.ANCHOR,
    discovered_from=(DiscoveredFrom.HTML, DiscoveredFrom.GUESS),
    why="anchor text",
    kind=Kind.MAIN,
    score=7,
    parts={"source": 5, "https": 2},
    validation_status=ValidationStatus.VALID,
    first_seen_at=NOW,
    is_canonical=True,
    format=FeedFormat.RSS,
    title="Example",
    history=(StatusChange(at=NOW, status=ValidationStatus.VALID, outcome=Outcome.OK),),
)
JOB = Job(
    job_id=f"{SITE.site_id}.{'0' * 26}",
    site_id=SITE.site_id,
    url=SITE.url,
    status=JobStatus.PENDING,
    created_at=NOW,
    updated_at=NOW,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    site: StoredSite | None
    job: Job | None = None


def stored(*candidates: SiteCandidate, **site: object) -> StoredSite:
    return StoredSite(site=replace(SITE, **site), candidates=candidates)  # type: ignore[arg-type]


def test_before_anything_is_known_there_is_the_job_alone() -> None:
    document = encode_site(None, JOB)

    assert (document["id"], document["status"], document["complete"]) == (JOB.job_id, "pending", False)
    assert (document["outcome"], document["site"], document["canonical"]) == (None, None, None)
    assert document["candidates"] == []


def test_a_site_without_a_job_is_done() -> None:
    document = encode_site(stored())

    assert (document["id"], document["status"], document["outcome"], document["page_outcome"]) == (
        None,
        "done",
        "found",
        "ok",
    )
    assert (document["requests"], document["rounds"], document["canonical"]) == (3, 2, None)


def test_a_job_that_failed_says_why() -> None:
    document = encode_site(stored(complete=False), replace(JOB, status=JobStatus.FAILED, reason="the store is down"))

    assert (document["status"], document["reason"], document["complete"]) == ("failed", "the store is down", False)


def test_the_chosen_feed_is_told_under_the_url_that_it_was_registered_under() -> None:
    document = encode_site(stored(CHOSEN, canonical_feed_url="https://example.com/feed", feed_id="f"))

    assert document["canonical"] == {
        "url": "https://example.com/feed",
        "feed_id": "f",
        "title": "Example",
        "kind": "main",
        "score": 7,
        "format": "rss",
        "candidate_url": "https://example.com/rss",
    }


@pytest.mark.parametrize(
    ("final_url", "told"),
    [("https://example.com/feed/", "https://example.com/feed/"), (None, "https://example.com/rss")],
)
def test_before_it_is_registered_it_is_told_where_it_landed(final_url: str | None, told: str) -> None:
    document = encode_site(stored(replace(CHOSEN, final_url=final_url)))

    assert document["canonical"]["url"] == told


def test_a_site_that_is_not_stored_has_no_id() -> None:
    assert encode_site(stored(), kept=False)["site"]["id"] is None
    assert encode_site(stored())["site"]["id"] == SITE.site_id


def test_a_candidate_has_its_score_explained_and_its_history_where_it_is_asked_for() -> None:
    (brief,) = encode_site(stored(CHOSEN))["candidates"]
    (whole,) = encode_candidates(Found(site=stored(CHOSEN)))["candidates"]

    assert (brief["score"], brief["parts"]) == (7, {"source": 5, "https": 2})
    assert (brief["discovered_from"], brief["source"], brief["last_error"]) == (["html", "guess"], "anchor", None)
    assert whole == brief | {"history": [{"at": NOW, "status": "valid", "outcome": "ok"}]}


@pytest.mark.parametrize("status", JobStatus)
def test_the_answer_is_202_with_a_place_to_ask_while_a_job_goes_on(status: JobStatus) -> None:
    reply = encode_discovery(Found(site=stored(), job=replace(JOB, status=status)), kept=True)

    goes_on = status in (JobStatus.PENDING, JobStatus.RUNNING)
    assert reply.status == (202 if goes_on else 200)
    assert reply.headers == ({"Location": f"/v1/discoveries/{JOB.job_id}"} if goes_on else {})


def test_without_a_job_the_answer_is_200() -> None:
    reply = encode_discovery(Found(site=stored()), kept=True)

    assert (reply.status, reply.headers) == (200, {})
