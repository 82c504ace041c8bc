"""Writes of a relocation and of its reversal: the claim on the URL, FEED, the audit row and the outbox entry.

All are in one transaction, with optimistic locking on the feed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from feedward.adapters.dynamodb.feeds.health_items import health_change
from feedward.adapters.dynamodb.feeds.new_feed import add_to_history, out_item
from feedward.adapters.dynamodb.feeds.tombstones import unchanged
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import audit_sk, feed_key, url_key
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Transaction, absent, either, equals
from feedward.events.envelope import FEED_MOVED, FEED_STATE_CHANGED, at_revision, feed_moved, feed_state_changed
from feedward.health.decision import StateChange
from feedward.health.due_feed import VALIDATOR_ATTRIBUTES
from feedward.health.feed_health import read_health
from feedward.health.state_machine import relocated
from feedward.scheduling.slots import Place
from feedward.ulid import counted_ulid, derived_ulid
from feedward.urls.key import KEY_VERSION
from feedward.urls.safety import host_of_url

# Attributes of the old URL's document. Without them the next check fetches the whole new document.
DOCUMENT: Final = frozenset({*VALIDATOR_ATTRIBUTES, "content_hash"})
# Attribute of a URL's row: a person has undone the feed's relocation to this URL.
UNDONE: Final = "undone_url"


def claim(
    transaction: Transaction,
    tables: Tables,
    row: Item,
    feed_id: str,
    *,
    assign: Mapping[str, Any] | None = None,
    remove: Iterable[str] = (),
) -> None:
    """Add: claim the URL for the feed, if it is free, the feed's own, or still owned by the feed that was read."""
    owner_id = row.get("feed_id") or feed_id
    free_or_own = either(absent("feed_id"), equals("feed_id", feed_id), equals("feed_id", owner_id))
    transaction.update(
        tables.names.urls,
        url_key(row["url_hash"]),
        free_or_own,
        assign={"feed_id": feed_id, **(assign or {})},
        assign_once={"url": row["url"], "key_version": KEY_VERSION},
        remove=remove,
    )


def rewrite(
    transaction: Transaction,
    tables: Tables,
    feed: Item,
    *,
    url: str,
    url_hash: str,
    now: int,
    due_at: int | None = None,
    settings: Mapping[str, Any] | None = None,
) -> None:
    """Add: set FEED's URL and the dates of a healthy feed, and remove the old document's attributes.

    `due_at` schedules a feed that is not paused earlier than its interval. `settings` are taken over from the merged
    feed; the feed's own settings stay. If the state changes, an event is added to the outbox.
    """
    host = host_of_url(url)
    decision = relocated(read_health(feed["feed_id"], feed), now)
    scope = feed.get("owner") or ""
    place = Place(from_s=due_at) if due_at else decision.place
    assign, remove = health_change(decision.health, place, host=host, scope=scope)
    transaction.update(
        tables.names.feeds,
        feed_key(feed["feed_id"]),
        unchanged(feed),
        assign={**(settings or {}), **assign, "url": url, "url_hash": url_hash, "host": host},
        increment=("rev",),
        remove=sorted(remove | DOCUMENT),
    )
    if decision.state_change:
        _emit_state_event(transaction, tables, feed, decision.state_change, url=url, now=now)


def _emit_state_event(
    transaction: Transaction, tables: Tables, feed: Item, change: StateChange, *, url: str, now: int
) -> None:
    feed_id = feed["feed_id"]
    event_id = derived_ulid(now, FEED_STATE_CHANGED, feed_id, str(feed["rev"] + 1))
    detail = feed_state_changed(
        event_id=event_id, occurred_at=now, tenant_id=feed.get("owner"), feed_id=feed_id, url=url, change=change
    )
    out = out_item(
        feed_id,
        event_id,
        now,
        kind="event",
        detail_type=FEED_STATE_CHANGED,
        detail=at_revision(detail, feed["rev"] + 1),
    )
    transaction.put(tables.names.feeds, out, absent("feed_id"))


def emit_moved_event(
    transaction: Transaction,
    tables: Tables,
    feed: Item,
    action: str,
    details: Item,
    *,
    to: Item,
    by: str,
    now: int,
    merged_into: str | None = None,
) -> None:
    """Add: the audit row of the relocation (author, time, from, to, reason) and its outbox entry (rule I7).

    `to` has the new url and url_hash. `details` has the reason and the other attributes of the row.
    """
    feeds, feed_id = tables.names.feeds, feed["feed_id"]
    entry_id = counted_ulid(now, feed["rev"] + 1, action, feed_id, feed["url"], to["url"])
    places = {"from": feed["url"], "to": to["url"], "from_hash": feed["url_hash"], "to_hash": to["url_hash"]}
    known = {"state_before": feed["state"], "rev": feed["rev"] + 1, "merged_into": merged_into}
    row = {"action": action, "at": now, "by": by, **places, **known}
    add_to_history(transaction, tables, {**feed_key(feed_id, audit_sk(now, entry_id)), **row, **details})
    detail = feed_moved(
        event_id=entry_id,
        occurred_at=now,
        tenant_id=feed.get("owner"),
        feed_id=feed_id,
        before=feed["url"],
        after=to["url"],
        reason=details["reason"],
        merged_into=merged_into,
    )
    told = at_revision(detail, feed["rev"] + 1)
    out = out_item(feed_id, entry_id, now, kind="event", detail_type=FEED_MOVED, detail=told)
    transaction.put(feeds, out, absent("feed_id"))
