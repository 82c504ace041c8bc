"""Reads FEED and META as one DirectoryFeed, and names the index shards that list feeds (rule R10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from feedward.adapters.dynamodb.feeds.document_items import read_texts, topics_of
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import FEED, topic_sk
from feedward.errors import FeedwardError, InvalidInput
from feedward.health.directory_feed import DirectoryFeed, FeedQuery
from feedward.health.due_feed import COLLECT_ITEMS, read_place
from feedward.health.feed_health import read_health
from feedward.model import FeedState
from feedward.scheduling.shards import domain_shards, state_shards, topic_shards

Shard: TypeAlias = tuple[str, str, str, str]
"""A shard of an index: the index, its attribute, the key, and the sort key of the items that it lists."""


def read_directory_feed(feed: Item, meta: Item, push: Item | None = None) -> DirectoryFeed:
    """Return the feed of a FEED, a META and a PUSH item. Raises FeedwardError if FEED is invalid."""
    try:
        health, place = read_health(feed["feed_id"], feed), read_place(feed)
    except InvalidInput as error:  # the invalid value is stored, not the caller's input
        raise FeedwardError(f"feed {feed['feed_id']} cannot be read: {error.field}: {error.message}") from error
    return DirectoryFeed(
        feed_id=feed["feed_id"],
        url=feed["url"],
        host=feed["host"],
        rev=feed["rev"],
        health=health,
        owner=feed.get("owner"),
        place=place,
        created_at=feed.get("created_at"),
        collect_items=feed.get(COLLECT_ITEMS) is True,
        texts=read_texts(meta),
        site_id=meta.get("site_id"),
        is_canonical=meta.get("is_canonical") is True,
        canonical_score=meta.get("canonical_score"),
        push=_trust(push) if push else "none",
        topics=topics_of(meta),
    )


def _trust(push: Item) -> str:
    from feedward.adapters.dynamodb.push.push_items import shown_trust  # noqa: PLC0415 - few feeds have a hub

    return shown_trust(push)


def names_hubs(feed: Item, meta: Item) -> bool:
    """Tell whether a feed may have a subscription to a hub, whose item is then read too."""
    return bool(meta.get("hub_urls") or "push_every" in feed.get("failures", {}))


def list_shards(query: FeedQuery, tenant_id: str | None) -> list[Shard]:
    """Return the index shards for a query, in a stable order.

    They hold the shared feeds and the tenant's own. The index by domain is preferred: a domain has few feeds, a topic
    more, a state many.
    """
    scopes = [""] if tenant_id is None else ["", tenant_id]
    return [shard for scope in scopes for shard in _shards(query, scope)]


def _shards(query: FeedQuery, scope: str) -> Iterator[Shard]:
    if query.domain is not None:
        for key in domain_shards(query.domain, scope=scope):
            yield "by_domain", "domain_shard", key, FEED
        return
    if query.topic is not None:
        for key in topic_shards(query.topic, scope=scope):
            yield "by_topic", "topic_shard", key, topic_sk(query.topic)
        return
    for state in [query.state] if query.state else FeedState:
        for key in state_shards(state, scope=scope):
            yield "by_state", "state_shard", key, FEED
