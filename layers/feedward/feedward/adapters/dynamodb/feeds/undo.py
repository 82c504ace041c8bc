"""Undoes a relocation for a person, with an audit row of its own (rule H6).

This works once, and only while the feed is at the URL of that relocation. That URL stays an alias. Its mark keeps
checks and revivals from relocating the feed there again.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Final

from feedward.adapters.dynamodb.feeds.audit_log import audit_rows
from feedward.adapters.dynamodb.feeds.move_writes import UNDONE, claim, emit_moved_event, rewrite
from feedward.adapters.dynamodb.feeds.relocation import WHY_CHARS, row_of
from feedward.adapters.dynamodb.registry.lookup import live_feed
from feedward.adapters.dynamodb.store.codec import Item, text
from feedward.adapters.dynamodb.store.keys import AUDIT_PREFIX, feed_key
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Transaction, absent, both, present
from feedward.errors import Conflict, NotFound, WrongState
from feedward.health.moves import MoveReason
from feedward.health.relocation import MoveOutcome, MoveResult

_ROUNDS: Final = 20
_MOVES: Final = frozenset({"moved", "undone"})


def undo(tables: Tables, feed_id: str, *, by: str, now: int, why: str, entry_id: str | None) -> MoveResult:
    """Implement ports.FeedMoves.undo."""
    for _ in range(_ROUNDS):
        feed = _feed(tables, feed_id)
        done = _move_to_undo(tables, feed, entry_id)
        told = {"reason": MoveReason.UNDO.value, "why": text(why, WHY_CHARS), "undoes": _entry_id(done)}
        if not tables.transact(_undoing(tables, feed, done, told, by=by, now=now)):
            return MoveResult(outcome=MoveOutcome.MOVED, feed_id=feed_id, url=done["from"])
    raise Conflict("the feed kept changing")


def _feed(tables: Tables, feed_id: str) -> Item:
    feed = tables.get(tables.names.feeds, feed_key(feed_id))
    if feed is None:
        raise NotFound("there is no feed with this id")
    if "merged_into" in feed:
        raise WrongState(f"the feed is part of {feed['merged_into']} now: feeds that were merged stay one")
    return feed


def _move_to_undo(tables: Tables, feed: Item, entry_id: str | None) -> Item:
    done = _row(tables, feed["feed_id"], entry_id) if entry_id else _last_move(tables, feed["feed_id"])
    if done is None:
        raise NotFound("the feed has no such move")
    if done["action"] == "undone" or "undone_at" in done:
        raise WrongState("this move was undone before")
    if done["action"] != "moved":
        raise WrongState("only a move can be undone")
    if done.get("merged"):
        raise WrongState("two feeds became one by this move: feeds that were merged stay one")
    if (feed["url"], feed["url_hash"]) != (done["to"], done["to_hash"]):
        raise WrongState(f"the feed is not where this move brought it any more, but at {feed['url']}")
    return done


def _last_move(tables: Tables, feed_id: str) -> Item | None:
    """Return the last relocation or reversal: of several in one second, the last one written."""
    rows = (row for row in audit_rows(tables, feed_id) if row["action"] in _MOVES)
    last = next(rows, None)
    if last is None:
        return None
    return max((last, *takewhile(lambda row: row["at"] == last["at"], rows)), key=lambda row: int(row["rev"]))


def _row(tables: Tables, feed_id: str, entry_id: str) -> Item | None:
    return tables.get(tables.names.feeds, feed_key(feed_id, AUDIT_PREFIX + entry_id))


def _entry_id(row: Item) -> str:
    return str(row["sk"]).removeprefix(AUDIT_PREFIX)


def _undoing(tables: Tables, feed: Item, done: Item, told: Item, *, by: str, now: int) -> Transaction:
    feed_id, back, left = feed["feed_id"], row_of(tables, done["from"], feed), row_of(tables, done["to"], feed)
    _refuse_anothers(tables, feed_id, back)
    transaction = Transaction()
    mark = {UNDONE: done["to"]}
    if back["url_hash"] == left["url_hash"]:  # http and https of one URL
        claim(transaction, tables, back, feed_id, assign=mark)
    else:
        claim(transaction, tables, back, feed_id)
        claim(transaction, tables, left, feed_id, assign=mark)
    to = back | {"url": done["from"]}
    rewrite(transaction, tables, feed, url=to["url"], url_hash=to["url_hash"], now=now)
    row_key = feed_key(feed_id, done["sk"])
    transaction.update(tables.names.feeds, row_key, both(present("sk"), absent("undone_at")), assign={"undone_at": now})
    emit_moved_event(transaction, tables, feed, "undone", told, to=to, by=by, now=now)
    return transaction


def _refuse_anothers(tables: Tables, feed_id: str, row: Item) -> None:
    """Raise WrongState if another feed owns the old URL. This happens only after a manual repair, which must stay."""
    owner_id = row.get("feed_id")
    owner = live_feed(tables, owner_id) if owner_id and owner_id != feed_id else None
    if owner is not None and owner["feed_id"] != feed_id:
        raise WrongState(f"the old URL now belongs to the feed {owner['feed_id']}")
