"""After a merge: the site that chose the feed that went, and its candidates, name the one that stayed (I3).

Only the site that a feed's META names is known; what else names a tombstone is resolved when it is read.
"""

from __future__ import annotations

from typing import Final

from feedward.adapters.dynamodb.codec import Item
from feedward.adapters.dynamodb.keys import CANDIDATE_PREFIX, META, feed_key, site_key
from feedward.adapters.dynamodb.lookup import live_feed
from feedward.adapters.dynamodb.tables import Tables
from feedward.adapters.dynamodb.transaction import Transaction, absent, both, equals, present

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
