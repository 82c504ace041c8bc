"""Actions of a person on a feed: pause, resume, set, check, revive, undo (rules G3, H2, H6).

A repeated action is answered as done. If the process dies midway, undelivered events stay in the outbox (rule I7).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Protocol

from feedward.access.caller import Caller
from feedward.deadline import NO_DEADLINE, Deadline
from feedward.errors import Conflict, NotFound, WrongState
from feedward.events.envelope import RevivalRequested
from feedward.health.decision import Decision, RevivalReason
from feedward.health.directory_feed import DirectoryFeed
from feedward.health.due_feed import HealthMessage
from feedward.health.relocation import MoveResult
from feedward.health.revival import RevivalOutcome
from feedward.health.state_machine import pause, resume
from feedward.model import FeedState
from feedward.ports import (
    Audit,
    CheckStore,
    Clock,
    EventBus,
    FeedActions,
    FeedMoves,
    FeedReader,
    Outbox,
    Revivals,
    WorkQueue,
)
from feedward.ports.work import send_all
from feedward.services.check.enqueue_check import enqueue_check
from feedward.services.directory.read_feeds import ANSWER_S, changeable_feed
from feedward.services.relay_outbox import relay_outbox
from feedward.services.revive.eligibility import no_need
from feedward.ulid import new_ulid


class UndoDirectory(Protocol):
    """Ports of undo_move."""

    @property
    def moves(self) -> FeedMoves: ...
    @property
    def outbox(self) -> Outbox: ...
    @property
    def bus(self) -> EventBus: ...
    @property
    def checks(self) -> CheckStore: ...
    @property
    def health_queue(self) -> WorkQueue: ...
    @property
    def clock(self) -> Clock: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """The URL of the feed after the undo. `undelivered`: error codes of an event or a check that follows later."""

    result: MoveResult
    undelivered: tuple[str, ...] = ()


def undo_move(
    feed_id: str,
    *,
    by: str,
    directory: UndoDirectory,
    why: str = "",
    entry_id: str | None = None,
    deadline: Deadline = NO_DEADLINE,
) -> Undone:
    """Undo the feed's last relocation, or the one of this audit entry.

    Raises NotFound, WrongState if it was undone before or the feed has moved since, and the errors of the stores.
    """
    clock = directory.clock
    result = directory.moves.within(deadline).undo(feed_id, by=by, now=clock.now(), why=why, entry_id=entry_id)
    codes = (
        relay_outbox(feed_id, outbox=directory.outbox, bus=directory.bus, deadline=deadline),
        enqueue_check(feed_id, checks=directory.checks, queue=directory.health_queue, now=clock.now()),
    )
    return Undone(result=result, undelivered=tuple(code for code in codes if code))


def _answer_deadline(ports: ActionPorts) -> Deadline:
    return Deadline.after(ANSWER_S, ports.clock.monotonic)


_ROUNDS: Final = 20
_PAUSED: Final = "the feed is paused: resume it first"
_KEPT_CHANGING: Final = "the feed kept changing"


class ActionPorts(Protocol):
    """Ports of the actions. bootstrap.Services implements them; tests bring their own."""

    @property
    def feed_reader(self) -> FeedReader: ...
    @property
    def feed_actions(self) -> FeedActions: ...
    @property
    def audit(self) -> Audit: ...
    @property
    def checks(self) -> CheckStore: ...
    @property
    def moves(self) -> FeedMoves: ...
    @property
    def revivals(self) -> Revivals: ...
    @property
    def outbox(self) -> Outbox: ...
    @property
    def bus(self) -> EventBus: ...
    @property
    def health_queue(self) -> WorkQueue: ...
    @property
    def clock(self) -> Clock: ...


def pause_feed(caller: Caller, feed_id: str, *, ports: ActionPorts, why: str = "") -> DirectoryFeed:
    """Stop checking the feed until it is resumed (POST /v1/feeds/{id}/pause). Return the feed.

    Raises NotFound, Conflict, and the errors of the stores.
    """
    return _applied(caller, feed_id, lambda feed: pause(feed.health), "paused", why=why, ports=ports)


def resume_feed(caller: Caller, feed_id: str, *, ports: ActionPorts, why: str = "") -> DirectoryFeed:
    """Resume a paused feed and check it immediately (POST /v1/feeds/{id}/resume). Raises as `pause_feed` does."""

    def decide(feed: DirectoryFeed) -> Decision:
        return resume(feed.health, ports.clock.now())

    feed = _applied(caller, feed_id, decide, "resumed", why=why, ports=ports)
    enqueue_check(feed.feed_id, checks=ports.checks, queue=ports.health_queue, now=ports.clock.now())
    return feed


def set_collect_items(
    caller: Caller, feed_id: str, *, collect_items: bool, ports: ActionPorts, why: str = ""
) -> DirectoryFeed:
    """Switch the collection of the links of new items on or off (PATCH /v1/feeds/{id}). Return the feed.

    Raises NotFound, Conflict, and the errors of the stores.
    """
    for _ in range(_ROUNDS):
        feed = changeable_feed(caller, feed_id, ports=ports)
        if feed.collect_items is collect_items:
            return feed
        now = ports.clock.now()
        if ports.feed_actions.within(_answer_deadline(ports)).set_collect_items(
            feed, collect_items, by=caller.name, now=now, why=why
        ):
            return changeable_feed(caller, feed.feed_id, ports=ports)
    raise Conflict(_KEPT_CHANGING)


def check_feed_now(caller: Caller, feed_id: str, *, ports: ActionPorts) -> DirectoryFeed:
    """Enqueue an immediate check (POST /v1/feeds/{id}/check). The feed's due time does not change.

    Raises NotFound, WrongState for a paused feed, QueueUnavailable, and the errors of the store.
    """
    feed = changeable_feed(caller, feed_id, ports=ports)
    due = ports.checks.due_feed(feed.feed_id)
    if due is None:
        raise WrongState(_PAUSED)
    message = HealthMessage(entries=(replace(due, asked=True),), sent_at=ports.clock.now())
    send_all(ports.health_queue.within(_answer_deadline(ports)), [message])
    return feed


def ask_for_revival(caller: Caller, feed_id: str, *, ports: ActionPorts) -> DirectoryFeed:
    """Request a revival of the feed (POST /v1/feeds/{id}/revive). Its audit log shows the result.

    Raises NotFound, WrongState for a feed that is paused or healthy, Conflict, and the errors of the stores.
    """
    feed = changeable_feed(caller, feed_id, ports=ports)
    now = ports.clock.now()
    asked = RevivalRequested(
        event_id=new_ulid(now),
        feed_id=feed.feed_id,
        reason=RevivalReason.REQUESTED,
        occurred_at=now,
        tenant_id=feed.owner,
        requested_by=caller.name,
    )
    _refuse_without_need(asked, ports)
    if not ports.feed_actions.within(_answer_deadline(ports)).ask_for_revival(asked):
        raise Conflict("the feed was merged at the same moment")
    _publish(feed.feed_id, ports)
    return feed


def undo_last_move(
    caller: Caller, feed_id: str, *, ports: ActionPorts, why: str = "", entry_id: str | None = None
) -> DirectoryFeed:
    """Undo the feed's last relocation, or the one of this audit entry (POST /v1/feeds/{id}/undo).

    Raises NotFound, WrongState if it was undone before or the feed has moved since, and the errors of the stores.
    """
    feed = changeable_feed(caller, feed_id, ports=ports)
    undo_move(
        feed.feed_id, by=caller.name, directory=ports, why=why, entry_id=entry_id, deadline=_answer_deadline(ports)
    )
    return changeable_feed(caller, feed.feed_id, ports=ports)


# --- write and publish --------------------------------------------------------------------------------


def _applied(
    caller: Caller,
    feed_id: str,
    decide: Callable[[DirectoryFeed], Decision],
    action: str,
    *,
    why: str,
    ports: ActionPorts,
) -> DirectoryFeed:
    """Write the decision if it changes the feed's state, and publish the event. Return the feed."""
    for _ in range(_ROUNDS):
        feed = changeable_feed(caller, feed_id, ports=ports)
        decision = decide(feed)
        if decision.state_change is None:
            return feed
        now = ports.clock.now()
        if ports.feed_actions.within(_answer_deadline(ports)).apply(
            feed, decision, action=action, by=caller.name, now=now, why=why
        ):
            _publish(feed.feed_id, ports)
            return changeable_feed(caller, feed.feed_id, ports=ports)
    raise Conflict(_KEPT_CHANGING)


def _refuse_without_need(asked: RevivalRequested, ports: ActionPorts) -> None:
    feed = ports.revivals.within(_answer_deadline(ports)).lost_feed(asked.feed_id)
    match no_need(feed, asked, asked.occurred_at):
        case None:
            return
        case RevivalOutcome.UNKNOWN:
            raise NotFound("there is no feed with this id")
        case RevivalOutcome.PAUSED:
            raise WrongState(_PAUSED)
        case _:
            raise WrongState(f"the feed is {FeedState.HEALTHY} and not stale: there is nothing to look for")


def _publish(feed_id: str, ports: ActionPorts) -> None:
    """Relay the feed's outbox. An event that is not delivered now stays there for a later relay."""
    relay_outbox(feed_id, outbox=ports.outbox, bus=ports.bus, deadline=_answer_deadline(ports))
