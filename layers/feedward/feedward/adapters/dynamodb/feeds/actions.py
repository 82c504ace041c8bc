"""Actions of operators on a feed's health and settings: ports.FeedActions (rules R10, H2, H6).

FEED is written with optimistic locking on its rev, in one transaction with the audit row and the outbox entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from feedward.adapters.dynamodb.feeds.health_items import health_change
from feedward.adapters.dynamodb.feeds.new_feed import add_to_history, out_item
from feedward.adapters.dynamodb.feeds.outbox import EVENT
from feedward.adapters.dynamodb.feeds.relocation import WHY_CHARS
from feedward.adapters.dynamodb.state.host_limiter import note_paused
from feedward.adapters.dynamodb.store.codec import Item, text
from feedward.adapters.dynamodb.store.keys import audit_sk, feed_key
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.adapters.dynamodb.store.transaction import Condition, Transaction, absent, both, equals, present
from feedward.events.envelope import FEED_STATE_CHANGED, REVIVAL_REQUESTED, RevivalRequested
from feedward.events.envelope import feed_state_changed as state_detail
from feedward.events.envelope import revival_requested as revival_detail
from feedward.health.decision import Decision
from feedward.health.directory_feed import DirectoryFeed
from feedward.health.due_feed import COLLECT_ITEMS
from feedward.ulid import counted_ulid, derived_ulid

if TYPE_CHECKING:
    from feedward.topics.feed_topics import FeedTopics


class DynamoFeedActions(TableStore):
    """ports.FeedActions. Thread-safe."""

    def apply(
        self,
        feed: DirectoryFeed,
        decision: Decision,
        *,
        action: str,
        by: str,
        now: int,
        why: str = "",
    ) -> bool:
        """Write the decision. Returns False if the feed has changed since it was read."""
        tables = self._tables
        feeds, feed_id = tables.names.feeds, feed.feed_id
        assign, remove = health_change(decision.health, decision.place, host=feed.host, scope=feed.owner or "")
        transaction = Transaction()
        transaction.update(
            feeds, feed_key(feed_id), _as_read(feed), assign=assign, increment=("rev",), remove=sorted(remove)
        )
        states = {"state_before": feed.health.state.value, "state_after": decision.health.state.value}
        row = _audit_row(feed, action, by=by, now=now, why=why)
        add_to_history(transaction, tables, row | states)
        if decision.state_change:
            transaction.put(feeds, _state_news(feed, decision, now), absent("feed_id"))
        if decision.place is None:
            note_paused(transaction, tables.names, feed_id, feed.host, rev=feed.rev + 1, now=now)
        return not tables.transact(transaction)

    def set_collect_items(self, feed: DirectoryFeed, on: bool, *, by: str, now: int, why: str = "") -> bool:
        """Write the setting with an audit row. Returns False if the feed has changed since it was read."""
        tables = self._tables
        transaction = Transaction()
        transaction.update(
            tables.names.feeds,
            feed_key(feed.feed_id),
            _as_read(feed),
            assign={COLLECT_ITEMS: True} if on else {},
            increment=("rev",),
            remove=() if on else (COLLECT_ITEMS,),
        )
        action = f"{COLLECT_ITEMS}_{'on' if on else 'off'}"
        row = _audit_row(feed, action, by=by, now=now, why=why)
        add_to_history(transaction, tables, row)
        return not tables.transact(transaction)

    def set_topics(
        self, feed: DirectoryFeed, topics: FeedTopics, *, action: str, by: str, now: int, why: str = ""
    ) -> bool:
        """Write the decided topics, their lists and an audit row. Returns False if the feed has changed."""
        from feedward.adapters.dynamodb.feeds.topic_items import decide_topics, decided_attribute, list_topics  # noqa: PLC0415

        tables, feed_id = self._tables, feed.feed_id
        feeds = tables.names.feeds
        transaction = Transaction()
        transaction.update(feeds, feed_key(feed_id), _as_read(feed), increment=("rev",))
        decide_topics(transaction, feeds, feed_id, before=feed.topics, after=topics)
        list_topics(transaction, feeds, feed_id, before=feed.topics, after=topics, scope=feed.owner or "")
        states = {"before": decided_attribute(feed.topics), "after": decided_attribute(topics)}
        add_to_history(transaction, tables, _audit_row(feed, action, by=by, now=now, why=why) | states)
        return not tables.transact(transaction)

    def ask_for_revival(self, asked: RevivalRequested) -> bool:
        """Write the event to the outbox. Returns False if the feed is unknown or merged."""
        tables = self._tables
        transaction = Transaction()
        is_live = both(present("sk"), absent("merged_into"))
        transaction.check(tables.names.feeds, feed_key(asked.feed_id), is_live)
        entry = _outbox_entry(
            asked.feed_id, asked.event_id, asked.occurred_at, REVIVAL_REQUESTED, revival_detail(asked)
        )
        transaction.put(tables.names.feeds, entry)
        return not tables.transact(transaction)


def _as_read(feed: DirectoryFeed) -> Condition:
    return both(equals("rev", feed.rev), absent("merged_into"))


def _audit_row(feed: DirectoryFeed, action: str, *, by: str, now: int, why: str) -> Item:
    entry_id = counted_ulid(now, feed.rev + 1, action, feed.feed_id)
    row = {"action": action, "at": now, "by": by, "why": text(why, WHY_CHARS)}
    return {**feed_key(feed.feed_id, audit_sk(now, entry_id)), **row}


def _state_news(feed: DirectoryFeed, decision: Decision, now: int) -> Item:
    if decision.state_change is None:
        raise ValueError("no state changed")
    event_id = derived_ulid(now, FEED_STATE_CHANGED, feed.feed_id, str(feed.rev + 1))
    detail = state_detail(
        event_id=event_id,
        occurred_at=now,
        tenant_id=feed.owner,
        feed_id=feed.feed_id,
        url=feed.url,
        change=decision.state_change,
    )
    return _outbox_entry(feed.feed_id, event_id, now, FEED_STATE_CHANGED, detail)


def _outbox_entry(feed_id: str, event_id: str, now: int, detail_type: str, detail: dict[str, Any]) -> Item:
    return out_item(feed_id, event_id, now, kind=EVENT, detail_type=detail_type, detail=detail)
