"""Port of the tenants' subscriptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from feedward.deadline import Bounded

if TYPE_CHECKING:  # used in annotations only: a port does not load the types that it names
    from collections.abc import Mapping, Sequence

    from feedward.subscriptions.subscription import Subscription


class Subscriptions(Bounded, Protocol):
    """Subscriptions of tenants (rule R14). `tenant_id` None is the deployment's own user (rule T1).

    Each call reads and writes one tenant only (rule I8), except `pending` and `repoint`, which schedules use. Writes
    use optimistic locking on the subscription's `rev`. All raise Throttled, Conflict or StoreUnavailable.
    """

    def open(self, subscription: Subscription) -> Subscription:
        """Write a new subscription, or return the one that the tenant has for this URL (url_hash)."""
        ...

    def get(self, tenant_id: str | None, subscription_id: str) -> Subscription | None:
        """Return the tenant's subscription with this id as stored, or None."""
        ...

    def page(self, tenant_id: str | None, *, after: str | None = None, limit: int) -> Sequence[Subscription]:
        """Return up to `limit` subscriptions of the tenant after this id, oldest first, without duplicates."""
        ...

    def count(self, tenant_id: str | None, *, at_most: int | None = None) -> int:
        """Return how many subscriptions the tenant has, duplicates included: `at_most`, if it has more."""
        ...

    def of_url(self, subscription: Subscription) -> Subscription | None:
        """Return the subscription that the tenant has for this one's URL, or None."""
        ...

    def live_feeds(self, feed_ids: Sequence[str]) -> Mapping[str, str]:
        """Resolve tombstones: return the surviving feed_id of each feed_id. Unknown feeds are left out."""
        ...

    def save(self, after: Subscription) -> bool:
        """Write the subscription. Returns False if its rev has changed or it was deleted: read and decide again.

        The call cannot change the feed: only `make_ready` sets it.
        """
        ...

    def make_ready(self, before: Subscription, *, feed_id: str, now: int) -> Subscription | None:
        """Set the feed of a pending subscription, in one transaction with the claim on (tenant, feed).

        If another subscription of the tenant has the claim, this one becomes its duplicate; the other one gets its
        tags, and its title if it has none. Returns None if `before` has changed or was deleted.
        """
        ...

    def delete(self, before: Subscription) -> bool:
        """Delete it with its claims in one transaction, then its duplicates. Returns False as `save` does."""
        ...

    def pending(self, *, before: int, limit: int) -> Sequence[tuple[str | None, str]]:
        """Return (tenant_id, subscription_id) of up to `limit` with a pending mark from `before` or earlier.

        The index may lag.
        """
        ...

    def repoint(self, feed_id: str, *, now: int) -> bool:
        """Re-point subscriptions of a merged feed to the surviving feed. Returns True if none is left in the index.

        If a tenant then has two for one feed, the later one becomes a duplicate of the earlier one. The index lags, so
        the caller calls again later. The call is idempotent.
        """
        ...
