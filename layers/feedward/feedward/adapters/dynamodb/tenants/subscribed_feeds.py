"""Claims of subscriptions on feeds: set when a subscription is ready, moved when the feed is merged (rule R14).

A tenant has one subscription per feed. SUB and its claim SUBFEED are written together, with optimistic locking on SUB.
So a subscription that was read as the holder of a claim holds it while it is unchanged.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from feedward.adapters.dynamodb.registry.lookup import live_feed
from feedward.adapters.dynamodb.store.keys import feed_key, subscription_sk, tenant_key
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Condition, Transaction, absent, both, either, equals, present
from feedward.adapters.dynamodb.tenants.subscription_items import (
    claim_item,
    feed_claim_key,
    owner_and_id,
    read_subscription,
    subscription_item,
    subscription_key,
)
from feedward.errors import Conflict, FeedwardError
from feedward.subscriptions.merge import Settled, given_feed, moved_to
from feedward.subscriptions.subscription import Subscription

# Each round is lost to another writer of the same feed or of the tenant's other subscription to it.
_ROUNDS: Final = 20


def read(tables: Tables, tenant_id: str | None, subscription_id: str) -> Subscription | None:
    """Return the tenant's subscription as stored, or None."""
    item = tables.get(tables.names.tenants, tenant_key(tenant_id, subscription_sk(subscription_id)))
    return read_subscription(item) if item else None


def put_over(transaction: Transaction, table: str, after: Subscription) -> Subscription:
    """Add: write the subscription with optimistic locking. Returns it with its new rev.

    If it is settled and an entry of an import waits for it, the entry ends in the same transaction.
    """
    written = replace(after, rev=after.rev + 1)
    is_awaited = written.import_entry is not None and not written.is_pending
    written = replace(written, import_entry=None) if is_awaited else written
    transaction.put(table, subscription_item(written), unchanged(after))
    if is_awaited:
        from feedward.adapters.dynamodb.tenants.import_items import end_entry  # noqa: PLC0415 - few are of an import

        end_entry(transaction, table, after)
    return written


def put_new(transaction: Transaction, table: str, new: Subscription) -> Subscription:
    """Add: write a new subscription. Returns it with its rev."""
    written = replace(new, rev=1)
    transaction.put(table, subscription_item(written), absent("sk"))
    return written


def unchanged(subscription: Subscription) -> Condition:
    """Require that SUB is unchanged."""
    return equals("rev", subscription.rev)


def make_ready(tables: Tables, before: Subscription, feed_id: str, now: int) -> Subscription | None:
    """Set the feed of a pending subscription, or make it a duplicate. Returns None if `before` has changed."""
    holder: Subscription | None = None
    for _ in range(_ROUNDS):
        settled = given_feed(before, feed_id=_live(tables, feed_id), holder=holder, now=now)
        transaction = Transaction()
        after = put_over(transaction, tables.names.tenants, settled.own)
        _claim_or_join(transaction, tables, settled, holder)
        refusals = tables.transact(transaction)
        if not refusals:
            return after
        if any(refusal.index == 0 for refusal in refusals):
            return None
        holder = _holder(tables, after)
    raise Conflict("the feed, or the other subscription to it, kept changing")


# --- when feeds are merged --------------------------------------------------------------------------


def repoint(tables: Tables, feed_id: str, now: int) -> bool:
    """Re-point subscriptions of a merged feed to the surviving feed. Returns False after a conflict: try again.

    If the tenant has a subscription to that feed too, the later one becomes a duplicate of the earlier one. So no
    tenant loses a feed, and each tenant has one subscription per feed.
    """
    target = live_feed(tables, feed_id)
    if target is None or target["feed_id"] == feed_id:
        return True
    rows = tables.query(tables.names.tenants, ("feed_id", feed_id), index="by_feed")
    found = [read(tables, *owner_and_id(row)) for row in rows]
    named = [each for each in found if each is not None and each.feed_id == feed_id]
    named.sort(key=lambda each: each.duplicate_of is not None)  # a duplicate comes after its primary
    moved = [_move(tables, each, target["feed_id"], now) for each in named]
    return all(moved)


