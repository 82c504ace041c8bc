"""What a merge leaves to do: every URL of the feed that went has to name the one that stayed (I3, I7).

Reads follow tombstones in the meantime, so nothing depends on when it is done.
"""

from __future__ import annotations

from typing import Final

from feedward.adapters.dynamodb.keys import OUT_PREFIX, feed_key, url_key
from feedward.adapters.dynamodb.lookup import live_feed
from feedward.adapters.dynamodb.tables import Tables
from feedward.adapters.dynamodb.tombstones import REPOINT
from feedward.adapters.dynamodb.transaction import Transaction, absent, both, equals, present

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
