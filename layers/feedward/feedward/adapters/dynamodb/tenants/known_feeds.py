"""Looks up the URLs of a chunk in batch reads: the tenant's subscriptions, the directory's feeds and their holders."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from feedward.access.ownership import is_visible
from feedward.adapters.dynamodb.registry.live_owners import live_owners
from feedward.adapters.dynamodb.store.keys import (
    feed_key,
    subscribed_feed_sk,
    subscribed_url_sk,
    subscription_sk,
    tenant_key,
)
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.tenants.subscription_items import read_subscription
from feedward.intake.chunk_results import KnownFeeds
from feedward.subscriptions.subscription import Subscription

_URL = "SUBURL#"
_FEED = "SUBFEED#"


def known_feeds(tables: Tables, tenant_id: str | None, hashes: Mapping[str, str]) -> KnownFeeds:
    """Return the subscriptions and feeds of URLs. `hashes` maps a URL's hash to its hash in the directory.

    A feed that is hidden from the tenant is unknown (rule TN7). Takes at most seven batch reads, eight for a tenant;
    two if all URLs are unknown.
    """
    claims = _claims(tables, tenant_id, (subscribed_url_sk(each) for each in hashes))
    owned = {sk.removeprefix(_URL): own for sk, own in claims.items()}
    found = read_all(tables, tenant_id, owned.values())
    subscriptions = {each: found[own] for each, own in owned.items() if own in found}
    firsts = read_all(tables, tenant_id, {each.duplicate_of for each in found.values() if each.duplicate_of})
    left = {wanted: each for each, wanted in hashes.items() if each not in subscriptions}
    feeds = {left[wanted]: feed_id for wanted, feed_id in live_owners(tables, list(left)).items()} if left else {}
    seen = _seen(tables, tenant_id, feeds.values())
    feeds = {each: feed_id for each, feed_id in feeds.items() if feed_id in seen}
    return KnownFeeds(
        subscriptions=subscriptions,
        firsts=_primaries(tables, tenant_id, firsts),
        feeds=feeds,
        holders=_holders(tables, tenant_id, set(feeds.values())),
    )


def _seen(tables: Tables, tenant_id: str | None, feed_ids: Iterable[str]) -> set[str]:
    """Return those of the feeds that the tenant may see. The deployment's own user sees all feeds of its URLs."""
    wanted = set(feed_ids)
    if tenant_id is None or not wanted:
        return wanted
    keys = [feed_key(feed_id) for feed_id in sorted(wanted)]
    rows = tables.batch_get(tables.names.feeds, keys, ("feed_id", "url", "owner"))
    return {row["feed_id"] for row in rows if is_visible(tenant_id, owner=row.get("owner"), url=row["url"])}


def read_all(tables: Tables, tenant_id: str | None, ids: Iterable[str]) -> dict[str, Subscription]:
    """Return the tenant's subscriptions with these ids, by id. Missing ones are left out."""
    keys = [tenant_key(tenant_id, subscription_sk(each)) for each in dict.fromkeys(ids)]
    items = tables.batch_get(tables.names.tenants, keys) if keys else []
    return {found.subscription_id: found for found in map(read_subscription, items)}


def _primaries(tables: Tables, tenant_id: str | None, firsts: dict[str, Subscription]) -> dict[str, Subscription]:
    """Return the primaries of duplicates. A primary that became a duplicate names another primary."""
    further = read_all(tables, tenant_id, {each.duplicate_of for each in firsts.values() if each.duplicate_of})
    return {each: further.get(found.duplicate_of or "", found) for each, found in firsts.items()}


def _holders(tables: Tables, tenant_id: str | None, feed_ids: Iterable[str]) -> dict[str, Subscription]:
    claims = _claims(tables, tenant_id, map(subscribed_feed_sk, feed_ids))
    found = read_all(tables, tenant_id, claims.values())
    holders = {sk.removeprefix(_FEED): found.get(own) for sk, own in claims.items()}
    return {feed_id: held for feed_id, held in holders.items() if held and held.feed_id == feed_id}


def _claims(tables: Tables, tenant_id: str | None, sort_keys: Iterable[str]) -> dict[str, str]:
    """Return the ids of the subscriptions that have these claims, by sort key."""
    keys = [tenant_key(tenant_id, sk) for sk in dict.fromkeys(sort_keys)]
    rows = tables.batch_get(tables.names.tenants, keys, ("sk", "subscription_id")) if keys else []
    return {row["sk"]: row["subscription_id"] for row in rows}
