"""Operation Merge (design section 3, I3): two feeds turn out to be one, and the smaller feed_id stays.

The loser becomes a tombstone that every read follows. Its URLs are re-pointed afterwards; that debt is written down in
the same transaction, so that it is paid even if the one who merged dies (I7).
"""

from __future__ import annotations

from collections.abc import Sequence

from feedward.adapters.dynamodb.codec import Item
from feedward.adapters.dynamodb.feed_items import LIST_KEYS, out_item
from feedward.adapters.dynamodb.keys import OUT_PREFIX, audit_sk, feed_key, url_key
from feedward.adapters.dynamodb.lookup import live_feed
from feedward.adapters.dynamodb.tables import Tables
from feedward.adapters.dynamodb.transaction import Condition, Transaction, absent, both, equals, present
from feedward.ulid import counted_ulid

REPOINT = "repoint"
# The index that names a feed's URLs lags; after this long it has shown every URL that the loser ever had.
INDEX_LAG_S = 60


def merge_all(tables: Tables, feeds: Sequence[Item], now: int) -> Item | None:
    """Merge live feeds, smallest id first, into the first of them, and return it as it is then.

    None: one of them changed since it was read, so read again and decide anew; merges done until then stand.
    """
    winner = feeds[0]
    for loser in feeds[1:]:
        if tables.transact(_merger(tables, winner, loser, now)):
            return None
        winner = {**winner, "rev": winner["rev"] + 1}
    return winner


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


def _merger(tables: Tables, winner: Item, loser: Item, now: int) -> Transaction:
    transaction = Transaction()
    bury(transaction, tables, winner["feed_id"], loser, now, by="register")
    transaction.update(tables.names.feeds, feed_key(winner["feed_id"]), unchanged(winner), increment=("rev",))
    return transaction


def bury(transaction: Transaction, tables: Tables, winner_id: str, loser: Item, now: int, *, by: str) -> None:
    """Add: the loser becomes a tombstone if it is as it was read; both histories say so, and its URLs are owed (I7).

    The winner has the smaller id (I3), and what is written of it belongs into the same transaction.
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
        row = {"action": "merged", "at": now, "by": by, "from": loser_id, "to": winner_id, "url": loser["url"]}
        transaction.put(feeds, {**feed_key(feed_id, audit_sk(now, entry_id)), **row}, absent("feed_id"))
    transaction.put(feeds, out_item(loser_id, entry_id, now, kind=REPOINT, into=winner_id), absent("feed_id"))


def unchanged(feed: Item) -> Condition:
    """The feed is as it was read, and no tombstone."""
    return both(absent("merged_into"), equals("rev", feed["rev"]))


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
