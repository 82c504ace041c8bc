"""Looks up the URLs of a chunk at once: the tenant's subscriptions, the feeds of the directory, and who holds them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from feedward.adapters.dynamodb.registry.live_owners import live_owners
from feedward.adapters.dynamodb.store.keys import (
    subscribed_feed_sk,
    subscribed_url_sk,
    subscription_sk,
    tenant_key,
)
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.tenants.subscription_items import read_subscription
from feedward.intake.plan import KnownFeeds
from feedward.subscriptions.subscription import Subscription

_URL = "SUBURL#"
_FEED = "SUBFEED#"


def known_feeds(tables: Tables, tenant_id: str | None, hashes: Mapping[str, str]) -> KnownFeeds:
    """Return what is known of URLs. `hashes` maps a URL's hash to its hash in the directory.

    Takes at most seven batch reads, two of them for URLs that nobody knows.
    """
    claims = _claims(tables, tenant_id, (subscribed_url_sk(each) for each in hashes))
    owned = {sk.removeprefix(_URL): own for sk, own in claims.items()}
    found = read_all(tables, tenant_id, owned.values())
    subscriptions = {each: found[own] for each, own in owned.items() if own in found}
    firsts = read_all(tables, tenant_id, {each.duplicate_of for each in found.values() if each.duplicate_of})
    left = {wanted: each for each, wanted in hashes.items() if each not in subscriptions}
    feeds = {left[wanted]: feed_id for wanted, feed_id in live_owners(tables, list(left)).items()} if left else {}
    return KnownFeeds(
        subscriptions=subscriptions,
        firsts=_primaries(tables, tenant_id, firsts),
        feeds=feeds,
        holders=_holders(tables, tenant_id, set(feeds.values())),
    )


def read_all(tables: Tables, tenant_id: str | None, ids: Iterable[str]) -> dict[str, Subscription]:
    """Return the tenant's subscriptions with these ids, by id. Missing ones are left out."""
    keys = [tenant_key(tenant_id, subscription_sk(each)) for each in dict.fromkeys(ids)]
    items = tables.batch_get(tables.names.tenants, keys) if keys else []
    return {found.subscription_id: found for found in map(read_subscription, items)}


def _primaries(tables: Tables, tenant_id: str | None, firsts: dict[str, Subscription]) -> dict[str, Subscription]:
    """The primaries of duplicates; one that became a duplicate itself names a further one."""
    further = read_all(tables, tenant_id, {each.duplicate_of for each in firsts.values() if each.duplicate_of})
    return {each: further.get(found.duplicate_of or "", found) for each, found in firsts.items()}


def _holders(tables: Tables, tenant_id: str | None, feed_ids: Iterable[str]) -> dict[str, Subscription]:
    claims = _claims(tables, tenant_id, map(subscribed_feed_sk, feed_ids))
    found = read_all(tables, tenant_id, claims.values())
    holders = {sk.removeprefix(_FEED): found.get(own) for sk, own in claims.items()}
    return {feed_id: held for feed_id, held in holders.items() if held and held.feed_id == feed_id}


def _claims(tables: Tables, tenant_id: str | None, sort_keys: Iterable[str]) -> dict[str, str]:
    """The ids of the subscriptions that have these claims, by sort key."""
    keys = [tenant_key(tenant_id, sk) for sk in dict.fromkeys(sort_keys)]
    rows = tables.batch_get(tables.names.tenants, keys, ("sk", "subscription_id")) if keys else []
    return {row["sk"]: row["subscription_id"] for row in rows}
