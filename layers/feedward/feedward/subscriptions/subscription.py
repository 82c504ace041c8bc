"""A subscription: a tenant's wish to follow what is behind a URL, and how far that has come (rules R14, B3).

Pure. Each change is a function from one subscription to the next; the store writes the next over the one that it was
decided from, told apart by `rev`.
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
GIVEN_UP: Final = "the feed was looked for again and again, and no search came to an end"


class SubscriptionStatus(StrEnum):
    """How far a subscription is. Both `ready` and `failed` are ends; a failed one may be asked for again."""

    PENDING = "pending"
    READY = "ready"
    FAILED = "failed"


class Failure(StrEnum):
    """Why a subscription has no feed: how its discovery ended, or that none came to an end."""

    NO_FEED = "no_feed"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"
    BLOCKED = "blocked"
    BAD_URL = "bad_url"
    GIVEN_UP = "given_up"


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """One subscription of one tenant (None: the deployment's own user). Times are epoch seconds.

    `url` is as it was typed, `url_hash` what all its spellings share. `asked_at` is when somebody asked for it last.
    `feed_id` is the feed that it is ready with; `duplicate_of` is the tenant's subscription to the same feed that
    stands for both: the one that was ready first, or the earlier one of two whose feeds became one. `failure` and
    `reason` (for people) say why it failed, `settled_at` when it became ready or failed. `tries` counts the searches
    that were asked for. `pending_since` marks that something is still owed: the search, or the event that tells how it
    ended. `rev` counts the writes; 0 was never written.
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
    rev: int = 0

    @property
    def is_pending(self) -> bool:
        """True while its feed is looked for."""
        return self.status is SubscriptionStatus.PENDING

    @property
    def has_news_to_publish(self) -> bool:
        """True while nobody was told how it ended."""
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
    """Return a pending subscription whose first search is about to be asked for."""
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


# --- what becomes of it -----------------------------------------------------------------------------


def ready(before: Subscription, *, feed_id: str, now: int, duplicate_of: str | None = None) -> Subscription:
    """Return it with its feed. The news is owed from now on."""
    return _settled(before, SubscriptionStatus.READY, now, feed_id=feed_id, duplicate_of=duplicate_of)


def failed(before: Subscription, *, failure: Failure, reason: str, now: int) -> Subscription:
    """Return it with why there is no feed. The news is owed from now on."""
    return _settled(before, SubscriptionStatus.FAILED, now, failure=failure, reason=reason)


def tried_again(before: Subscription, *, now: int) -> Subscription:
    """Return it with one more search that is about to be asked for."""
    return replace(before, tries=before.tries + 1, pending_since=now)


def asked_again(before: Subscription, *, url: str, now: int) -> Subscription:
    """Return it pending as on the first day: somebody asks again, maybe in another spelling, after it failed."""
    fresh = new_subscription(
        before.subscription_id,
        tenant_id=before.tenant_id,
        url=url,
        url_hash=before.url_hash,
        now=now,
        title=before.title,
        tags=before.tags,
    )
    return replace(fresh, created_at=before.created_at, rev=before.rev)


def told(before: Subscription) -> Subscription:
    """Return it with nothing owed any more."""
    return replace(before, pending_since=None)


def labelled(before: Subscription, *, title: str | None, tags: tuple[str, ...], now: int) -> Subscription:
    """Return it with these tags too, and with the title if it has none: it stands for another one that was asked for.

    The same subscription where that brings nothing new.
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


# One for each outcome but `found`; a test holds that none is missing.
SAYS: Final[Mapping[DiscoveryOutcome, tuple[Failure, str]]] = {
    DiscoveryOutcome.NO_FEED: (Failure.NO_FEED, "no feed was found there"),
    DiscoveryOutcome.REFUSED: (Failure.REFUSED, "the site refuses to be read by us"),
    DiscoveryOutcome.UNREACHABLE: (Failure.UNREACHABLE, "the site could not be reached"),
    DiscoveryOutcome.BLOCKED: (Failure.BLOCKED, "this address may not be fetched"),
    DiscoveryOutcome.BAD_URL: (Failure.BAD_URL, "this is no URL that can be fetched"),
}


def failure_of(site: Site) -> tuple[Failure, str] | None:
    """Return why the site as it was discovered has no feed, by name and in words; None where it has one."""
    if site.outcome is DiscoveryOutcome.FOUND:
        return None
    failure, says = SAYS[site.outcome]
    detail = site.detail.removeprefix("URL refused: ")
    return failure, f"{says}: {detail}" if detail else says
