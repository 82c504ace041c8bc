"""Operation Relocation (rule R11): a feed gets another URL and keeps the old one as an alias (rules I1, I3, I4).

If another feed owns the new URL, both are one feed. The same transaction merges them, and the survivor takes the new
URL. At no time does a feed have a URL that it does not own.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Final

from feedward.adapters.dynamodb.feeds.move_writes import UNDONE, claim, emit_moved_event, rewrite
from feedward.adapters.dynamodb.feeds.register import attach
from feedward.adapters.dynamodb.feeds.tombstones import (
    emit_merged_event,
    merging_feed,
    move_urls,
    settings_taken_over,
    unchanged,
    write_tombstone,
)
from feedward.adapters.dynamodb.registry.lookup import by_hash, live_feed
from feedward.adapters.dynamodb.store.codec import Item, text
from feedward.adapters.dynamodb.store.keys import feed_key, url_key
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Transaction
from feedward.errors import Conflict, FeedwardError, InvalidInput, NotFound
from feedward.health.merge import Merger, merged_by_move
from feedward.health.other_urls import return_to
from feedward.health.relocation import FeedMove, MoveOutcome, MoveResult, is_taken_back, refusal_of
from feedward.model import FeedState
from feedward.urls.key import key_or_text
from feedward.urls.safety import MAX_URL_CHARS

WHY_CHARS: Final = 500
# Each round is lost to another writer that claimed the new URL or changed its owner.
_ROUNDS: Final = 20


def move(tables: Tables, asked: FeedMove) -> MoveResult:
    """Implement ports.FeedMoves.move."""
    for _ in range(_ROUNDS):
        feed = tables.get(tables.names.feeds, feed_key(asked.feed_id))
        if feed is None:
            raise NotFound("there is no feed with this id")
        if result := _refusal(tables, asked, feed):
            return result
        row = row_of(tables, asked.to, feed)
        if is_taken_back(asked, row.get(UNDONE), is_other_key=row["url_hash"] != feed["url_hash"]):
            return _result(MoveOutcome.UNDONE, feed)
        if result := _arrive(tables, asked, feed, row):
            return result
    raise Conflict("the feeds that have these URLs kept changing")


def _refusal(tables: Tables, asked: FeedMove, feed: Item) -> MoveResult | None:
    """Return the result for a feed that cannot move now, or None if it can."""
    if "merged_into" in feed:
        return _result(MoveOutcome.CHANGED, live_feed(tables, asked.feed_id) or feed)
    outcome = refusal_of(asked, url=feed["url"], rev=feed["rev"], state=FeedState(feed["state"]))
    return _result(outcome, feed) if outcome else None


def row_of(tables: Tables, url: str, feed: Item) -> Item:
    """Return the registry row of a URL in the feed's scope. A missing row has only its key and the URL."""
    url_hash = next(iter(by_hash((url,), feed.get("owner") or "")), None)
    if url_hash is None:
        raise InvalidInput("to", f"no URL of at most {MAX_URL_CHARS} characters")
    return tables.get(tables.names.urls, url_key(url_hash)) or {"url_hash": url_hash, "url": url}


def _arrive(tables: Tables, asked: FeedMove, feed: Item, row: Item) -> MoveResult | None:
    """Relocate the feed, or merge it with the URL's owner. Returns None if something has changed: read again."""
    owner_id = row.get("feed_id")
    other = live_feed(tables, owner_id) if owner_id and owner_id != feed["feed_id"] else None
    if owner_id and owner_id != feed["feed_id"] and other is None:
        raise FeedwardError("a URL is registered to a feed that does not exist")
    if other is not None and other["feed_id"] != feed["feed_id"]:
        return _merge(tables, asked, feed, other)
    if tables.transact(_relocate(tables, asked, feed, row)):
        return None
    _attach_aliases(tables, asked, feed["feed_id"], feed.get("owner") or "")
    return MoveResult(outcome=MoveOutcome.MOVED, feed_id=feed["feed_id"], url=asked.to)


def _relocate(tables: Tables, asked: FeedMove, feed: Item, row: Item) -> Transaction:
    transaction = Transaction()
    claim(transaction, tables, row, feed["feed_id"], remove=(UNDONE,) if asked.overrules else ())
    rewrite(transaction, tables, feed, url=asked.to, url_hash=row["url_hash"], now=asked.now)
    emit_moved_event(
        transaction, tables, feed, "moved", _told(asked), to=row | {"url": asked.to}, by=asked.by, now=asked.now
    )
    return transaction


