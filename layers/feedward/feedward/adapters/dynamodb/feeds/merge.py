"""Operation Merge (rules R6, I3): two feeds turn out to be one. health/merge.py decides which one survives.

The loser becomes a tombstone, which reads resolve. Its URLs are re-pointed afterwards. The survivor takes the URL that
canonicalization chose and is checked soon, because its data may be outdated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from feedward.adapters.dynamodb.feeds.health_items import due_attributes
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
from feedward.scheduling.slots import Place

_BY: Final = "register"


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The URL that canonicalization chose for the merged feed, fetched just now, and its hash."""

    url: str
    url_hash: str


def merge_all(tables: Tables, feeds: Sequence[Item], chosen: Chosen, now: int) -> Item | None:
    """Merge live feeds into the first one. Returns the survivor after the merges.

    Returns None if one of them has changed since it was read: the caller reads and decides again. Completed merges
    stay.
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
    """Return the registry row of the chosen URL, if the survivor must take that URL."""
    if not may_take_over(merging_feed(winner), merging_feed(loser), chosen.url_hash):
        return None
    from feedward.adapters.dynamodb.feeds.move_writes import UNDONE  # noqa: PLC0415 - few merges need it

    row = tables.get(tables.names.urls, url_key(chosen.url_hash))
    return None if row is None or row.get(UNDONE) == chosen.url else row


def _stay(transaction: Transaction, tables: Tables, winner: Item, merger: Merger) -> None:
    """Add: the survivor keeps its URL."""
    due = {} if merger.due_at is None else due_attributes(Place(from_s=merger.due_at), winner["host"])
    assign = settings_taken_over(merger) | {name: value for name, value in due.items() if value is not None}
    remove = sorted(due.keys() - assign.keys())
    key = feed_key(winner["feed_id"])
    transaction.update(tables.names.feeds, key, unchanged(winner), assign=assign, increment=("rev",), remove=remove)


def _take_over(transaction: Transaction, tables: Tables, winner: Item, merger: Merger, *, to: Item, now: int) -> None:
    """Add: the survivor takes the URL of the other feed, like a relocation."""
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
