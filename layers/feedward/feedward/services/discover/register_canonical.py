"""Registers the feed that a discovery chose, after canonicalizing its URL, without a repeated request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from feedward.access.ownership import known_to, scope_of
from feedward.canonical.options import CanonicalizeOptions
from feedward.canonical.result import CanonicalResult, Reason
from feedward.deadline import NO_DEADLINE, Deadline
from feedward.discovery.candidate import Candidate
from feedward.discovery.site_choice import SiteChoice
from feedward.feeds.signature import Document, same_feed
from feedward.ports import FeedStore
from feedward.services.canonicalize.canonicalize import canonicalize
from feedward.services.canonicalize.register import (
    new_feed,
    register_for,
    with_known_feed,
    with_registration,
)
from feedward.services.discover.shared_fetches import SharedFetches
from feedward.ulid import new_ulid
from feedward.urls.hosts import domain_of_url
from feedward.urls.rewrites import PROBES, REWRITES

# Rewrites and probes are on, as in the API (rule C11).
OPTIONS: Final = CanonicalizeOptions(rewrites=tuple(REWRITES), probes=tuple(PROBES), to_store=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenFeed:
    """The stored feed of a site's canonical candidate: its id, its canonical URL, and its score at the site.

    `created` is true for a new feed, which was stored with the site that chose it.
    """

    feed_id: str
    url: str
    score: int
    created: bool = False


def register_canonical(
    candidate: Candidate,
    *,
    choice: SiteChoice,
    fetches: SharedFetches,
    store: FeedStore,
    now: int,
    scope: str = "",
    tenant_id: str | None = None,
    deadline: Deadline = NO_DEADLINE,
    new_id: Callable[[int], str] = new_ulid,
) -> ChosenFeed | None:
    """Find the candidate's canonical URL and register the feed, or return the feed that owns the URL already.

    `choice` is the data about the site that is stored with a new feed. `fetches` are those of the run, so that no
    document is requested or parsed again; new requests end by the `deadline`. Returns None if the candidate could not
    be proven now, or is private to a tenant: a shared site has no feed with a token (rule TN7). Raises the errors of
    the store.
    """
    result = canonicalize(
        candidate.url,
        fetcher=fetches,
        read=fetches.read,
        options=OPTIONS,
        exists=lambda urls: known_to(tenant_id, store.find(urls, scope=scope), scope=scope),
        deadline=deadline,
    )
    result = replace(result, aliases=tuple(dict.fromkeys((*result.aliases, *_proven_aliases(candidate, fetches)))))
    if result.reason is Reason.EXISTS_IN_DB:
        return _chosen(with_known_feed(result, store=store, now=now, scope=scope), candidate)
    feed = new_feed(result, feed_id=new_id(now), now=now, scope=scope)
    if feed is None or scope_of(None if scope else tenant_id, feed.url):
        return None
    chosen = replace(feed, site_id=choice.site_id, is_canonical=choice.is_canonical, canonical_score=choice.score)
    return _chosen(with_registration(result, register_for(tenant_id, chosen, store=store)), candidate)


def _chosen(result: CanonicalResult, candidate: Candidate) -> ChosenFeed | None:
    if result.feed_id is None or result.url is None:
        return None
    return ChosenFeed(feed_id=result.feed_id, url=result.url, score=candidate.score, created=bool(result.created))


# --- aliases that the run proved ------------------------------------------------------------------------


def _proven_aliases(candidate: Candidate, fetches: SharedFetches) -> list[str]:
    """The candidate's other URLs that returned its document in this run.

    They redirect to the same URL, or serve the same feed on the same domain. A copy on another domain proves nothing.
    """
    landed = _document(candidate.url, fetches)
    if landed is None:
        return []
    return [url for url in candidate.aliases if _is_proven(_document(url, fetches), landed)]


def _document(url: str, fetches: SharedFetches) -> Document | None:
    """The feed at `url` from this run's cache, or None. Sends no request."""
    found = fetches.read(fetches.fetch(url)) if fetches.knows(url) else None
    if found is None or found.feed is None:
        return None
    return Document(body=found.fetch.body, feed=found.feed, url=found.fetch.url)


def _is_proven(found: Document | None, landed: Document) -> bool:
    if found is None:
        return False
    if found.url == landed.url:
        return True
    return domain_of_url(found.url) == domain_of_url(landed.url) and same_feed(found, landed) is not None
