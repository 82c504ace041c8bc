"""Reads and writes of a check: ports.CheckStore (rule R12)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final

from feedward.adapters.dynamodb.feeds.document_items import (
    RECENT_ATTRIBUTES,
    TEXT_ATTRIBUTES,
    TOPIC_ATTRIBUTES,
    read_recent,
    read_texts,
    recent_item,
    text_attributes,
    topics_of,
)
from feedward.adapters.dynamodb.feeds.health_items import change, heartbeat, with_room
from feedward.adapters.dynamodb.feeds.new_feed import add_to_history, out_item
from feedward.adapters.dynamodb.feeds.outbox import EVENT
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.errors import Refusal
from feedward.adapters.dynamodb.store.keys import META, RECENT, audit_sk, feed_key, url_key
from feedward.adapters.dynamodb.store.tables import Tables, TableStore
from feedward.adapters.dynamodb.store.transaction import Condition, Transaction, both, equals, of_owner
from feedward.errors import InvalidInput
from feedward.health.decision import FeedUpdate, Remembered, StateChange, Stored
from feedward.health.due_feed import DueFeed, read_place
from feedward.model import FeedState
from feedward.scheduling.shards import domain_shards, state_shards
from feedward.ulid import counted_ulid

_HOST_FEEDS_AT_ONCE: Final = 25
_OWNED_AT_MOST: Final = 50
_OF_A_HOST_FEED: Final = ("feed_id", "host", "state", "consecutive_failures", "merged_into")


class DynamoCheckStore(TableStore):
    """ports.CheckStore. Thread-safe."""

    def write(self, update: FeedUpdate) -> Stored | None:
        """Write the result of a check with optimistic locking. Returns None if written, else the current state.

        A feed of another owner than that of the check is unknown (rule TN5). Also returns None if an earlier attempt
        was applied and its response was lost.
        """
        refusal = self._update(update) if update.is_single else self._transact(update)
        if refusal is None or _is_ours(refusal.item, update):
            return None
        is_anothers = refusal.item is not None and refusal.item.get("owner") != update.before.owner
        return Stored() if is_anothers else _stored(refusal.item)

    def remembered(self, feed_id: str) -> Remembered:
        """Return the feed's recent items and its texts, in one read."""
        keys = [feed_key(feed_id, sk) for sk in (RECENT, META)]
        names = self._tables.names
        wanted = ("sk", *RECENT_ATTRIBUTES, *TEXT_ATTRIBUTES, *TOPIC_ATTRIBUTES)
        found = self._tables.batch_get(names.feeds, keys, wanted)
        by_sk = {item["sk"]: item for item in found}
        recent, meta = by_sk.get(RECENT), by_sk.get(META)
        return Remembered(
            recent=read_recent(recent) if recent else None,
            texts=read_texts(meta) if meta else None,
            topics=topics_of(meta or {}),
        )

    def host_feeds(self, host: str, owner: str | None) -> Iterator[tuple[str, FeedState, int]]:
        """Yield id, state and consecutive failures of a host's feeds: the shared ones and those of `owner`."""
        ids = self._ids_of_domain(host, owner)
        while feed_ids := list(islice(ids, _HOST_FEEDS_AT_ONCE)):
            keys = [feed_key(feed_id) for feed_id in feed_ids]
            for feed in self._tables.batch_get(self._tables.names.feeds, keys, _OF_A_HOST_FEED):
                if feed.get("host") == host and "merged_into" not in feed:
                    yield feed["feed_id"], FeedState(feed["state"]), feed["consecutive_failures"]

    def healthy_feeds(self) -> Iterator[DueFeed]:
        """Yield healthy shared feeds, in no order, read 25 at a time."""
        tables, feeds = self._tables, self._tables.names.feeds
        shards = state_shards(FeedState.HEALTHY)
        ids = (
            item["feed_id"] for key in shards for item in tables.query(feeds, ("state_shard", key), index="by_state")
        )
        while keys := [feed_key(feed_id) for feed_id in islice(ids, _HOST_FEEDS_AT_ONCE)]:
            found = (_stored(item).due for item in tables.batch_get(feeds, keys))
            yield from (due for due in found if due is not None and due.health.state is FeedState.HEALTHY)

    def owned_urls(self, feed_id: str) -> list[str]:
        """Return the URLs of a feed from the index: at most 50, unordered. The index may lack new URLs."""
        tables = self._tables
        rows = islice(tables.query(tables.names.urls, ("feed_id", feed_id), index="by_feed"), _OWNED_AT_MOST)
        keys = [url_key(row["url_hash"]) for row in rows]
        found = tables.batch_get(tables.names.urls, keys, ("url", "feed_id"))
        return [row["url"] for row in found if row.get("feed_id") == feed_id]

    def due_feed(self, feed_id: str) -> DueFeed | None:
        """Return the feed. None if it is paused, merged or unknown."""
        return _stored(self._tables.get(self._tables.names.feeds, feed_key(feed_id))).due

    def _ids_of_domain(self, host: str, owner: str | None) -> Iterator[str]:
        feeds = self._tables.names.feeds
        for scope in {"", owner or ""}:
            for shard in domain_shards(host, scope=scope):
                for item in self._tables.query(feeds, ("domain_shard", shard), index="by_domain"):
                    yield item["feed_id"]

    def _update(self, update: FeedUpdate) -> Refusal | None:
        """Write FEED alone, without a transaction. A heartbeat keeps the rev, so no index entry changes for it."""
        written = heartbeat if update.is_heartbeat else change
        assign, remove = written(update.before, with_room(update.after))
        return self._tables.change(
            self._tables.names.feeds,
            feed_key(update.before.feed_id),
            _is_unchanged(update),
            assign=assign,
            increment=() if update.is_heartbeat else ("rev",),
            remove=remove,
        )

    def _transact(self, update: FeedUpdate) -> Refusal | None:
        """Write FEED with its other items. The condition on FEED guards them all."""
        feeds, feed_id = self._tables.names.feeds, update.before.feed_id
        assign, remove = change(update.before, with_room(update.after))
        transaction = Transaction()
        transaction.update(
            feeds, feed_key(feed_id), _is_unchanged(update), assign=assign, increment=("rev",), remove=remove
        )
        if update.recent is not None:
            transaction.put(feeds, recent_item(feed_id, update.recent))
        if update.texts is not None or update.suggested is not None:
            _write_meta(transaction, self._tables, update)
        for event in update.events:
            content = {"detail_type": event.detail_type, "detail": event.detail}
            occurred_at = event.detail["occurred_at"]
            transaction.put(feeds, out_item(feed_id, event.entry_id, occurred_at, kind=EVENT, **content))
        if update.state_change is not None:
            add_to_history(transaction, self._tables, _state_changed_item(update, update.state_change))
        return next(iter(self._tables.transact(transaction)), None)