def _move(tables: Tables, before: Subscription, target: str, now: int) -> bool:
    """Re-point one subscription, if it and the other one are unchanged. A duplicate waits for its primary."""
    holder = _holder(tables, replace(before, feed_id=target))
    settled = moved_to(before, feed_id=target, holder=holder, now=now)
    if settled is None:
        return False
    transaction = Transaction()
    put_over(transaction, tables.names.tenants, settled.own)
    if before.duplicate_of is None:
        own = equals("subscription_id", before.subscription_id)
        transaction.delete(tables.names.tenants, feed_claim_key(before), either(absent("sk"), own))
    if not settled.is_taken_over or settled.other is None:
        _claim_or_join(transaction, tables, settled, holder)
        return not tables.transact(transaction)
    _take_claim(transaction, tables, settled.own, settled.other)
    return not tables.transact(transaction) and _follow(tables, settled.other, target, now)


def _take_claim(transaction: Transaction, tables: Tables, own: Subscription, other: Subscription) -> None:
    """Add: transfer the other subscription's claim to this one, and make the other one its duplicate."""
    tenants = tables.names.tenants
    put_over(transaction, tenants, other)
    was = equals("subscription_id", other.subscription_id)
    transaction.put(tenants, claim_item(feed_claim_key(own), own), was)
    _check_live(transaction, tables, own)


def _follow(tables: Tables, first: Subscription, target: str, now: int) -> bool:
    """Re-point duplicates of a subscription that became a duplicate itself to its primary.

    Reads follow both links, so a duplicate that was not re-pointed is still found (services.subscribe.first_of).
    """
    tenant = subscription_key(first)["tenant_id"]
    rows = tables.query(
        tables.names.tenants, ("feed_id", target), index="by_feed", between=("tenant_id", tenant, tenant)
    )
    found = [read(tables, *owner_and_id(row)) for row in rows]
    left = [each for each in found if each is not None and each.duplicate_of == first.subscription_id]
    moved = [_move(tables, each, target, now) for each in left]
    return all(moved)


# --- claims -----------------------------------------------------------------------------------------


def _claim_or_join(transaction: Transaction, tables: Tables, settled: Settled, holder: Subscription | None) -> None:
    """Add: claim the feed if it is free. Otherwise write the holder, or require that it is unchanged.

    In all cases the feed must not be merged.
    """
    tenants, own, other = tables.names.tenants, settled.own, settled.other
    _check_live(transaction, tables, own)
    if other is None:
        free_or_own = either(absent("sk"), equals("subscription_id", own.subscription_id))
        transaction.put(tenants, claim_item(feed_claim_key(own), own), free_or_own)
    elif other is holder:
        transaction.check(tenants, subscription_key(other), unchanged(other))
    else:
        put_over(transaction, tenants, other)


def _check_live(transaction: Transaction, tables: Tables, subscription: Subscription) -> None:
    feed_id = subscription.feed_id or ""
    transaction.check(tables.names.feeds, feed_key(feed_id), both(present("sk"), absent("merged_into")))


def _holder(tables: Tables, subscription: Subscription) -> Subscription | None:
    """Return the tenant's other subscription that holds the claim on the feed. None if it is free or just deleted."""
    key = feed_claim_key(subscription)
    claim = tables.get(tables.names.tenants, key)
    if claim is None or claim["subscription_id"] == subscription.subscription_id:
        return None
    holder = read(tables, subscription.tenant_id, claim["subscription_id"])
    has_it = holder is not None and holder.duplicate_of is None and holder.feed_id == subscription.feed_id
    return holder if has_it else None


def _live(tables: Tables, feed_id: str) -> str:
    feed = live_feed(tables, feed_id)
    if feed is None:
        raise FeedwardError(f"there is no feed {feed_id} to subscribe to")
    return str(feed["feed_id"])
