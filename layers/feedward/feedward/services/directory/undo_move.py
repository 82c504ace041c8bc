"""A person takes a feed's move back (spec H6): one call, told to the bus, and followed by a check at once."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

from feedward.health.feed_move import MoveResult
from feedward.ports import CheckStore, Clock, EventBus, FeedMoves, HealthQueue, Outbox
from feedward.services.check.soon import check_soon
from feedward.services.publish_owed import publish_owed


class UndoDirectory(Protocol):
    """What an undoing works with."""

    @property
    def moves(self) -> FeedMoves: ...
    @property
    def outbox(self) -> Outbox: ...
    @property
    def bus(self) -> EventBus: ...
    @property
    def checks(self) -> CheckStore: ...
    @property
    def health_queue(self) -> HealthQueue: ...
    @property
    def clock(self) -> Clock: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """Where the feed is again. `left_owed` holds the codes of errors that left the event or the check for later."""

    result: MoveResult
    left_owed: tuple[str, ...] = ()


def undo_move(
    feed_id: str,
    *,
    by: str,
    directory: UndoDirectory,
    why: str = "",
    entry_id: str | None = None,
    within_s: float = math.inf,
) -> Undone:
    """Take back the feed's last move, or the one that this audit entry tells of.

    Raises NotFound, WrongState where it was undone before or the feed moved on, and what the stores raise.
    """
    clock = directory.clock
    ends_at = clock.monotonic() + within_s
    limit = None if within_s == math.inf else within_s
    result = directory.moves.undo(feed_id, by=by, now=clock.now(), why=why, entry_id=entry_id, within_s=limit)
    codes = (
        publish_owed(feed_id, outbox=directory.outbox, bus=directory.bus, clock=clock, ends_at=ends_at),
        check_soon(feed_id, checks=directory.checks, queue=directory.health_queue, now=clock.now()),
    )
    return Undone(result=result, left_owed=tuple(code for code in codes if code))
