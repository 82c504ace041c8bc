"""Converts subscriptions to items of TenantsTable and back (rule R14): SUB, and its claims on a URL and on a feed."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from feedward.access import tenant_named
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import (
    SUB_PREFIX,
    subscribed_feed_sk,
    subscribed_url_sk,
    subscription_sk,
    tenant_key,
)
from feedward.scheduling.shards import PENDING_SHARDS, pending_shard
from feedward.subscriptions.subscription import Failure, Subscription, SubscriptionStatus

PENDING_KIND: Final = "sub"
SHARDS: Final = tuple(f"{PENDING_KIND}#{shard}" for shard in range(PENDING_SHARDS))
_KEYS: Final = ("tenant_id", "subscription_id")
_FIELDS: Final = tuple(field.name for field in fields(Subscription) if field.name not in _KEYS)


def subscription_key(subscription: Subscription) -> dict[str, str]:
    """Return the key of SUB."""
    return tenant_key(subscription.tenant_id, subscription_sk(subscription.subscription_id))


def subscription_item(subscription: Subscription) -> Item:
    """Return SUB. It has a pending mark while work remains, and is in the index by_feed once it has a feed.

    Only SUB has `feed_id`, so each subscription has one entry in by_feed.
    """
    stored = {name: getattr(subscription, name) for name in _FIELDS}
    stored["tags"] = list(subscription.tags)
    is_undelivered = subscription.pending_since is not None
    shard = pending_shard(PENDING_KIND, subscription.subscription_id) if is_undelivered else None
    return {**subscription_key(subscription), **stored, "pending_shard": shard}


def read_subscription(item: Item) -> Subscription:
    """Return the subscription of a SUB item."""
    members: dict[str, Any] = {name: item[name] for name in _FIELDS if name in item}
    members["tags"] = tuple(members.get("tags", ()))
    members["status"] = SubscriptionStatus(members["status"])
    if members.get("failure"):
        members["failure"] = Failure(members["failure"])
    tenant_id, subscription_id = owner_and_id(item)
    return Subscription(tenant_id=tenant_id, subscription_id=subscription_id, **members)


def owner_and_id(item: Item) -> tuple[str | None, str]:
    """Return the tenant and the id of a SUB item or of its index entry."""
    return tenant_named(item["tenant_id"]), item["sk"].removeprefix(SUB_PREFIX)


def url_claim_key(subscription: Subscription) -> dict[str, str]:
    """Return the key of the claim on its URL."""
    return tenant_key(subscription.tenant_id, subscribed_url_sk(subscription.url_hash))


def feed_claim_key(subscription: Subscription) -> dict[str, str]:
    """Return the key of the claim on its feed."""
    return tenant_key(subscription.tenant_id, subscribed_feed_sk(subscription.feed_id or ""))


def claim_item(key: dict[str, str], subscription: Subscription) -> Item:
    """Return SUBURL or SUBFEED: the claim of a subscription on a URL or a feed."""
    return {**key, "subscription_id": subscription.subscription_id}
