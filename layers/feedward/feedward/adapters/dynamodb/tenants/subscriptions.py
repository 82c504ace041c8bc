"""Subscriptions of tenants: ports.Subscriptions over TenantsTable (rule R14)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from feedward.adapters.dynamodb.store.keys import SUB_PREFIX, feed_key, subscription_sk, tenant_key
from feedward.adapters.dynamodb.store.tables import Tables, TableStore
from feedward.adapters.dynamodb.store.transaction import Transaction, absent, either, equals
from feedward.adapters.dynamodb.tenants import subscribed_feeds
from feedward.adapters.dynamodb.tenants.subscription_items import (
    SHARDS,
    claim_item,
    feed_claim_key,
    owner_and_id,
    read_subscription,
    subscription_key,
    url_claim_key,
)
from feedward.errors import Conflict, FeedwardError
from feedward.subscriptions.subscription import Subscription

# Each round is lost to a deletion of the subscription that holds the URL, followed by another claim on the URL.
_ROUNDS: Final = 20


class DynamoSubscriptions(TableStore):
    """ports.Subscriptions. Thread-safe."""

    # --- reading ----------------------------------------------------------------------------------

    def get(self, tenant_id: str | None, subscription_id: str) -> Subscription | None:
        """Return the tenant's subscription with this id as stored, or None."""
        return subscribed_feeds.read(self._tables, tenant_id, subscription_id)

    def page(self, tenant_id: str | None, *, after: str | None = None, limit: int) -> Sequence[Subscription]:
        """Return up to `limit` subscriptions of the tenant after this id, oldest first, without duplicates."""
        rows = self._tables.query(
            self._tables.names.tenants,
            ("tenant_id", tenant_key(tenant_id, "")["tenant_id"]),
            prefix=("sk", SUB_PREFIX),
            after=tenant_key(tenant_id, subscription_sk(after)) if after else None,
            page_items=limit,
        )
        return list(islice((each for each in map(read_subscription, rows) if each.duplicate_of is None), limit))

    def count(self, tenant_id: str | None, *, at_most: int | None = None) -> int:
        """Return the number of the tenant's subscriptions, duplicates included, at most `at_most`."""
        own = ("tenant_id", tenant_key(tenant_id, "")["tenant_id"])
        return self._tables.count(self._tables.names.tenants, own, prefix=("sk", SUB_PREFIX), at_most=at_most)

    def of_url(self, subscription: Subscription) -> Subscription | None:
        """Return the tenant's subscription to the same URL, or None."""
        claim = self._tables.get(self._tables.names.tenants, url_claim_key(subscription))
        return subscribed_feeds.read(self._tables, subscription.tenant_id, claim["subscription_id"]) if claim else None

    def live_feeds(self, feed_ids: Sequence[str]) -> Mapping[str, str]:
        """Return the surviving feed_id of each feed_id, with one batch read per link of the longest chain."""
        tables = self._tables
        into: dict[str, str | None] = {}
        while wanted := sorted(({*feed_ids} | {each for each in into.values() if each}) - into.keys()):
            keys = [feed_key(feed_id) for feed_id in wanted]
            found = tables.batch_get(tables.names.feeds, keys, ("feed_id", "merged_into"))
            known = {item["feed_id"]: item.get("merged_into") for item in found}
            if not known:
                break
            into |= known
            feed_ids = [each for each in feed_ids if each in into]
        return {feed_id: _end(feed_id, into) for feed_id in feed_ids}

    def pending(self, *, before: int, limit: int) -> Sequence[tuple[str | None, str]]:
        """Return (tenant_id, subscription_id) of up to `limit` with a pending mark from `before` or earlier."""
        return list(islice(self._pending(self._tables, before, limit), limit))

    def _pending(self, tables: Tables, before: int, limit: int) -> Iterator[tuple[str | None, str]]:
        for shard in SHARDS:
            yield from map(
                owner_and_id,
                tables.query(
                    tables.names.tenants,
                    ("pending_shard", shard),
                    index="pending",
                    up_to=("pending_since", before),
                    page_items=limit,
                ),
            )

    # --- writing ----------------------------------------------------------------------------------

    def open(self, subscription: Subscription) -> Subscription:
        """Write a new subscription, or return the tenant's existing one for this URL."""
        tables = self._tables
        for _ in range(_ROUNDS):
            key = url_claim_key(subscription)
            transaction = Transaction()
            transaction.put(tables.names.tenants, claim_item(key, subscription), absent("sk"))
            written = subscribed_feeds.put_new(transaction, tables.names.tenants, subscription)
            refusals = tables.transact(transaction)
            if not refusals:
                return written
            claim = next((refusal.item for refusal in refusals if refusal.index == 0), None)
            first = claim and subscribed_feeds.read(tables, subscription.tenant_id, claim["subscription_id"])
            if first:
                return first
        raise Conflict("the subscriptions to this URL kept changing")

    def save(self, after: Subscription) -> bool:
        """Write the subscription with optimistic locking. Returns False if it has changed or was deleted."""
        tables = self._tables
        transaction = Transaction()
        subscribed_feeds.put_over(transaction, tables.names.tenants, after)
        return not tables.transact(transaction)

    def make_ready(self, before: Subscription, *, feed_id: str, now: int) -> Subscription | None:
        """Set the feed of a pending subscription, or make it a duplicate. None if it has changed or was deleted."""
        return subscribed_feeds.make_ready(self._tables, before, feed_id, now)

    def delete(self, before: Subscription) -> bool:
        """Delete it with its claims, then its duplicates. Returns False if it has changed or was deleted.

        If deleting the duplicates fails, reads treat the remaining ones as deleted.
        """
        tables = self._tables
        if tables.transact(_deletion(tables, before)):
            return False
        if before.feed_id is not None and before.duplicate_of is None:
            with contextlib.suppress(FeedwardError):
                _delete_duplicates(tables, before, before.feed_id)
        return True

    def repoint(self, feed_id: str, *, now: int) -> bool:
        """Re-point the subscriptions of a merged feed to the surviving feed."""
        return subscribed_feeds.repoint(self._tables, feed_id, now)


def _end(feed_id: str, into: Mapping[str, str | None]) -> str:
    while (further := into.get(feed_id)) is not None:
        feed_id = further
    return feed_id


def _deletion(tables: Tables, before: Subscription) -> Transaction:
    own = either(absent("sk"), equals("subscription_id", before.subscription_id))
    transaction = Transaction()
    transaction.delete(tables.names.tenants, subscription_key(before), subscribed_feeds.unchanged(before))
    transaction.delete(tables.names.tenants, url_claim_key(before), own)
    if before.feed_id is not None and before.duplicate_of is None:
        transaction.delete(tables.names.tenants, feed_claim_key(before), own)
    if before.import_entry is not None:
        from feedward.adapters.dynamodb.tenants.import_items import end_entry  # noqa: PLC0415 - few are of an import

        end_entry(transaction, tables.names.tenants, before)
    return transaction


def _delete_duplicates(tables: Tables, first: Subscription, feed_id: str) -> None:
    tenant = subscription_key(first)["tenant_id"]
    rows = tables.query(
        tables.names.tenants, ("feed_id", feed_id), index="by_feed", between=("tenant_id", tenant, tenant)
    )
    for row in rows:
        for _ in range(_ROUNDS):
            each = subscribed_feeds.read(tables, *owner_and_id(row))
            is_ours = each is not None and each.duplicate_of == first.subscription_id
            if each is None or not is_ours or not tables.transact(_deletion(tables, each)):
                break