def _told(asked: FeedMove) -> Item:
    return {"reason": asked.reason.value, "why": text(asked.why, WHY_CHARS), "evidence": dict(asked.evidence)}


def _attach_aliases(tables: Tables, asked: FeedMove, feed_id: str, scope: str) -> None:
    """Attach the other URLs that were proven to be the feed's. The relocation stays if this fails."""
    if asked.aliases:
        with contextlib.suppress(FeedwardError):
            attach(tables, feed_id, by_hash((asked.to, *asked.aliases), scope))


def _result(outcome: MoveOutcome, feed: Item) -> MoveResult:
    return MoveResult(outcome=outcome, feed_id=feed["feed_id"], url=feed["url"])


# --- the new URL belongs to another feed -----------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Merge:
    """A merge of two feeds: the moving one (`feed`), winner, loser, and the decision."""

    asked: FeedMove
    feed: Item
    winner: Item
    loser: Item
    merger: Merger


def _merge(tables: Tables, asked: FeedMove, feed: Item, other: Item) -> MoveResult | None:
    """Merge the two feeds. Returns None if one of them has changed."""
    merger = merged_by_move(merging_feed(feed), merging_feed(other), asked.to)
    winner, loser = (feed, other) if merger.winner.feed_id == feed["feed_id"] else (other, feed)
    merge = _Merge(asked=asked, feed=feed, winner=winner, loser=loser, merger=merger)
    if tables.transact(_merging(tables, merge, row_of(tables, merger.url, feed) | {"url": merger.url})):
        return None
    with contextlib.suppress(FeedwardError):
        move_urls(tables, loser["feed_id"])  # on failure the pending mark stays
    _attach_aliases(tables, asked, winner["feed_id"], feed.get("owner") or "")
    merged = loser["feed_id"]
    return MoveResult(outcome=MoveOutcome.MERGED, feed_id=winner["feed_id"], url=merger.url, merged=merged)


def _merging(tables: Tables, merge: _Merge, to: Item) -> Transaction:
    winner, asked, settings = merge.winner, merge.asked, settings_taken_over(merge.merger)
    transaction = Transaction()
    if merge.merger.moves:
        claim(transaction, tables, to, winner["feed_id"])
        rewrite(transaction, tables, winner, url=to["url"], url_hash=to["url_hash"], now=asked.now, settings=settings)
    else:
        key = feed_key(winner["feed_id"])
        transaction.update(tables.names.feeds, key, unchanged(winner), assign=settings, increment=("rev",))
    write_tombstone(transaction, tables, winner["feed_id"], merge.loser, asked.now, by=asked.by)
    _emit_merged_event(transaction, tables, merge, to)
    return transaction


def _emit_merged_event(transaction: Transaction, tables: Tables, merge: _Merge, to: Item) -> None:
    """Add: the events of the moving feed and, if the other feed was merged or got another URL, of that one."""
    asked, feed, winner = merge.asked, merge.feed, merge.winner
    told = _told(asked) | {"merged": merge.loser["feed_id"]}
    into = None if winner is feed else winner["feed_id"]
    emit_moved_event(transaction, tables, feed, "moved", told, to=to, by=asked.by, now=asked.now, merged_into=into)
    if winner is feed:
        reason, winner_id = asked.reason.value, winner["feed_id"]
        emit_merged_event(transaction, tables, winner_id, merge.loser, url=to["url"], reason=reason, now=asked.now)
    elif winner["url"] != to["url"]:
        emit_moved_event(transaction, tables, winner, "moved", told, to=to, by=asked.by, now=asked.now)


def respell(tables: Tables, feed_id: str, url: str, now: int) -> str:
    """Implement ports.FeedStore.respell."""
    for _ in range(_ROUNDS):
        feed = live_feed(tables, feed_id)
        if feed is None or key_or_text(feed["url"]) != key_or_text(url):
            return url if feed is None else str(feed["url"])
        result = move(tables, _respelling(feed, url, now))
        if result.outcome is not MoveOutcome.CHANGED:
            return result.url
    raise Conflict("the feed kept changing")


def _respelling(feed: Item, url: str, now: int) -> FeedMove:
    return FeedMove(
        feed_id=feed["feed_id"],
        url=feed["url"],
        to=url,
        seen_rev=feed["rev"],
        reason=return_to(feed["url"], url, url).reason,
        by="register",
        now=now,
        why="this spelling was requested, and it works",
    )
