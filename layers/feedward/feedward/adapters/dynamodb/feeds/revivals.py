"""Lost feeds and their revival requests: ports.Revivals (rule H6).

REVIVAL is one item under the feed: the last request, its time and its outcome. It detects repeated requests, and keeps
requests a day apart unless a person sends them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from feedward.adapters.dynamodb.feeds.document_items import read_recent
from feedward.adapters.dynamodb.feeds.new_feed import add_to_history
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import META, RECENT, REVIVAL, audit_sk, feed_key
from feedward.adapters.dynamodb.store.tables import Tables, TableStore
from feedward.adapters.dynamodb.store.transaction import Condition, Transaction, absent, equals
from feedward.events.envelope import RevivalRequested
from feedward.health.feed_health import read_health
from feedward.health.recent_items import Recent
from feedward.health.revival import BegunRevival, LostFeed, may_begin
from feedward.ulid import derived_ulid

_ROUNDS: Final = 5


class DynamoRevivals(TableStore):
    """ports.Revivals. Thread-safe."""

    def lost_feed(self, feed_id: str) -> LostFeed | None:
        """Return the feed with its site and its recent items, or None."""
        tables = self._tables
        feed = _get(tables, feed_id)
        if feed is None:
            return None
        meta = _get(tables, feed_id, META) or {}
        recent = _get(tables, feed_id, RECENT)
        return LostFeed(
            feed_id=feed_id,
            url=feed["url"],
            rev=feed["rev"],
            health=read_health(feed_id, feed),
            owner=feed.get("owner"),
            title=meta.get("title"),
            site_url=meta.get("site_url"),
            site_id=meta.get("site_id"),
            site_link=meta.get("site_link"),
            recent=read_recent(recent) if recent else Recent(),
            merged_into=feed.get("merged_into"),
        )

    def begin(self, asked: RevivalRequested) -> bool:
        """Mark the request as running. Returns False if it was completed, or if another one came within a day."""
        tables = self._tables
        for _ in range(_ROUNDS):
            last = _get(tables, asked.feed_id, REVIVAL)
            if last is not None and not _may_begin(asked, last):
                return False
            transaction = Transaction()
            transaction.put(tables.names.feeds, _begun(asked), _as_it_was(last))
            if not tables.transact(transaction):
                return True
        return False

    def end(
        self,
        asked: RevivalRequested,
        *,
        now: int,
        outcome: str,
        evidence: Mapping[str, Any],
        is_told: bool = False,
    ) -> None:
        """Store the outcome of a running request. `is_told`: a person sent it, so the audit log gets it too."""
        tables = self._tables
        if is_told:
            told = Transaction()
            add_to_history(told, tables, _audit_item(asked, now, outcome, evidence))
            tables.transact(told)
        ended = {"ended_at": now, "outcome": outcome, "evidence": dict(evidence)}
        transaction = Transaction()
        key = feed_key(asked.feed_id, REVIVAL)
        transaction.update(tables.names.feeds, key, equals("event_id", asked.event_id), assign=ended)
        tables.transact(transaction)


def _get(tables: Tables, feed_id: str, sk: str | None = None) -> Item | None:
    return tables.get(tables.names.feeds, feed_key(feed_id, sk) if sk else feed_key(feed_id))


def _as_it_was(last: Item | None) -> Condition:
    return absent("feed_id") if last is None else equals("event_id", last["event_id"])


def _may_begin(asked: RevivalRequested, last: Item) -> bool:
    before = BegunRevival(event_id=last["event_id"], asked_at=last["asked_at"], ended="ended_at" in last)
    return may_begin(asked.event_id, asked.reason, asked_at=asked.occurred_at, last=before)


def _begun(asked: RevivalRequested) -> Item:
    return {
        **feed_key(asked.feed_id, REVIVAL),
        "event_id": asked.event_id,
        "asked_at": asked.occurred_at,
        "reason": asked.reason.value,
        "requested_by": asked.requested_by,
    }


def _audit_item(asked: RevivalRequested, now: int, outcome: str, evidence: Mapping[str, Any]) -> Item:
    entry_id = derived_ulid(asked.occurred_at, "revival", asked.feed_id, asked.event_id)
    row = {"action": "revival", "at": now, "by": asked.requested_by or "revival", "reason": asked.reason.value}
    return {
        **feed_key(asked.feed_id, audit_sk(asked.occurred_at, entry_id)),
        **row,
        "outcome": outcome,
        "evidence": dict(evidence),
    }
