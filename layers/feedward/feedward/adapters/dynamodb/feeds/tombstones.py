"""Writes the tombstones of merged feeds, and re-points the URLs of merged feeds afterwards."""

from __future__ import annotations

from typing import Final

from feedward.adapters.dynamodb.feeds.new_feed import LIST_KEYS, add_to_history, out_item
from feedward.adapters.dynamodb.registry.lookup import live_feed
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import OUT_PREFIX, audit_sk, feed_key, url_key
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Condition, Transaction, absent, both, equals, present
from feedward.events.envelope import FEED_MOVED, at_revision, feed_moved
from feedward.health.due_feed import COLLECT_ITEMS, read_place
from feedward.health.merge import Merger, MergingFeed
from feedward.model import FeedState
from feedward.ulid import counted_ulid, derived_ulid

REPOINT: Final = "repoint"


def write_tombstone(
    transaction: Transaction, tables: Tables, winner_id: str, loser: Item, now: int, *, by: str
) -> None:
    """Add: turn the loser into a tombstone if it is unchanged, with audit rows of both feeds and a pending mark for
    its URLs (rule I7). The winner gets its topics.

    The winner has the smaller id (rule I3). Its writes belong in the same transaction. It keeps its own state, so the
    audit rows hold the loser's state, which may be a pause.
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
    from feedward.adapters.dynamodb.feeds.topic_items import take_over_topics  # noqa: PLC0415 - few checks merge

    take_over_topics(transaction, tables, winner_id, loser)


def emit_merged_event(
    transaction: Transaction, tables: Tables, winner_id: str, loser: Item, *, url: str, reason: str, now: int
) -> None:
    """Add: the outbox entry for the loser's merge into the winner at `url`. A loser that moves has its own entry.

    The entry is in the winner's outbox, to be sent with the winner's other events.
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
    told = at_revision(detail, loser["rev"] + 1)
    out = out_item(winner_id, event_id, now, kind="event", detail_type=FEED_MOVED, detail=told)
    transaction.put(tables.names.feeds, out, absent("feed_id"))


def merging_feed(feed: Item) -> MergingFeed:
    """Return the attributes of a FEED item that decide a merge."""
    return MergingFeed(
        feed_id=feed["feed_id"],
        url=feed["url"],
        url_hash=feed["url_hash"],
        state=FeedState(feed["state"]),
        collect_items=COLLECT_ITEMS in feed,
        place=read_place(feed),
    )


def settings_taken_over(merger: Merger) -> Item:
    """Return the settings that the survivor takes over from the loser."""
    return {COLLECT_ITEMS: True} if merger.collect_items else {}


def unchanged(feed: Item) -> Condition:
    """Require that the feed is unchanged and not a tombstone."""
    return both(absent("merged_into"), equals("rev", feed["rev"]))


# The index of a feed's URLs lags. After this time it shows every URL of the loser.
INDEX_LAG_S: Final = 60


def repoint(tables: Tables, feed_id: str, now: int) -> bool:
    """Re-point the URLs of a merged feed, unlist its topics, and delete its pending mark. Returns True when done.

    The index may not show all URLs yet: the pending mark stays until a call starts long enough after the merge.
    """
    tombstone = tables.get(tables.names.feeds, feed_key(feed_id))
    if tombstone is None or "merged_into" not in tombstone:
        return True
    is_settled = now - tombstone["merged_at"] >= INDEX_LAG_S
    if not (move_urls(tables, feed_id) and is_settled):
        return False
    from feedward.adapters.dynamodb.feeds.topic_items import unlist_topics  # noqa: PLC0415

    unlist_topics(tables, feed_id)
    _clear_marks(tables, feed_id)
    return True


def move_urls(tables: Tables, feed_id: str) -> bool:
    """Re-point every URL of a merged feed that the index shows to the surviving feed.

    Returns False if that feed was merged too: try again.
    """
    target = live_feed(tables, feed_id)
    if target is None or target["feed_id"] == feed_id:
        return True
    rows = tables.query(tables.names.urls, ("feed_id", feed_id), index="by_feed")
    moved = [_move(tables, row["url_hash"], feed_id, target["feed_id"]) for row in rows]
    return all(moved)


def _move(tables: Tables, url_hash: str, loser_id: str, target_id: str) -> bool:
    """Re-point one URL, if it still names the loser. Returns False if the target feed was merged."""
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
