"""Items of a feed from a seed file: FEED, META, AUDIT and OUT. No document was read, so it has no RECENT (rule R18).

A check finds no RECENT and takes the items of its first document as known, so that none is published as new.
"""

from __future__ import annotations

from feedward.adapters.dynamodb.feeds.document_items import text_attributes
from feedward.adapters.dynamodb.feeds.health_items import feed_attributes
from feedward.adapters.dynamodb.feeds.new_feed import add_to_history, out_item
from feedward.adapters.dynamodb.feeds.topic_items import first_topics, list_topics
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import FEED, META, audit_sk, feed_key, url_key
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Transaction, absent
from feedward.events.envelope import FEED_DISCOVERED, feed_discovered
from feedward.health.due_feed import DueFeed
from feedward.health.feed_health import FeedHealth
from feedward.health.feed_texts import texts_of
from feedward.health.seeded_feed import SeededFeed
from feedward.scheduling.shards import domain_shard
from feedward.scheduling.slots import Place
from feedward.topics.feed_topics import FeedTopics, seeded
from feedward.ulid import counted_ulid, derived_ulid
from feedward.urls.key import KEY_VERSION

WRITES = 6


def put_seeded(transaction: Transaction, tables: Tables, new: SeededFeed) -> None:
    """Add: the feed and its claim on its URL. It is healthy until its first check."""
    row = {"url": new.url, "key_version": KEY_VERSION}
    transaction.update(
        tables.names.urls, url_key(new.url_hash), absent("feed_id"), assign={"feed_id": new.feed_id}, assign_once=row
    )
    for item in (_feed(new), _meta(new), _out(new)):
        transaction.put(tables.names.feeds, item, absent("feed_id"))
    add_to_history(transaction, tables, _audit(new))
    list_topics(transaction, tables.names.feeds, new.feed_id, before=(), after=_topics(new), scope="")


def _feed(new: SeededFeed) -> Item:
    due = DueFeed(
        feed_id=new.feed_id,
        url=new.url,
        url_hash=new.url_hash,
        host=new.host,
        rev=1,
        place=Place(from_s=new.first_check_at),
        health=FeedHealth(feed_id=new.feed_id),
    )
    attributes = {name: value for name, value in feed_attributes(due).items() if value is not None}
    lists = {"created_at": new.now, "domain_shard": domain_shard(new.host, new.feed_id)}
    return {**feed_key(new.feed_id, FEED), **attributes, **lists}


def _meta(new: SeededFeed) -> Item:
    texts = texts_of(
        title=new.title,
        description=new.description,
        site_url=new.site_url,
        language=new.language,
        hub_urls=(),
        format=None,
    )
    return {**feed_key(new.feed_id, META), **text_attributes(texts), **first_topics(_topics(new))}


def _topics(new: SeededFeed) -> FeedTopics:
    """Return the topics of a seed, whose category is an approved topic (rule T2)."""
    return seeded((), new.category) if new.category else ()


def _audit(new: SeededFeed) -> Item:
    entry_id = counted_ulid(new.now, 0, "seeded", new.feed_id)
    row: Item = {"action": "seeded", "at": new.now, "by": "import", "url": new.url}
    row["topics"] = {topic.id: topic.state.value for topic in _topics(new)} or None
    return {**feed_key(new.feed_id, audit_sk(new.now, entry_id)), **row}


def _out(new: SeededFeed) -> Item:
    event_id = derived_ulid(new.now, FEED_DISCOVERED, new.feed_id)
    detail = feed_discovered(event_id=event_id, occurred_at=new.now, tenant_id=None, feed_id=new.feed_id, url=new.url)
    return out_item(new.feed_id, event_id, new.now, kind="event", detail_type=FEED_DISCOVERED, detail=detail)
