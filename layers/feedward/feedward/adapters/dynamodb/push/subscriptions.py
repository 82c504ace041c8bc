"""Subscriptions of feeds to hubs: ports.push.PushStore over FeedsTable and StateTable."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from feedward.adapters.dynamodb.push.push_items import (
    KIND,
    PUSH_CHECK,
    PUSHED,
    due_attributes,
    hub_key,
    hub_kind,
    push_attributes,
    pushed_item,
    read_push,
)
from feedward.adapters.dynamodb.state.state_rows import hub_row_key
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import FEED, META, NAMES_HUBS, PUSH, feed_key
from feedward.adapters.dynamodb.store.tables import TableStore
from feedward.adapters.dynamodb.store.transaction import Condition, Transaction, absent, both, either, equals, present
from feedward.health.due_feed import NEXT_CHECK_AT, SLOT, SLOT_FROM
from feedward.health.feed_health import FAILURES
from feedward.model import FeedState
from feedward.push.push_record import PushRecord, Trust
from feedward.scheduling.shards import due_shard, pending_shards

EVERY: Final = "push_every"


class DynamoPush(TableStore):
    """ports.push.PushStore. Thread-safe."""

    def get(self, feed_id: str) -> PushRecord | None:
        """Return the record of a feed, or None."""
        item = self._tables.get(self._tables.names.feeds, feed_key(feed_id, PUSH))
        return read_push(item) if item else None

    def save(self, before: PushRecord | None, after: PushRecord) -> PushRecord | None:
        """Write a record if rev and planned check of `before` are unchanged. A read resolves a lost response."""
        assign, remove = _changes(before, after)
        refusal = self._tables.change(
            self._tables.names.feeds, feed_key(after.feed_id, PUSH), _as_it_was(before), assign=assign, remove=remove
        )
        return _stored(after, assign, refusal.item if refusal else None, is_written=refusal is None)

    def save_push_check(self, before: PushRecord, after: PushRecord) -> bool:
        """Write the planned check alone, if the previous one is unchanged."""
        assign = {name: getattr(after, name) for name in PUSH_CHECK} | due_attributes(after)
        refusal = self._tables.change(
            self._tables.names.feeds,
            feed_key(after.feed_id, PUSH),
            both(equals("token_hash", before.token_hash), _same_check(before)),
            assign={name: value for name, value in assign.items() if value is not None},
        )
        return refusal is None

    def due(self, *, now: int) -> Iterator[str]:
        """Yield the ids of feeds whose subscription is due, shard by shard."""
        tables = self._tables
        for shard in pending_shards(KIND):
            rows = tables.query(
                tables.names.feeds, ("pending_shard", shard), index="pending", up_to=("pending_since", now)
            )
            yield from (row["feed_id"] for row in rows)

    def newly_named(self, *, now: int) -> Iterator[tuple[str, str, Sequence[str]]]:
        """Yield new feeds that name hubs, shard by shard. Marks that no longer apply are deleted."""
        tables = self._tables
        for shard in pending_shards(NAMES_HUBS):
            rows = tables.query(
                tables.names.feeds, ("pending_shard", shard), index="pending", up_to=("pending_since", now)
            )
            for feed_id in [row["feed_id"] for row in rows]:
                items = tables.batch_get(tables.names.feeds, [feed_key(feed_id), feed_key(feed_id, META)])
                by_sk = {item["sk"]: item for item in items}
                feed, meta = by_sk.get(FEED), by_sk.get(META, {})
                if feed is None or "merged_into" in feed or not meta.get("hub_urls"):
                    self.seen_named(feed_id)
                else:
                    yield feed_id, feed["url"], meta["hub_urls"]

    def seen_named(self, feed_id: str) -> None:
        """Delete the mark."""
        key, is_there = feed_key(feed_id, META), present("pending_since")
        self._tables.change(self._tables.names.feeds, key, is_there, remove=("pending_shard", "pending_since"))

    def trusting(self, hub: str) -> Iterator[str]:
        """Yield the ids of feeds that trust a hub, shard by shard."""
        tables = self._tables
        for shard in pending_shards(hub_kind(hub)):
            rows = tables.query(tables.names.feeds, ("pending_shard", shard), index="pending")
            yield from (row["feed_id"] for row in rows)

    # --- trust: PUSH, FEED and the hub's counts in one transaction ------------------------------------

    def trust(self, before: PushRecord, after: PushRecord, *, every: int) -> PushRecord | None:
        """Write the record with the feed's class under trusted pushes. A feed new to trust is counted and listed."""
        names, transaction = self._tables.names, Transaction()
        feed = self._tables.get(names.feeds, feed_key(after.feed_id))
        if feed is None or "merged_into" in feed:
            return None
        assign = self._add_record(transaction, before, after)
        self._add_feed(transaction, feed, {FAILURES: {**feed.get(FAILURES, {}), EVERY: every}}, ())
        if before.trust is not Trust.TRUSTED:
            transaction.put(names.feeds, pushed_item(after, after.told_at or after.state_since))
            counts = {"trusted": 1, "rate": after.rate}
            transaction.update(names.state, hub_row_key(hub_key(after.hub)), None, add=counts)
        return self._transacted(transaction, after, assign)

    def free(self, before: PushRecord, after: PushRecord, *, at: int) -> PushRecord | None:
        """Write the record, and make the feed due by exception. A paused or merged feed loses only its class."""
        names, transaction = self._tables.names, Transaction()
        assign = self._add_record(transaction, before, after)
        feed = self._tables.get(names.feeds, feed_key(after.feed_id))
        if feed is not None and EVERY in feed.get(FAILURES, {}):
            self._free_feed(transaction, feed, at)
        transaction.delete(names.feeds, feed_key(after.feed_id, PUSHED), _is_listed_or_not(before))
        counts = {"trusted": -1, "rate": -before.rate}
        transaction.update(names.state, hub_row_key(hub_key(before.hub)), None, add=counts)
        return self._transacted(transaction, after, assign)

    def _free_feed(self, transaction: Transaction, feed: Item, at: int) -> None:
        """Add: a feed in its slot leaves it. A feed that is due by exception is not checked later than before."""
        failures = {name: value for name, value in feed[FAILURES].items() if name != EVERY}
        assign: Item = {FAILURES: failures} if failures else {}
        gone = () if failures else (FAILURES,)
        if SLOT in feed:
            assign |= {"due_shard": due_shard(feed["host"]), NEXT_CHECK_AT: at}
            gone = (*gone, SLOT, SLOT_FROM)
        elif NEXT_CHECK_AT in feed:
            assign[NEXT_CHECK_AT] = min(at, feed[NEXT_CHECK_AT]) if _is_healthy(feed) else feed[NEXT_CHECK_AT]
        self._add_feed(transaction, feed, assign, gone)

    def _add_feed(self, transaction: Transaction, feed: Item, assign: Item, gone: Sequence[str]) -> None:
        is_as_it_was = both(equals("rev", feed["rev"]), absent("merged_into"))
        transaction.update(
            self._tables.names.feeds,
            feed_key(feed["feed_id"]),
            equals("rev", feed["rev"]) if "merged_into" in feed else is_as_it_was,
            assign=assign,
            increment=("rev",),
            remove=gone,
        )

    def _add_record(self, transaction: Transaction, before: PushRecord, after: PushRecord) -> Item:
        assign, remove = _changes(before, after)
        key = feed_key(after.feed_id, PUSH)
        transaction.update(self._tables.names.feeds, key, _as_it_was(before), assign=assign, remove=remove)
        return assign

    def _transacted(self, transaction: Transaction, after: PushRecord, assign: Item) -> PushRecord | None:
        refusals = self._tables.transact(transaction)
        refused = next((each.item for each in refusals if each.index == 0), None)
        return _stored(after, assign, refused, is_written=not refusals)


