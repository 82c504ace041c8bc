"""Operation Merge (rules R6, I3): two feeds turn out to be one. health/merge.py decides which one stays.

The loser becomes a tombstone that every read follows; its URLs are re-pointed afterwards. The one that stays is where
canonicalization says that the feed is, and is checked soon: what is known of it may be old, and was never the other's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from feedward.adapters.dynamodb.feeds.tombstones import (
    emit_merged_event,
    merging_feed,
    settings_taken_over,
    unchanged,
    write_tombstone,
)
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import feed_key, url_key
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Transaction
from feedward.health.merge import Merger, may_take_over, merged_by_registration
from feedward.health.moves import MoveReason

_BY: Final = "register"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The URL that canonicalization chose for what turned out to be one feed, and its hash: it was fetched just now."""

    url: str
    url_hash: str


def merge_all(tables: Tables, feeds: Sequence[Item], chosen: Chosen, now: int) -> Item | None:
    """Merge live feeds, the one that stays first, and return that one as it is then.

    None: one of them changed since it was read, so read again and decide anew; merges done until then stand.
    """
    winner: Item | None = feeds[0]
    for loser in feeds[1:]:
        if winner is not None:
            winner = _merge(tables, winner, loser, chosen, now)
    return winner


def _merge(tables: Tables, winner: Item, loser: Item, chosen: Chosen, now: int) -> Item | None:
    row = _row_to_take_over(tables, winner, loser, chosen)
    merger = merged_by_registration(
        merging_feed(winner), merging_feed(loser), chosen=chosen.url if row else None, now=now
    )
    transaction = Transaction()
    winner_id, reason = winner["feed_id"], MoveReason.CANONICAL.value
    write_tombstone(transaction, tables, winner_id, loser, now, by=_BY)
    emit_merged_event(transaction, tables, winner_id, loser, url=merger.url, reason=reason, now=now)
    if row is None:
        _stay(transaction, tables, winner, merger)
    else:
        _take_over(transaction, tables, winner, merger, to=row | {"url": merger.url}, now=now)
    if tables.transact(transaction):
        return None
    found = tables.get(tables.names.feeds, feed_key(winner_id))
    return None if found is None or "merged_into" in found else found


def _row_to_take_over(tables: Tables, winner: Item, loser: Item, chosen: Chosen) -> Item | None:
    """The registry's row of the chosen URL, if the feed that stays is to be there from now on."""
    if not may_take_over(merging_feed(winner), merging_feed(loser), chosen.url_hash):
        return None
    from feedward.adapters.dynamodb.feeds.move_writes import UNDONE  # noqa: PLC0415 - few merges need what moves do

    row = tables.get(tables.names.urls, url_key(chosen.url_hash))
    return None if row is None or row.get(UNDONE) == chosen.url else row


def _stay(transaction: Transaction, tables: Tables, winner: Item, merger: Merger) -> None:
    """Add: the feed stays where it is."""
    due = {} if merger.due_at is None else {"next_check_at": merger.due_at}
    assign = settings_taken_over(merger) | due
    key = feed_key(winner["feed_id"])
    transaction.update(tables.names.feeds, key, unchanged(winner), assign=assign, increment=("rev",))


def _take_over(transaction: Transaction, tables: Tables, winner: Item, merger: Merger, *, to: Item, now: int) -> None:
    """Add: the feed that stays is at the URL of the other one, as if it had moved there."""
    from feedward.adapters.dynamodb.feeds.move_writes import claim, emit_moved_event, rewrite  # noqa: PLC0415

    claim(transaction, tables, to, winner["feed_id"])
    rewrite(
        transaction,
        tables,
        winner,
        url=to["url"],
        url_hash=to["url_hash"],
        now=now,
        due_at=merger.due_at,
        settings=settings_taken_over(merger),
    )
    told = {"reason": MoveReason.CANONICAL.value, "merged": merger.loser.feed_id}
    emit_moved_event(transaction, tables, winner, "moved", told, to=to, by=_BY, now=now)