def _is_unchanged(update: FeedUpdate) -> Condition:
    return both(equals("rev", update.before.rev), of_owner(update.before.owner))


def _write_meta(transaction: Transaction, tables: Tables, update: FeedUpdate) -> None:
    """Add: change only the texts and the suggested topics of META. Other writers own its choice and decided topics."""
    attributes = text_attributes(update.texts) if update.texts else {}
    if update.suggested is not None:
        from feedward.adapters.dynamodb.feeds.topic_items import note_suggestions  # noqa: PLC0415 - few checks suggest

        attributes |= note_suggestions(transaction, tables, update)
    assign = {name: value for name, value in attributes.items() if value is not None}
    key = feed_key(update.before.feed_id, META)
    transaction.update(tables.names.feeds, key, None, assign=assign, remove=attributes.keys() - assign.keys())


def _state_changed_item(update: FeedUpdate, changed: StateChange) -> Item:
    """Return the AUDIT row of a check that changed the state. Its key follows from the check."""
    feed_id, at = update.before.feed_id, update.after.health.last_attempt_at or 0
    entry_id = counted_ulid(at, update.after.rev, "state_changed", feed_id)
    row = {"action": "state_changed", "at": at, "by": "check", "reason": changed.reason}
    states = {"from": changed.before.value, "to": changed.after.value}
    return {**feed_key(feed_id, audit_sk(at, entry_id)), **row, **states}


def _stored(item: Item | None) -> Stored:
    if item is None:
        return Stored()
    return Stored(due=None if "merged_into" in item else _due(item), last_attempt_at=item.get("last_attempt_at"))


def _due(item: Item) -> DueFeed | None:
    try:
        return DueFeed.from_message(item)
    except InvalidInput:  # a paused feed has no due time
        return None


def _is_ours(item: Item | None, update: FeedUpdate) -> bool:
    """Tell whether the item is the result of this very update."""
    if item is None or item["rev"] != update.after.rev:
        return False
    after = update.after
    return (read_place(item), item.get("last_attempt_at")) == (after.place, after.health.last_attempt_at)
