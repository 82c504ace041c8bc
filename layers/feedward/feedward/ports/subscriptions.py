"""The tenants' subscriptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from feedward.deadline import Bounded

if TYPE_CHECKING:  # annotations only: whoever needs a port does not load what it speaks of
    from collections.abc import Mapping, Sequence

    from feedward.subscriptions.subscription import Subscription


class Subscriptions(Bounded, Protocol):
    """The tenants' subscriptions (rule R14). `tenant_id` None is the deployment's own user (rule T1).

    Everything is read and written under one tenant only (rule I8), but for what keeps the machinery going: `pending`
    and `repoint`. A subscription that is given to write is written over the one that it was decided from, by its `rev`.
    All raise Throttled, Conflict or StoreUnavailable.
    """

    def open(self, subscription: Subscription) -> Subscription:
        """Write a new subscription, if its tenant has none to this URL (url_hash); else return the one there is."""
        ...

    def get(self, tenant_id: str | None, subscription_id: str) -> Subscription | None:
        """The tenant's subscription with this id as it is stored, or None."""
        ...

    def page(self, tenant_id: str | None, *, after: str | None = None, limit: int) -> Sequence[Subscription]:
        """Up to `limit` of the tenant's subscriptions after this id, oldest first, without duplicates of others."""
        ...

    def live_feeds(self, feed_ids: Sequence[str]) -> Mapping[str, str]:
        """What each of these feeds is now, through all merges: feed_id -> feed_id. What is unknown is left out."""
        ...

    def save(self, after: Subscription) -> bool:
        """Write one over the one that it was decided from. False if that changed or went: read and decide again.

        Its feed must be the one that was read, or none; a feed is given by `make_ready`.
        """
        ...

    def make_ready(self, before: Subscription, *, feed_id: str, now: int) -> Subscription | None:
        """Give a pending subscription its feed, in one transaction with the claim that makes it the tenant's only one.

        Where another of the tenant's has the feed, this one is ready as its duplicate, and the other gets its tags, and
        its title if it has none. None if `before` changed or went.
        """
        ...

    def delete(self, before: Subscription) -> bool:
        """Delete it, and free its URL and its feed, in one transaction; then its duplicates. False as for `save`."""
        ...

    def pending(self, *, before: int, limit: int) -> Sequence[tuple[str | None, str]]:
        """(tenant_id, subscription_id) of some that have owed something since `before` or earlier. It may lag."""
        ...

    def repoint(self, feed_id: str, *, now: int) -> bool:
        """Let the subscriptions that are seen to name a merged feed name the one that it went into.

        Two of one tenant that end on one feed become the earlier one and its duplicate. True when none is left
        that was seen; the index lags, so whoever merged asks again later. Doing it again is harmless.
        """
        ...
