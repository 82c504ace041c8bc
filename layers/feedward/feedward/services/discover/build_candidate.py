"""Builds candidates from leads and their fetches (rules D1, D2). `rank` sets their kinds and scores later."""

from __future__ import annotations

from dataclasses import replace

from feedward.discovery.candidate import Candidate, Lead, ValidationStatus
from feedward.discovery.weights import SOURCE
from feedward.feeds.read_feed import FetchedFeed
from feedward.health.cadence import published_times
from feedward.health.outcomes import OUTCOMES
from feedward.model import Feed, Rejection
from feedward.urls.safety import Refusal

SAMPLE_ITEMS = 3


def untested(lead: Lead) -> Candidate:
    """Return a candidate that was not fetched yet."""
    return Candidate(url=lead.url, leads=(lead,), status=ValidationStatus.UNTESTED)


def named_again(candidate: Candidate, lead: Lead) -> Candidate:
    """Return the candidate with one more lead; the lead with the best source comes first."""
    if lead in candidate.leads:
        return candidate
    leads = sorted((*candidate.leads, lead), key=lambda each: -SOURCE[each.source])
    return replace(candidate, leads=tuple(leads))


def refused(candidate: Candidate, refusal: Refusal) -> Candidate:
    """Return the candidate as invalid because its URL may not be fetched."""
    return replace(candidate, status=ValidationStatus.INVALID, outcome=refusal.outcome, detail=refusal.detail)


def tried(candidate: Candidate, answer: FetchedFeed, now: int) -> Candidate:
    """Return the candidate with the result of its fetch: a feed, or why it is not a feed.

    An item date after `now` counts as `now` (rule H4).
    """
    fetch = answer.fetch
    known = replace(candidate, outcome=answer.outcome, http_status=fetch.status, final_url=fetch.url, fetch=fetch)
    if answer.feed is None:
        return replace(known, status=ValidationStatus.INVALID, detail=_why_not(answer))
    return _with_feed(replace(known, status=ValidationStatus.VALID, detail=""), answer.feed, now)


def _with_feed(candidate: Candidate, feed: Feed, now: int) -> Candidate:
    times = published_times(feed.items, now)
    return replace(
        candidate,
        feed=feed,
        format=feed.format,
        title=feed.title,
        description=feed.description,
        site_url=feed.site_url,
        language=feed.language,
        item_count=len(feed.items),
        items=feed.items[:SAMPLE_ITEMS],
        newest_item_at=times[0] if times else None,
    )


def _why_not(answer: FetchedFeed) -> str:
    rejection = answer.rejection
    if rejection is not None:
        return _of_rejection(rejection)
    return answer.fetch.detail or OUTCOMES[answer.outcome].says


def _of_rejection(rejection: Rejection) -> str:
    return f"{rejection.reason}: {rejection.detail}" if rejection.detail else str(rejection.reason)
