"""The topics of a feed in META, and the items that list a feed under its approved topics (rules T2, TP4).

META holds decisions (`topics`, a map of states) and suggestions (`suggested_topics`, a list) in separate attributes, so
a check, which only suggests, never conflicts with a decision. An item `TOPIC#...` lists the feed in `by_topic`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from feedward.adapters.dynamodb.feeds.document_items import TOPIC_ATTRIBUTES
from feedward.adapters.dynamodb.feeds.new_feed import add_to_history
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import META, TOPIC_PREFIX, audit_sk, feed_key, topic_sk
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Condition, Transaction, absent, either, equals, present
from feedward.health.decision import FeedUpdate
from feedward.scheduling.shards import topic_shard
from feedward.topics.feed_topics import FeedTopic, FeedTopics, TopicState, approved, merged, united
from feedward.ulid import counted_ulid

TOPICS, SUGGESTED = TOPIC_ATTRIBUTES
TOPICS_SUGGESTED: Final = "topics_suggested"


def read_topics(meta: Item) -> FeedTopics:
    """Return the topics of a META item: the decided ones, then the other suggestions."""
    decided = tuple(FeedTopic(topic, TopicState(state)) for topic, state in (meta.get(TOPICS) or {}).items())
    return merged(decided, tuple(FeedTopic(topic, TopicState.SUGGESTED) for topic in meta.get(SUGGESTED) or ()))


def decided_attribute(topics: FeedTopics) -> dict[str, str]:
    """Return the value of `topics`: the decided states by topic."""
    return {topic.id: topic.state.value for topic in topics if topic.state is not TopicState.SUGGESTED}


def suggested_attribute(topics: FeedTopics) -> list[str]:
    """Return the value of `suggested_topics`."""
    return [topic.id for topic in topics if topic.state is TopicState.SUGGESTED]


def first_topics(topics: FeedTopics) -> Item:
    """Return the attributes of a new META; missing ones are None."""
    return {TOPICS: decided_attribute(topics) or None, SUGGESTED: suggested_attribute(topics) or None}


def list_topics(
    transaction: Transaction, table: str, feed_id: str, *, before: FeedTopics, after: FeedTopics, scope: str
) -> None:
    """Add: list the feed under its approved topics, and delete its entries under topics no longer approved."""
    old, new = _keys(approved(before)), _keys(approved(after))
    for key in sorted(new - old):
        shard = topic_shard(key, feed_id, scope=scope)
        transaction.put(table, {**feed_key(feed_id, topic_sk(key)), "topic_shard": shard})
    for key in sorted(old - new):
        transaction.delete(table, feed_key(feed_id, topic_sk(key)), either(absent("sk"), present("sk")))


def decide_topics(transaction: Transaction, table: str, feed_id: str, *, before: FeedTopics, after: FeedTopics) -> None:
    """Add: write the decisions, if there were no others since `before` was read."""
    transaction.update(table, feed_key(feed_id, META), _decided_as(before), assign={TOPICS: decided_attribute(after)})


def note_suggestions(transaction: Transaction, tables: Tables, update: FeedUpdate) -> Item:
    """Add: the audit row of the suggestions of a check (rule T2). Return the attribute of META."""
    feed_id, now = update.before.feed_id, update.after.health.last_attempt_at or 0
    entry_id = counted_ulid(now, update.after.rev, TOPICS_SUGGESTED, feed_id)
    row = {"action": TOPICS_SUGGESTED, "at": now, "by": "check", TOPICS: list(update.suggested or ())}
    add_to_history(transaction, tables, {**feed_key(feed_id, audit_sk(now, entry_id)), **row})
    return {SUGGESTED: list(update.suggested or ())}


def take_over_topics(transaction: Transaction, tables: Tables, winner_id: str, loser: Item) -> None:
    """Add: the survivor of a merge gets the union of the topics (rule TP4). The feeds have one owner.

    Readers skip the items that list the loser; `unlist_topics` deletes them later.
    """
    feeds, loser_id = tables.names.feeds, loser["feed_id"]
    keys = [feed_key(feed_id, META) for feed_id in (winner_id, loser_id)]
    found = tables.batch_get(feeds, keys, ("feed_id", *TOPIC_ATTRIBUTES))
    by_id = {meta["feed_id"]: read_topics(meta) for meta in found}
    mine, theirs = by_id.get(winner_id, ()), by_id.get(loser_id, ())
    union = united(mine, theirs)
    if union != mine:
        assign = {TOPICS: decided_attribute(union), SUGGESTED: suggested_attribute(union)}
        transaction.update(feeds, feed_key(winner_id, META), _decided_as(mine), assign=assign)
        list_topics(transaction, feeds, winner_id, before=mine, after=union, scope=loser.get("owner") or "")


def unlist_topics(tables: Tables, feed_id: str) -> None:
    """Delete the items that list a merged feed under topics."""
    feeds = tables.names.feeds
    for item in tables.query(feeds, ("feed_id", feed_id), prefix=("sk", TOPIC_PREFIX)):
        tables.delete(feeds, feed_key(feed_id, item["sk"]), present("sk"))


def _decided_as(topics: FeedTopics) -> Condition:
    decided = decided_attribute(topics)
    return equals(TOPICS, decided) if decided else either(absent(TOPICS), equals(TOPICS, {}))


def _keys(topics: Iterable[FeedTopic]) -> set[str]:
    return {topic.key for topic in topics}
