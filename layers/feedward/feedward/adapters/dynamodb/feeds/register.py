"""Operation Register (rules R9, I1, I4): claim all URLs of a feed in one transaction, or join the feeds that own them.

If a claim fails, the failed condition's old item names the owner. With one owner, the free URLs are attached to it.
With several, the common document proves that they are one feed, so they are merged first.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from itertools import islice

from feedward.adapters.dynamodb.feeds.new_feed import (
    add_to_history,
    discovered_out_item,
    feed_item,
    first_items,
    meta_item,
    registered_audit_item,
)
from feedward.adapters.dynamodb.registry.lookup import by_hash, live_feed, owners
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.errors import Refusal
from feedward.adapters.dynamodb.store.keys import feed_key, url_key
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Condition, Transaction, absent, both, either, equals, present
from feedward.errors import Conflict, FeedwardError, InvalidInput
from feedward.health.merge import winner_first
from feedward.registration import NewFeed, Registration
from feedward.urls.key import KEY_VERSION
from feedward.urls.safety import MAX_URL_CHARS

HASHES_AT_ONCE = 90
# Each round finds another owner or another merge. Only a storm of merges needs more rounds.
_ROUNDS = 20
# Key of a feed_id that comes from a FEED item, not from a hash.
_THE_FEED = ""


def register(tables: Tables, new: NewFeed) -> Registration:
    """Store the feed and its URLs, or join it to the feeds that own some of them.

    Raises InvalidInput (`url`) for a URL that cannot be fetched, Conflict if other writers keep changing the same
    feeds, and the errors of Tables.
    """
    urls = by_hash((new.url, *new.aliases), new.scope)
    if next(iter(urls.values()), None) != new.url:
        raise InvalidInput("url", f"no URL of at most {MAX_URL_CHARS} characters")
    claimed = dict(islice(urls.items(), HASHES_AT_ONCE))
    refusals = tables.transact(_creation(tables, new, claimed))
    if refusals:
        return _join(tables, new, urls, _owners_in(refusals, list(claimed)))
    if len(claimed) == len(urls):
        return Registration(feed_id=new.feed_id, url=new.url, created=True)
    return _join(tables, new, urls, dict.fromkeys(claimed, new.feed_id))


def attach(tables: Tables, feed_id: str, urls: Mapping[str, str]) -> None:
    """Claim the unowned URLs among `urls` (by hash) for a feed. If all have owners, this takes one read.

    The feed must own one of them: all URLs were proven to be one feed. URLs of other feeds keep their owner, and so do
    URLs that another writer claims first.
    """
    owned = owners(tables, list(urls))
    if not owned or len(owned) == len(urls):
        return
    if any(feed["feed_id"] == feed_id for feed in live_feeds(tables, owned.values())):
        _attach_free(tables, feed_id, urls, owned)


def live_feeds(tables: Tables, feed_ids: Iterable[str]) -> list[Item]:
    """Return the FEED items of these ids, tombstones resolved, each once. The survivor of a merge comes first."""
    found = (live_feed(tables, feed_id) for feed_id in winner_first(feed_ids))
    by_id = {feed["feed_id"]: feed for feed in found if feed}
    return [by_id[feed_id] for feed_id in winner_first(by_id)]


def _creation(tables: Tables, new: NewFeed, urls: Mapping[str, str]) -> Transaction:
    feeds = tables.names.feeds
    transaction = Transaction()
    _claim(transaction, tables.names.urls, urls, new.feed_id, absent("feed_id"))
    transaction.put(feeds, feed_item(new, next(iter(urls))), absent("feed_id"))
    for item in (meta_item(new), first_items(new), discovered_out_item(new)):
        transaction.put(feeds, item, absent("feed_id"))
    add_to_history(transaction, tables, registered_audit_item(new))
    if new.topics:
        from feedward.adapters.dynamodb.feeds.topic_items import list_topics  # noqa: PLC0415

        list_topics(transaction, feeds, new.feed_id, before=(), after=new.topics, scope=new.scope)
    return transaction


def _join(tables: Tables, new: NewFeed, urls: Mapping[str, str], owned: dict[str, str]) -> Registration:
    """Merge the feeds that own some of the URLs, and attach the other URLs to the survivor."""
    from feedward.adapters.dynamodb.feeds.merge import Chosen, merge_all  # noqa: PLC0415 - most feeds are new

    chosen = Chosen(url=new.url, url_hash=next(iter(urls)))
    for _ in range(_ROUNDS):
        feeds = live_feeds(tables, owned.values())
        if not feeds:
            raise FeedwardError("a URL is registered to a feed that does not exist")
        winner = merge_all(tables, feeds, chosen, new.now)
        if winner and _attach_free(tables, winner["feed_id"], urls, owned):
            _move_now(tables, set(owned.values()) - {winner["feed_id"]})
            created = winner["feed_id"] == new.feed_id
            return Registration(feed_id=winner["feed_id"], url=winner["url"], created=created)
    raise Conflict("the feeds that own these URLs kept changing")


def _attach_free(tables: Tables, feed_id: str, urls: Mapping[str, str], owned: dict[str, str]) -> bool:
    """Claim the unowned URLs for the feed. Returns False if another owner was found (added to `owned`), or if the feed
    was merged.
    """
    free = [each for each in urls if each not in owned]
    for start in range(0, len(free), HASHES_AT_ONCE):
        chunk = {each: urls[each] for each in free[start : start + HASHES_AT_ONCE]}
        refusals = tables.transact(_attachment(tables, feed_id, chunk))
        owned |= _owners_in(refusals, list(chunk)) if refusals else dict.fromkeys(chunk, feed_id)
        if refusals:
            return False
    return True


def _move_now(tables: Tables, feed_ids: Iterable[str]) -> None:
    """Re-point the URLs of tombstones that were found, without retries.

    The index may not show all URLs yet, so the pending mark stays. Until then reads resolve the tombstones.
    """
    from feedward.adapters.dynamodb.feeds.tombstones import move_urls  # noqa: PLC0415

    for feed_id in feed_ids:
        with contextlib.suppress(FeedwardError):
            move_urls(tables, feed_id)


def _attachment(tables: Tables, feed_id: str, urls: Mapping[str, str]) -> Transaction:
    transaction = Transaction()
    _claim(transaction, tables.names.urls, urls, feed_id, either(absent("feed_id"), equals("feed_id", feed_id)))
    transaction.check(tables.names.feeds, feed_key(feed_id), both(present("feed_id"), absent("merged_into")))
    return transaction


def _claim(transaction: Transaction, table: str, urls: Mapping[str, str], feed_id: str, when: Condition) -> None:
    """Add: claim by update, never by put, because a frontier row may own the same hash."""
    for each, url in urls.items():
        row = {"url": url, "key_version": KEY_VERSION}
        transaction.update(table, url_key(each), when, assign={"feed_id": feed_id}, assign_once=row)


def _owners_in(refusals: Iterable[Refusal], url_hashes: list[str]) -> dict[str, str]:
    """Return the owners by hash from the old items of the failed conditions, and the feed itself if it was merged."""
    found = {}
    for refusal in refusals:
        if refusal.item and "feed_id" in refusal.item:
            is_url = refusal.index < len(url_hashes)
            found[url_hashes[refusal.index] if is_url else _THE_FEED] = str(refusal.item["feed_id"])
    return found
