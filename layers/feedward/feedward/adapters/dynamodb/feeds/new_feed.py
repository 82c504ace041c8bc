"""Items of a new feed: FEED, META, RECENT, AUDIT and OUT (rule R10).

FEED holds only what checks read or write, and stays within 1 KB, which is one write unit. META holds the rest.
"""

from __future__ import annotations

from typing import Any

from feedward.adapters.dynamodb.feeds.document_items import recent_item, text_attributes
from feedward.adapters.dynamodb.feeds.health_items import DUE_ATTRIBUTES, feed_attributes, with_room
from feedward.adapters.dynamodb.store.codec import Item, text
from feedward.adapters.dynamodb.store.keys import FEED, META, NAMES_HUBS, audit_sk, feed_key, out_sk
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Transaction, absent
from feedward.events.envelope import FEED_DISCOVERED, feed_discovered
from feedward.health.due_feed import DueFeed
from feedward.health.feed_health import FeedHealth
from feedward.health.feed_texts import texts_of
from feedward.health.next_check import Schedule, slot_place
from feedward.health.recent_items import Recent, updated
from feedward.health.validators import StoredValidators
from feedward.model import Outcome
from feedward.registration import NewFeed
from feedward.scheduling.backoff import DAY_S
from feedward.scheduling.shards import domain_shard, pending_shard
from feedward.ulid import counted_ulid, derived_ulid
from feedward.urls.safety import host_of_url

# Attributes whose removal takes a feed out of all lists and of both due indexes.
LIST_KEYS = (*sorted(DUE_ATTRIBUTES), "state_shard", "domain_shard")


def feed_item(new: NewFeed, url_hash: str) -> Item:
    """Return FEED: healthy, due, listed, at rev 1 (rule I4)."""
    host, health = host_of_url(new.url), _health(new)
    feed = DueFeed(
        feed_id=new.feed_id,
        url=new.url,
        url_hash=url_hash,
        host=host,
        owner=new.scope or None,
        rev=1,
        place=slot_place(health, new.now, Schedule()),
        validators=_validators(new),
        content_hash=text(new.content_hash, 128),
        health=health,
    )
    return {
        **feed_key(new.feed_id, FEED),
        **{name: value for name, value in feed_attributes(with_room(feed)).items() if value is not None},
        "created_at": new.now,
        "domain_shard": domain_shard(host, new.feed_id, scope=new.scope),
    }


def meta_item(new: NewFeed) -> Item:
    """Return META: the feed's data for readers, with texts cut to their limits (rule R1).

    If a discovery chose the feed, META names the site and the score.
    """
    texts = texts_of(
        title=new.title,
        description=new.description,
        site_url=new.site_url,
        language=new.language,
        hub_urls=new.hub_urls,
        format=new.format,
    )
    return {
        **feed_key(new.feed_id, META),
        **text_attributes(texts),
        "site_id": new.site_id,
        "is_canonical": new.is_canonical or None,
        "canonical_score": new.canonical_score,
        **_topic_attributes(new),
        **_hub_mark(new),
    }


def _hub_mark(new: NewFeed) -> Item:
    """Return the mark of a shared feed that names hubs: the pass of subscriptions reads and deletes the mark."""
    if not new.hub_urls or new.scope:
        return {}
    return {"pending_shard": pending_shard(NAMES_HUBS, new.feed_id), "pending_since": new.now}


def _topic_attributes(new: NewFeed) -> Item:
    if not new.topics:
        return {}
    from feedward.adapters.dynamodb.feeds.topic_items import first_topics  # noqa: PLC0415 - many feeds have none

    return first_topics(new.topics)


def first_items(new: NewFeed) -> Item:
    """Return RECENT: the items at registration. They are not published as new."""
    recent, _ = updated(Recent(signature=new.signature), new.items, new.now, site_url=new.site_url)
    return recent_item(new.feed_id, recent)


def registered_audit_item(new: NewFeed) -> Item:
    """Return the AUDIT row with the origin of the feed."""
    entry_id = counted_ulid(new.now, 0, "registered", new.feed_id)
    topics = {topic.id: topic.state.value for topic in new.topics} or None
    row = {"action": "registered", "at": new.now, "by": "register", "url": new.url, "topics": topics}
    return {**feed_key(new.feed_id, audit_sk(new.now, entry_id)), **row}


def add_to_history(transaction: Transaction, tables: Tables, row: Item) -> None:
    """Add: an AUDIT row, with an expiry time if this deployment limits the retention."""
    days = tables.names.history_days
    expiry = {"expires_at": row["at"] + days * DAY_S} if days else {}
    transaction.put(tables.names.feeds, row | expiry, absent("feed_id"))


def discovered_out_item(new: NewFeed) -> Item:
    """Return OUT with the event FeedDiscovered, to be stored together with the feed (rule I7)."""
    event_id = derived_ulid(new.now, FEED_DISCOVERED, new.feed_id)
    detail = feed_discovered(
        event_id=event_id, occurred_at=new.now, tenant_id=new.scope or None, feed_id=new.feed_id, url=new.url
    )
    return out_item(new.feed_id, event_id, new.now, kind="event", detail_type=FEED_DISCOVERED, detail=detail)


def out_item(feed_id: str, entry_id: str, now: int, *, kind: str, **content: Any) -> Item:
    """Return an outbox entry of a feed, with its pending mark."""
    mark = {"pending_shard": pending_shard("out", entry_id), "pending_since": now}
    return {**feed_key(feed_id, out_sk(entry_id)), "kind": kind, **mark, **content}


def _health(new: NewFeed) -> FeedHealth:
    """Return the health of a feed that was fetched and parsed just now."""
    return FeedHealth(
        feed_id=new.feed_id,
        median_gap_s=new.median_gap_s,
        hint_s=new.hint_s,
        latest_item_published_at=new.latest_item_published_at,
        last_success_at=new.now,
        last_attempt_at=new.now,
        last_outcome=Outcome.OK,
        last_http_status=new.http_status,
    )


def _validators(new: NewFeed) -> StoredValidators:
    sent = new.validators
    if not (sent.etag or sent.last_modified):
        return StoredValidators()
    return StoredValidators(
        etag=sent.etag,
        last_modified=sent.last_modified,
        validators_url=new.validators_url or new.url,
        validators_at=new.now,
    )
