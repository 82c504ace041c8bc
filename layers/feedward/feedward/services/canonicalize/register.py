"""Canonicalizes a URL and registers its feed: the store answers `exists` and stores a new feed (rules C10, R9)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from feedward.access.ownership import fit_aliases, is_of_another, known_to, scope_of
from feedward.canonical.options import DEFAULT_OPTIONS, CanonicalizeOptions
from feedward.canonical.result import CanonicalResult, Reason
from feedward.deadline import NO_DEADLINE, Deadline
from feedward.feeds.read_feed import read_feed
from feedward.feeds.signature import signature
from feedward.health.cadence import hint_s, median_gap_s, rhythm_times
from feedward.model import Feed, Known
from feedward.ports import FeedStore, Fetcher
from feedward.registration import NewFeed, Registration
from feedward.services.canonicalize.canonicalization import Read
from feedward.services.canonicalize.canonicalize import canonicalize
from feedward.ulid import new_ulid
from feedward.urls.safety import DEFAULT_POLICY, UrlPolicy

if TYPE_CHECKING:
    from feedward.topics.feed_topics import FeedTopics


def canonicalize_and_register(
    url: str,
    *,
    fetcher: Fetcher,
    store: FeedStore,
    now: int,
    options: CanonicalizeOptions = DEFAULT_OPTIONS,
    scope: str = "",
    tenant_id: str | None = None,
    new_id: Callable[[int], str] = new_ulid,
    policy: UrlPolicy = DEFAULT_POLICY,
    deadline: Deadline = NO_DEADLINE,
    read: Read = read_feed,
) -> CanonicalResult:
    """Canonicalize `url` against the store, and store the feed and its verified aliases if it is new.

    A tenant's URL with a token is private to the tenant, and so is its feed; so is a feed whose own URL has a token
    (rule T1). The result has `feed_id` and `created`. The fetches end by the `deadline`; the store has its own. `now`
    is in epoch seconds. Raises the errors of the store: Throttled, Conflict, StoreUnavailable.
    """
    scope = scope or scope_of(tenant_id, url)

    def exists(urls: Sequence[str]) -> Known | None:
        return known_to(tenant_id, store.find(urls, scope=scope), scope=scope)

    result = canonicalize(
        url,
        fetcher=fetcher,
        options=replace(options, to_store=True),
        exists=exists,
        policy=policy,
        deadline=deadline,
        read=read,
    )
    own = scope or scope_of(tenant_id, result.url or "")
    return register_result(result, store=store, now=now, scope=own, tenant_id=tenant_id, new_id=new_id)


def register_result(
    result: CanonicalResult,
    *,
    store: FeedStore,
    now: int,
    scope: str = "",
    tenant_id: str | None = None,
    new_id: Callable[[int], str] = new_ulid,
) -> CanonicalResult:
    """Store the feed of a result without another fetch or parse. A failed result is returned as it is.

    A known feed gets the proven URLs as aliases, such as an old address that redirects to it. If a cleaner spelling of
    its URL was proven, that becomes its URL (rule H6).
    """
    if result.reason is Reason.EXISTS_IN_DB:
        return replace(with_known_feed(result, store=store, now=now, scope=scope), created=False)
    feed = new_feed(result, feed_id=new_id(now), now=now, scope=scope)
    return result if feed is None else with_registration(result, register_for(tenant_id, feed, store=store))


def register_for(tenant_id: str | None, feed: NewFeed, *, store: FeedStore) -> Registration:
    """Store a tenant's feed. If its URL belongs to a feed hidden from the tenant, the tenant gets its own feed."""
    found = store.register(feed)
    if tenant_id is None or not is_of_another(tenant_id, found.url, scope=feed.scope):
        return found
    return store.register(replace(feed, scope=tenant_id))


def with_known_feed(result: CanonicalResult, *, store: FeedStore, now: int, scope: str = "") -> CanonicalResult:
    """Return the result for a known feed, after storing its newly proven URLs."""
    if result.feed_id is None or result.url is None:
        return result
    if aliases := fit_aliases(result.url, result.aliases, scope=scope):
        store.attach(result.feed_id, aliases, scope=scope)
    if result.known is None or result.url == result.known.url:
        return result
    return replace(result, url=store.respell(result.feed_id, result.url, now=now))


def with_registration(result: CanonicalResult, registration: Registration) -> CanonicalResult:
    """Return the result with the registration. If another call registered the feed first, its canonical URL is used."""
    result = replace(result, feed_id=registration.feed_id, created=registration.created)
    if registration.created or registration.url == result.url:
        return result
    known = Known(url=registration.url, data={"feed_id": registration.feed_id})
    return replace(result, url=registration.url, reason=Reason.EXISTS_IN_DB, preset=None, known=known, proof=None)


def new_feed(result: CanonicalResult, *, feed_id: str, now: int, scope: str = "") -> NewFeed | None:
    """Return the feed to register, with the first document's data and the validators of the stored URL (rule H7).

    Returns None if the result has no URL proven by fetching.
    """
    if result.url is None or result.document is None or result.proof is None:
        return None
    feed, proof = result.document.feed, result.proof
    times = rhythm_times((item, now) for item in feed.items)
    return NewFeed(
        feed_id=feed_id,
        url=result.url,
        aliases=fit_aliases(result.url, result.aliases, scope=scope),
        now=now,
        title=feed.title,
        description=feed.description,
        site_url=feed.site_url,
        language=feed.language,
        hub_urls=feed.hub_urls,
        format=feed.format,
        http_status=proof.status,
        validators=proof.validators,
        validators_url=proof.url,
        content_hash=hashlib.sha256(proof.body).hexdigest(),
        latest_item_published_at=times[0] if times else None,
        median_gap_s=median_gap_s(times),
        hint_s=hint_s(feed, proof.headers),
        scope=scope,
        items=feed.items,
        signature=signature(feed, result.document.fetch.url),
        topics=_first_topics(feed),
    )


def _first_topics(feed: Feed) -> FeedTopics:
    """Return the topics that the first document names, as suggestions (rule TP1)."""
    if not (feed.categories or feed.item_categories):
        return ()
    from feedward.topics.feed_topics import own_topics, suggested  # noqa: PLC0415 - few feeds name topics

    return suggested((), own_topics(feed.categories, feed.item_categories))
