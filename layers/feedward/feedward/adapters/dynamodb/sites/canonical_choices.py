"""The mark on a feed that a site chose it as its canonical feed, and its transfer after a merge.

META counts these writes in its own `rev`, since they do not change FEED: a version of the search index has both.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from feedward.adapters.dynamodb.registry.lookup import live_feed
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import CANDIDATE_PREFIX, META, feed_key, site_key
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Transaction, absent, both, either, equals, present
from feedward.discovery.site_choice import SiteChoice, chosen_by, found_at, passed_on

_AT_ONCE: Final = 90
_COUNTED: Final = {"rev": 1}
_NAMES: Final = ("site_id", "is_canonical", "canonical_score")


def mark_choice(tables: Tables, feed_id: str, site_id: str, score: int | None) -> None:
    """Mark the feed as the site's choice with this score, or unmark it (None). site_choice.py decides."""
    feed = live_feed(tables, feed_id)
    if feed is None:
        return
    key = feed_key(feed["feed_id"], META)
    choice = chosen_by(_choice(tables.get(tables.names.feeds, key) or {}), site_id, score)
    if choice is None:
        return
    own = equals("site_id", site_id)
    transaction = Transaction()
    if choice.is_canonical:
        free_or_own = both(present("sk"), either(absent("is_canonical"), own))
        transaction.update(tables.names.feeds, key, free_or_own, assign=_attributes(choice), add=_COUNTED)
    else:
        transaction.update(tables.names.feeds, key, own, remove=_NAMES, add=_COUNTED)
    tables.transact(transaction)


def note_site(tables: Tables, feed_id: str, site_id: str) -> None:
    """Store the site that the feed belongs to, unless it already has one."""
    feed = live_feed(tables, feed_id)
    if feed is None:
        return
    key = feed_key(feed["feed_id"], META)
    choice = found_at(_choice(tables.get(tables.names.feeds, key) or {}), site_id)
    if choice is not None:
        transaction = Transaction()
        transaction.update(
            tables.names.feeds, key, both(present("sk"), absent("site_id")), assign=_attributes(choice), add=_COUNTED
        )
        tables.transact(transaction)


def touch_feeds(tables: Tables, feed_ids: Iterable[str], site_id: str) -> None:
    """Count a write of the feeds that belong to the site: its texts, which the search index has, changed."""
    feeds = tables.names.feeds
    metas = tables.batch_get(feeds, [feed_key(feed_id, META) for feed_id in feed_ids], ("feed_id", "site_id"))
    for feed_id in sorted(meta["feed_id"] for meta in metas if meta.get("site_id") == site_id):
        transaction = Transaction()
        transaction.update(feeds, feed_key(feed_id, META), equals("site_id", site_id), add=_COUNTED)
        tables.transact(transaction)


def _choice(meta: Item) -> SiteChoice:
    return SiteChoice(
        site_id=meta.get("site_id"),
        is_canonical=meta.get("is_canonical") is True,
        score=meta.get("canonical_score"),
    )


def _attributes(choice: SiteChoice) -> Item:
    named = {"site_id": choice.site_id, "canonical_score": choice.score, "is_canonical": choice.is_canonical or None}
    return {name: value for name, value in named.items() if value is not None}


def repoint_choice(tables: Tables, feed_id: str) -> bool:
    """Re-point the site of a merged feed to the surviving feed. Returns False if something has changed: try again."""
    target = live_feed(tables, feed_id)
    if target is None or target["feed_id"] == feed_id:
        return True
    meta = tables.get(tables.names.feeds, feed_key(feed_id, META)) or {}
    site_id = meta.get("site_id")
    return site_id is None or (_pass_on(tables, meta, target) and _rename(tables, site_id, feed_id, target))


def _pass_on(tables: Tables, meta: Item, target: Item) -> bool:
    """Mark the surviving feed as the site's choice, unless another site chose it."""
    key = feed_key(target["feed_id"], META)
    theirs = tables.get(tables.names.feeds, key)
    choice = passed_on(_choice(meta), _choice(theirs)) if theirs is not None else None
    if choice is None:
        return True
    transaction = Transaction()
    is_free = both(present("sk"), absent("is_canonical"))
    transaction.update(tables.names.feeds, key, is_free, assign=_attributes(choice), add=_COUNTED)
    return not tables.transact(transaction)


def _rename(tables: Tables, site_id: str, feed_id: str, target: Item) -> bool:
    site = tables.get(tables.names.sites, site_key(site_id))
    if site is None:
        return True
    rows = tables.query(tables.names.sites, ("site_hash", site_id), prefix=("sk", CANDIDATE_PREFIX))
    named = [row["sk"] for row in rows if row.get("feed_id") == feed_id][:_AT_ONCE]
    is_choice = site.get("feed_id") == feed_id
    is_own = site.get("own_feed_id") == feed_id
    if not (named or is_choice or is_own):
        return True
    choice = {"feed_id": target["feed_id"], "canonical_feed_url": target["url"]} if is_choice else {}
    choice |= {"own_feed_id": target["feed_id"]} if is_own else {}
    transaction = Transaction()
    seen = equals("rev", site["rev"])
    transaction.update(tables.names.sites, site_key(site_id), seen, assign=choice, increment=("rev",))
    for sk in named:
        new = {"feed_id": target["feed_id"]}
        transaction.update(tables.names.sites, site_key(site_id, sk), equals("feed_id", feed_id), assign=new)
    return not tables.transact(transaction)
