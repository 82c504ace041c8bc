"""Which site chose a feed as its own, in the feed's META (spec "feeds": site_id, is_canonical, canonical_score)."""

from __future__ import annotations

from collections.abc import Mapping

from feedward.adapters.dynamodb.codec import Item
from feedward.adapters.dynamodb.keys import META, feed_key
from feedward.adapters.dynamodb.lookup import live_feed
from feedward.adapters.dynamodb.tables import Tables
from feedward.adapters.dynamodb.transaction import Transaction, absent, both, either, equals, present


def mark_choice(tables: Tables, feed_id: str, site_id: str, score: int | None) -> None:
    """Say that the site chose the feed, with this score, or with None that it does no more.

    The first site that chooses a feed keeps it for as long as it does. Nothing is written where it is said already.
    """
    feed = live_feed(tables, feed_id)
    if feed is None:
        return
    key = feed_key(feed["feed_id"], META)
    meta = tables.get(tables.names.feeds, key) or {}
    transaction = Transaction()
    if score is None:
        _take_back(transaction, tables.names.feeds, key, meta, site_id)
    else:
        _choose(transaction, tables.names.feeds, key, meta, {"site_id": site_id, "canonical_score": score})
    if transaction.items:
        tables.transact(transaction)


def _choose(transaction: Transaction, table: str, key: Mapping[str, str], meta: Item, choice: Item) -> None:
    choice = {**choice, "is_canonical": True}
    is_said = choice.items() <= meta.items()
    is_anothers = "is_canonical" in meta and meta.get("site_id") != choice["site_id"]
    if not (is_said or is_anothers):
        free_or_ours = both(present("sk"), either(absent("is_canonical"), equals("site_id", choice["site_id"])))
        transaction.update(table, key, free_or_ours, assign=choice)


def _take_back(transaction: Transaction, table: str, key: Mapping[str, str], meta: Item, site_id: str) -> None:
    if "is_canonical" in meta and meta.get("site_id") == site_id:
        transaction.update(table, key, equals("site_id", site_id), remove=("is_canonical", "canonical_score"))
