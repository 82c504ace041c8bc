"""The feed that a discovery chose becomes the directory's: canonicalized on the way, without asking anything twice."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from feedward.canonical.options import CanonicalizeOptions
from feedward.canonical.result import CanonicalResult, Reason
from feedward.deadline import NO_DEADLINE, Deadline
from feedward.discovery.candidate import Candidate
from feedward.feeds.signature import Document, same_feed
from feedward.ports import FeedStore
from feedward.services.canonicalize.canonicalize import canonicalize
from feedward.services.canonicalize.register import new_feed, with_registration
from feedward.services.discover.shared_fetches import SharedFetches
from feedward.ulid import new_ulid
from feedward.urls.hosts import registrable_domain
from feedward.urls.parse import parse_http_url
from feedward.urls.rewrites import PROBES, REWRITES

OPTIONS: Final = CanonicalizeOptions(rewrites=tuple(REWRITES), probes=tuple(PROBES))  # on, as in the API (rule C11)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenFeed:
    """The directory's feed behind a site's canonical candidate: its id, its one clean URL, and its score at the site.

    `created`: it is new, and knows the site that chose it from its birth on.
    """

    feed_id: str
    url: str
    score: int
    created: bool = False


def register_canonical(
    candidate: Candidate,
    *,
    site_id: str,
    fetches: SharedFetches,
    store: FeedStore,
    now: int,
    scope: str = "",
    deadline: Deadline = NO_DEADLINE,
    new_id: Callable[[int], str] = new_ulid,
) -> ChosenFeed | None:
    """Find the candidate's canonical URL and register the feed, or join the one that owns it already.

    `fetches` are the run's own, so that no document is requested or read again; new ones end by the
    `deadline`. None: the candidate could not be proven now. Raises what the store raises.
    """
    result = canonicalize(
        candidate.url,
        fetcher=fetches,
        read=fetches.read,
        options=OPTIONS,
        exists=lambda urls: store.find(urls, scope=scope),
        deadline=deadline,
    )
    result = replace(result, aliases=tuple(dict.fromkeys((*result.aliases, *_proven_aliases(candidate, fetches)))))
    if result.reason is Reason.EXISTS_IN_DB:
        if result.feed_id is not None and result.aliases:
            store.attach(result.feed_id, result.aliases, scope=scope)  # what was proven on the way to it
        return _chosen(result, candidate)
    feed = new_feed(result, feed_id=new_id(now), now=now, scope=scope)
    if feed is None:
        return None
    chosen = replace(feed, site_id=site_id, is_canonical=True, canonical_score=candidate.score)
    return _chosen(with_registration(result, store.register(chosen)), candidate)


def _chosen(result: CanonicalResult, candidate: Candidate) -> ChosenFeed | None:
    if result.feed_id is None or result.url is None:
        return None
    return ChosenFeed(feed_id=result.feed_id, url=result.url, score=candidate.score, created=bool(result.created))


# --- what else the run proved ------------------------------------------------------------------------


def _proven_aliases(candidate: Candidate, fetches: SharedFetches) -> list[str]:
    """The candidate's other URLs that answered in this run with its document: what a redirect leads to the same place,
    and what serves the same feed on the same domain. A copy on somebody else's domain proves nothing.
    """
    landed = _document(candidate.url, fetches)
    if landed is None:
        return []
    return [url for url in candidate.aliases if _is_proven(_document(url, fetches), landed)]


def _document(url: str, fetches: SharedFetches) -> Document | None:
    """The feed at `url` as this run got it, or None; nothing is sent."""
    found = fetches.read(fetches.fetch(url)) if fetches.knows(url) else None
    if found is None or found.feed is None:
        return None
    return Document(body=found.fetch.body, feed=found.feed, url=found.fetch.url)


def _is_proven(found: Document | None, landed: Document) -> bool:
    if found is None:
        return False
    if found.url == landed.url:
        return True
    return _domain(found.url) == _domain(landed.url) and same_feed(found, landed) is not None


def _domain(url: str) -> str:
    parsed = parse_http_url(url)
    return registrable_domain(parsed.hostname) if parsed else ""
