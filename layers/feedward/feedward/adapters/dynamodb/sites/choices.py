"""Which site chose a feed as its canonical one, and what of that follows a merge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from feedward.adapters.dynamodb.registry.lookup import live_feed
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import CANDIDATE_PREFIX, META, feed_key, site_key
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Transaction, absent, both, either, equals, present


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


_CHOICE: Final = ("site_id", "is_canonical", "canonical_score")
_AT_ONCE: Final = 90


def repoint_choice(tables: Tables, feed_id: str) -> bool:
    """Let the site of a merged feed name the feed that it went into. False: something changed meanwhile, try again."""
    target = live_feed(tables, feed_id)
    if target is None or target["feed_id"] == feed_id:
        return True
    meta = tables.get(tables.names.feeds, feed_key(feed_id, META)) or {}
    site_id = meta.get("site_id")
    return site_id is None or (_pass_on(tables, meta, target) and _rename(tables, site_id, feed_id, target))


def _pass_on(tables: Tables, meta: Item, target: Item) -> bool:
    """The feed that stayed is the site's choice now, unless another site chose it."""
    key = feed_key(target["feed_id"], META)
    theirs = tables.get(tables.names.feeds, key)
    if "is_canonical" not in meta or theirs is None or "is_canonical" in theirs:
        return True
    transaction = Transaction()
    choice: Item = {name: meta[name] for name in _CHOICE if name in meta}
    transaction.update(tables.names.feeds, key, both(present("sk"), absent("is_canonical")), assign=choice)
    return not tables.transact(transaction)


def _rename(tables: Tables, site_id: str, feed_id: str, target: Item) -> bool:
    site = tables.get(tables.names.sites, site_key(site_id))
    if site is None:
        return True
    rows = tables.query(tables.names.sites, ("site_hash", site_id), prefix=("sk", CANDIDATE_PREFIX))
    named = [row["sk"] for row in rows if row.get("feed_id") == feed_id][:_AT_ONCE]
    is_choice = site.get("feed_id") == feed_id
    if not (named or is_choice):
        return True
    choice = {"feed_id": target["feed_id"], "canonical_feed_url": target["url"]} if is_choice else {}
    transaction = Transaction()
    seen = equals("rev", site["rev"])
    transaction.update(tables.names.sites, site_key(site_id), seen, assign=choice, increment=("rev",))
    for sk in named:
        new = {"feed_id": target["feed_id"]}
        transaction.update(tables.names.sites, site_key(site_id, sk), equals("feed_id", feed_id), assign=new)
    return not tables.transact(transaction)
