"""Subscriptions to store, for the contract suite: one line each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from feedward.registration import NewFeed
from feedward.subscriptions.subscription import Subscription, new_subscription
from feedward.ulid import derived_ulid
from feedward.urls.key import url_hash
from tests.contract.benches.feeds import NOW, feed_id, new_feed
from tests.contract.conftest import Bench

URL = "https://example.com/"
OTHER = "https://example.org/blog"
FEED = "https://example.com/feed"
OTHER_FEED = "https://example.org/feed"
TENANTS = (None, "t1", "t2")


def new(name: str = "one", url: str = URL, *, tenant_id: str | None = None, **members: Any) -> Subscription:
    """Return a pending subscription with the id of this name."""
    subscription_id = derived_ulid(NOW, "subscription", name)
    return new_subscription(subscription_id, tenant_id=tenant_id, url=url, url_hash=url_hash(url), now=NOW, **members)


def opened(bench: Bench, name: str = "one", url: str = URL, **members: Any) -> Subscription:
    """Write a subscription and return it."""
    return bench.subscriptions.open(new(name, url, **members))


def made_at(bench: Bench, created_at: int, feed: str, name: str, url: str, **members: Any) -> Subscription:
    """Write a subscription of that time, ready with this feed."""
    pending = bench.subscriptions.open(replace(new(name, url, **members), created_at=created_at))
    ready = bench.subscriptions.make_ready(pending, feed_id=feed, now=NOW + 9)
    assert ready is not None
    return ready


def registered(bench: Bench, name: str = "a", url: str = FEED, *aliases: str, now: int = NOW) -> str:
    """Register a feed and return its id; a later `now` makes a larger one."""
    feed: NewFeed = new_feed(name, url, *aliases, now=now)
    bench.store.register(feed)
    return feed_id(name, now)


def subscribed(bench: Bench, feed: str, name: str = "one", url: str = URL, **members: Any) -> Subscription:
    """Write a subscription that is ready with this feed."""
    ready = bench.subscriptions.make_ready(opened(bench, name, url, **members), feed_id=feed, now=NOW + 9)
    assert ready is not None
    return ready
