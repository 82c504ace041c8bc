"""A subscription of a tenant to the feed of a URL, and its state (rules R14, B3). Pure.

Each change is a function from one subscription to the next. The store writes the next one with optimistic locking on
`rev`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from feedward.discovery.result import DiscoveryOutcome
from feedward.discovery.site import Site
from feedward.subscriptions.labels import TAGS_AT_MOST

TRIES_AT_MOST: Final = 5
GIVEN_UP: Final = "the feed was searched several times, and no search was completed"


class SubscriptionStatus(StrEnum):
    """The state of a subscription. `ready` and `failed` are final, but a failed subscription may be requested again."""

    PENDING = "pending"
    READY = "ready"
    FAILED = "failed"


class Failure(StrEnum):
    """Why a subscription has no feed: the outcome of its discovery, or `given_up` after too many tries."""

    NO_FEED = "no_feed"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"
    BLOCKED = "blocked"
    BAD_URL = "bad_url"
    GIVEN_UP = "given_up"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """One subscription of one tenant (None: the deployment's own user). Times are epoch seconds.

    - url: as typed; url_hash: the same for all its spellings; asked_at: the time of the last request
    - feed_id: the feed of a ready subscription
    - duplicate_of: the tenant's subscription that holds the same feed: the one that was ready first, or the earlier one
      if two feeds were merged
    - failure, reason (for people): why it failed; settled_at: when it became ready or failed
    - tries: the number of discoveries requested
    - pending_since: set while the discovery or the event about its result is undelivered
    - site_url: the site that is searched if the URL leads to no feed
    - import_entry: the import entry that awaits its result; None once it has it
    - rev: the number of writes; 0 for one that was never written
    """

    subscription_id: str
    tenant_id: str | None
    url: str
    url_hash: str
    status: SubscriptionStatus
    created_at: int
    updated_at: int
    asked_at: int
    title: str | None = None
    tags: tuple[str, ...] = ()
    feed_id: str | None = None
    duplicate_of: str | None = None
    failure: Failure | None = None
    reason: str | None = None
    settled_at: int | None = None
    tries: int = 0
    pending_since: int | None = None
    site_url: str | None = None
    import_entry: str | None = None
    rev: int = 0

    @property
    def is_pending(self) -> bool:
        """True while its discovery is not finished."""
        return self.status is SubscriptionStatus.PENDING

    @property
    def has_news_to_publish(self) -> bool:
        """True while the event about its result is undelivered."""
        return not self.is_pending and self.pending_since is not None


def new_subscription(
    subscription_id: str,
    *,
    tenant_id: str | None,
    url: str,
    url_hash: str,
    now: int,
    title: str | None = None,
    tags: tuple[str, ...] = (),
) -> Subscription:
    """Return a pending subscription, before its first discovery is requested."""
    return Subscription(
        subscription_id=subscription_id,
        tenant_id=tenant_id,
        url=url,
        url_hash=url_hash,
        status=SubscriptionStatus.PENDING,
        created_at=now,
        updated_at=now,
        asked_at=now,
        title=title,
        tags=tags,
        tries=1,
        pending_since=now,
    )


# --- changes -----------------------------------------------------------------------------


def ready(before: Subscription, *, feed_id: str, now: int, duplicate_of: str | None = None) -> Subscription:
    """Return the subscription with its feed. Its event is undelivered."""
    return _settled(before, SubscriptionStatus.READY, now, feed_id=feed_id, duplicate_of=duplicate_of)


def failed(before: Subscription, *, failure: Failure, reason: str, now: int) -> Subscription:
    """Return the subscription with its failure. Its event is undelivered."""
    return _settled(before, SubscriptionStatus.FAILED, now, failure=failure, reason=reason)


def tried_again(before: Subscription, *, now: int) -> Subscription:
    """Return the subscription with one more try, before the discovery is requested again."""
    return replace(before, tries=before.tries + 1, pending_since=now)


def asked_again(before: Subscription, *, url: str, now: int) -> Subscription:
    """Return a failed subscription as pending again, after a new request, which may spell the URL differently."""
    fresh = new_subscription(
        before.subscription_id,
        tenant_id=before.tenant_id,
        url=url,
        url_hash=before.url_hash,
        now=now,
        title=before.title,
        tags=before.tags,
    )
    return replace(fresh, created_at=before.created_at, site_url=before.site_url, rev=before.rev)


def told(before: Subscription) -> Subscription:
    """Return the subscription with its event delivered."""
    return replace(before, pending_since=None)


def labelled(before: Subscription, *, title: str | None, tags: tuple[str, ...], now: int) -> Subscription:
    """Return the subscription with these tags added, and with the title if it has none.

    Returns the same object if nothing changes.
    """
    all_tags = tuple(dict.fromkeys((*before.tags, *tags)))[: max(TAGS_AT_MOST, len(before.tags))]
    after = replace(before, title=before.title or title, tags=all_tags)
    return before if after == before else replace(after, updated_at=now)


def _settled(
    before: Subscription,
    status: SubscriptionStatus,
    now: int,
    *,
    feed_id: str | None = None,
    duplicate_of: str | None = None,
    failure: Failure | None = None,
    reason: str | None = None,
) -> Subscription:
    return replace(
        before,
        status=status,
        feed_id=feed_id,
        duplicate_of=duplicate_of,
        failure=failure,
        reason=reason,
        settled_at=now,
        updated_at=now,
        pending_since=now,
    )


# One entry for each outcome but `found`; a test checks that none is missing.
SAYS: Final[Mapping[DiscoveryOutcome, tuple[Failure, str]]] = {
    DiscoveryOutcome.NO_FEED: (Failure.NO_FEED, "no feed was found there"),
    DiscoveryOutcome.REFUSED: (Failure.REFUSED, "the site refuses to be read by us"),
    DiscoveryOutcome.UNREACHABLE: (Failure.UNREACHABLE, "the site could not be reached"),
    DiscoveryOutcome.BLOCKED: (Failure.BLOCKED, "this address may not be fetched"),
    DiscoveryOutcome.BAD_URL: (Failure.BAD_URL, "this URL cannot be fetched"),
}


def failure_of(site: Site) -> tuple[Failure, str] | None:
    """Return why a discovered site has no feed, as a code and a text, or None if it has one."""
    if site.outcome is DiscoveryOutcome.FOUND:
        return None
    failure, says = SAYS[site.outcome]
    detail = site.detail.removeprefix("URL refused: ")
    return failure, f"{says}: {detail}" if detail else says