def _changes(before: PushRecord | None, after: PushRecord) -> tuple[Item, list[str]]:
    """Return the attributes to write, with the next rev, and those to remove. The planned check has its own write.

    `written` distinguishes this write from an equal one of another writer, if its response was lost.
    """
    attributes = push_attributes(after)
    if before is not None and not after.is_ended:
        attributes = {name: value for name, value in attributes.items() if name not in PUSH_CHECK}
    assign = {name: value for name, value in attributes.items() if value is not None}
    remove = [name for name, value in attributes.items() if value is None] if before is not None else []
    return {**assign, "rev": (before.rev if before else 0) + 1, "written": secrets.token_hex(8)}, remove


def _as_it_was(before: PushRecord | None) -> Condition:
    return absent("feed_id") if before is None else both(equals("rev", before.rev), _same_check(before))


def _same_check(record: PushRecord) -> Condition:
    return absent("push_check_at") if record.push_check_at is None else equals("push_check_at", record.push_check_at)


def _is_healthy(feed: Item) -> bool:
    return bool(feed.get("state") == FeedState.HEALTHY.value)


def _is_listed_or_not(record: PushRecord) -> Condition:
    return either(absent("feed_id"), equals("hub", record.hub))


def _stored(after: PushRecord, assign: Item, found: Item | None, *, is_written: bool) -> PushRecord | None:
    """Return the stored record. A retry after a lost response finds its own write, which counts as written."""
    is_ours = is_written or (found is not None and found.get("written") == assign["written"])
    return replace(after, rev=assign["rev"]) if is_ours else None
