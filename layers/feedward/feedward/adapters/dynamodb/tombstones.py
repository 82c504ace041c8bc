"""What makes a feed part of another: the tombstone that every read follows, and what it leaves owed (I3, I7).

Parts of one transaction, in which whoever merges writes the feed that stays.
"""

from __future__ import annotations

from typing import Final

from feedward.adapters.dynamodb.codec import Item
from feedward.adapters.dynamodb.feed_items import LIST_KEYS, add_to_history, out_item
from feedward.adapters.dynamodb.keys import audit_sk, feed_key
from feedward.adapters.dynamodb.tables import Tables
from feedward.adapters.dynamodb.transaction import Condition, Transaction, absent, both, equals
from feedward.events import FEED_MOVED, feed_moved
from feedward.health.due_feed import COLLECT_ITEMS
from feedward.ulid import counted_ulid, derived_ulid

REPOINT: Final = "repoint"


def bury(transaction: Transaction, tables: Tables, winner_id: str, loser: Item, now: int, *, by: str) -> None:
    """Add: the loser becomes a tombstone if it is as it was read; both histories say so, and its URLs are owed (I7).

    The winner has the smaller id (I3), and what is written of it belongs into the same transaction. It keeps its own
    state, so the histories say in which one the loser was: a pause may have gone with it.
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


def tell_where_it_went(
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


def settings_of_both(winner: Item, loser: Item) -> Item:
    """What the feed that stays takes over of the other one's settings: nobody's wish is lost with a feed."""
    return {COLLECT_ITEMS: True} if COLLECT_ITEMS in loser and COLLECT_ITEMS not in winner else {}


def unchanged(feed: Item) -> Condition:
    """The feed is as it was read, and no tombstone."""
    return both(absent("merged_into"), equals("rev", feed["rev"]))
