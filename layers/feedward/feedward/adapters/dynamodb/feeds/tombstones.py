"""Tombstones of merged feeds: how they are written, and how the URLs of the merged feed are re-pointed afterwards."""

from __future__ import annotations

from typing import Final

from feedward.adapters.dynamodb.feeds.new_feed import LIST_KEYS, add_to_history, out_item
from feedward.adapters.dynamodb.registry.lookup import live_feed
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import OUT_PREFIX, audit_sk, feed_key, url_key
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Condition, Transaction, absent, both, equals, present
from feedward.events.envelope import FEED_MOVED, feed_moved
from feedward.health.due_feed import COLLECT_ITEMS
from feedward.health.merge import Merger, MergingFeed
from feedward.model import FeedState
from feedward.ulid import counted_ulid, derived_ulid

REPOINT: Final = "repoint"


def write_tombstone(
    transaction: Transaction, tables: Tables, winner_id: str, loser: Item, now: int, *, by: str
) -> None:
    """Add: the loser becomes a tombstone if it is as it was read; both histories say so, and its URLs are owed
    (rule I7).

    The winner has the smaller id (rule I3), and what is written of it belongs into the same transaction. It keeps its
    own state, so the histories say in which one the loser was: a pause may have gone with it.
    """
    feeds, loser_id = tables.names.feeds, loser["feed_id"]
    entry_id = counted_ulid(now, loser["rev"] + 1, "merged", winner_id, loser_id)
    transaction.update(
        feeds,
        feed_key(loser_id),
        unchanged(loser),
        assign={"merged_into": winner_id, "merged_at": now},
        increment=("rev",),
        remove=LIST_KEYS,
    )
    for feed_id in (winner_id, loser_id):
        known = {"from": loser_id, "to": winner_id, "url": loser["url"], "from_state": loser["state"]}
        row = {"action": "merged", "at": now, "by": by, **known}
        add_to_history(transaction, tables, {**feed_key(feed_id, audit_sk(now, entry_id)), **row})
    transaction.put(feeds, out_item(loser_id, entry_id, now, kind=REPOINT, into=winner_id), absent("feed_id"))


def emit_merged_event(
    transaction: Transaction, tables: Tables, winner_id: str, loser: Item, *, url: str, reason: str, now: int
) -> None:
    """Add: the bus is owed that the loser is part of the winner, which is at `url`; a loser that moved tells it itself.

    The winner owes it, so that it is told with what else is told of the winner.
    """
    event_id = derived_ulid(now, FEED_MOVED, loser["feed_id"], winner_id)
    detail = feed_moved(
        event_id=event_id,
        occurred_at=now,
        tenant_id=loser.get("owner"),
        feed_id=loser["feed_id"],
        before=loser["url"],
        after=url,
        reason=reason,
        merged_into=winner_id,
    )
    out = out_item(winner_id, event_id, now, kind="event", detail_type=FEED_MOVED, detail=detail)
    transaction.put(tables.names.feeds, out, absent("feed_id"))


def merging_feed(feed: Item) -> MergingFeed:
    """Return what a merge depends on of a FEED item."""
    return MergingFeed(
        feed_id=feed["feed_id"],
        url=feed["url"],
        url_hash=feed["url_hash"],
        state=FeedState(feed["state"]),
        collect_items=COLLECT_ITEMS in feed,
        next_check_at=feed.get("next_check_at"),
    )


def settings_taken_over(merger: Merger) -> Item:
    """Return the attributes that the feed that stays takes over from the other one."""
    return {COLLECT_ITEMS: True} if merger.collect_items else {}


def unchanged(feed: Item) -> Condition:
    """The feed is as it was read, and no tombstone."""
    return both(absent("merged_into"), equals("rev", feed["rev"]))


# The index that names a feed's URLs lags; after this long it has shown every URL that the loser ever had.
INDEX_LAG_S: Final = 60


def repoint(tables: Tables, feed_id: str, now: int) -> bool:
    """Pay what a merge of this feed left to do, and cross it out. True when nothing is owed any more.

    The index may not show all URLs yet: the pending mark stays until a pass begins that long after the merge.
    """
    tombstone = tables.get(tables.names.feeds, feed_key(feed_id))
    if tombstone is None or "merged_into" not in tombstone:
        return True
    is_settled = now - tombstone["merged_at"] >= INDEX_LAG_S
    if not (move_urls(tables, feed_id) and is_settled):
        return False
    _clear_marks(tables, feed_id)
    return True


def move_urls(tables: Tables, feed_id: str) -> bool:
    """Let every URL that is seen to name a merged feed name the feed it went into.

    False when one could not be moved because that feed was merged meanwhile: try again.
    """
    target = live_feed(tables, feed_id)
    if target is None or target["feed_id"] == feed_id:
        return True
    rows = tables.query(tables.names.urls, ("feed_id", feed_id), index="by_feed")
    moved = [_move(tables, row["url_hash"], feed_id, target["feed_id"]) for row in rows]
    return all(moved)


def _move(tables: Tables, url_hash: str, loser_id: str, target_id: str) -> bool:
    """Re-point one URL, if it still names the loser. False when the feed it should name was merged meanwhile."""
    transaction = Transaction()
    named = equals("feed_id", loser_id)
    transaction.update(tables.names.urls, url_key(url_hash), named, assign={"feed_id": target_id})
    transaction.check(tables.names.feeds, feed_key(target_id), both(present("feed_id"), absent("merged_into")))
    refusals = tables.transact(transaction)
    return all(refusal.index == 0 for refusal in refusals)


def _clear_marks(tables: Tables, feed_id: str) -> None:
    for entry in tables.query(tables.names.feeds, ("feed_id", feed_id), prefix=("sk", OUT_PREFIX)):
        if entry["kind"] == REPOINT:
            tables.delete(tables.names.feeds, feed_key(feed_id, entry["sk"]), equals("kind", REPOINT))
