"""Checks one feed: fetch, decide, write with optimistic locking on `rev`, publish events.

An unchanged check of a healthy feed in its slot reads and writes nothing, except for one heartbeat a day. If the stored
feed differs from the message, the check decides again on the stored one, provided that it has the same slot and URL.
Otherwise the result is dropped (rules R12, S9, I4, I6).
"""

from __future__ import annotations

import contextlib
from collections.abc import Set
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from feedward.deadline import Deadline
from feedward.errors import FeedwardError
from feedward.health.decision import Stored
from feedward.health.due_feed import DueFeed
from feedward.health.relocation import MoveResult
from feedward.model import FeedState
from feedward.ports import PageFetcher
from feedward.services.check.answer import CheckAnswer, CheckDisposition, unfetched
from feedward.services.check.fetch_feed import Connection, Visit, lost_worker, visit
from feedward.services.check.moves import MoveEvaluator, ask_move
from feedward.services.check.planned_write import Plan, plan, tells_of_push
from feedward.services.check.ports import CheckPorts
from feedward.services.relay_outbox import relay_outbox

if TYPE_CHECKING:
    from feedward.push.trust import PushNote

# Retries after a lost conditional write.
_AGAIN: Final = 3
# The time limit for relaying events and re-pointing a merge's subscriptions. Unfinished work stays pending.
_RELAY_S: Final = 5.0


def check_feed(
    due: DueFeed,
    *,
    ports: CheckPorts,
    outage_minutes: frozenset[int] = frozenset(),
    paused: Set[str] = frozenset(),
    within_s: float | None = None,
    fetcher: PageFetcher | None = None,
    has_killed: bool = False,
) -> CheckAnswer:
    """Check a feed that is due, and return the result.

    `outage_minutes` are the epoch minutes marked as our own outage (rule H5). `paused` are feeds that were paused after
    `due` was read: they are not fetched. All requests end within `within_s` seconds. `fetcher` replaces that of the
    ports. `has_killed`: a worker died during a check of this feed, so the check fails without a fetch.

    Raises Throttled, Conflict or StoreUnavailable if the store fails, and MemoryBusy if other documents occupy the
    memory. Then nothing was written, and the check can be repeated.
    """
    reason = _why_not(due, paused, ports.clock.now())
    if reason is not None:
        return unfetched(due, reason, ports.clock.now())
    with ports.memory.room() as room:
        connection = Connection(
            fetcher or ports.fetcher, within_s, ports.clock.monotonic, memory=ports.memory, room=room
        )
        owned_urls = partial(ports.store.owned_urls, due.feed_id)
        seen = lost_worker(due) if has_killed else visit(due, connection, ports.clock.now(), owned_urls)
        return _decide_and_write(due, seen, connection, ports, outage_minutes)


def _decide_and_write(
    due: DueFeed, seen: Visit, connection: Connection, ports: CheckPorts, outage_minutes: frozenset[int]
) -> CheckAnswer:
    now = ports.clock.now()
    if seen.fetch.held_back_until is not None:
        held_back = unfetched(due, CheckDisposition.POSTPONED, now)
        return replace(held_back, held_back_until=seen.fetch.held_back_until, requests=connection.requests)
    answer = CheckAnswer(
        feed_id=due.feed_id,
        host=due.host,
        at=now,
        disposition=CheckDisposition.DROPPED,
        outcome=seen.outcome,
        status=seen.fetch.status,
        detail=seen.fetch.detail,
        is_shared=due.owner is None,
    )
    written = _write(due, seen, ports, connection=connection, outage_minutes=outage_minutes, now=now)
    if written is None:
        return replace(answer, requests=connection.requests)
    return _tell(replace(answer, requests=connection.requests), written, ports)


def _why_not(due: DueFeed, paused: Set[str], now: int) -> CheckDisposition | None:
    """Return the reason to skip the fetch, or None."""
    if due.health.state is FeedState.PAUSED or due.feed_id in paused:
        return CheckDisposition.PAUSED
    return CheckDisposition.LATE if due.is_late(now) else None


def _write(
    due: DueFeed, seen: Visit, ports: CheckPorts, *, connection: Connection, outage_minutes: frozenset[int], now: int
) -> Plan | None:
    """Decide and write; after a lost write, decide again on the stored feed. None: the result is dropped."""
    current: DueFeed | None = due
    for _ in range(1 + _AGAIN):
        if current is None:
            return None
        judge = MoveEvaluator(due=current, observations=ports.observations, connection=connection, now=now)
        planned = plan(judge, seen, ports, outage_minutes)
        if planned is None:
            return None
        stored = ports.store.write(planned.update) if planned.writes else None
        if stored is None:
            return planned
        current = _still_ours(due, stored, now)
    return None


def _still_ours(due: DueFeed, stored: Stored, now: int) -> DueFeed | None:
    """Return the stored feed if this check is still the due one, or None if its result is too late."""
    found = stored.due
    if found is None or found.url != due.url or (found.place != due.place and due.pushed_at is None):
        return None
    is_older = stored.last_attempt_at is not None and stored.last_attempt_at > now
    return None if is_older else found


def _tell(answer: CheckAnswer, written: Plan, ports: CheckPorts) -> CheckAnswer:
    """Relocate the feed if it moved, relay its outbox, and return the complete answer."""
    after, decision, seen = written.update.after, written.decision, written.seen
    moved = ask_move(after, written.move_decision, seen.fetch, ports.moves, answer.at)
    is_eventful = bool(written.update.events or (moved and moved.is_applied))
    return replace(
        answer,
        disposition=CheckDisposition.APPLIED,
        outcome=seen.outcome,
        status=seen.fetch.status,
        detail=seen.fetch.detail,
        health=after.health,
        next_check_at=decision.next_check_at,
        new_items=written.new_items,
        is_eventful=is_eventful,
        state_change=decision.state_change,
        revival=decision.revival,
        move=moved,
        undelivered=_relay(after.feed_id, moved, ports) if is_eventful else None,
        push=_tell_push(written, ports, answer.at) if ports.push.is_on else None,
    )


def _tell_push(written: Plan, ports: CheckPorts, now: int) -> PushNote | None:
    """Report the check's result for pushes, if any: an unchanged scheduled check calls nothing."""
    if not tells_of_push(written):
        return None
    from feedward.services.check.tell_push import tell_push  # noqa: PLC0415 - most checks have nothing to report

    return tell_push(written, ports.push, now)


def _relay(feed_id: str, moved: MoveResult | None, ports: CheckPorts) -> str | None:
    """Relay the outbox of the feed and of a feed merged with it; then re-point the subscriptions of a merge.

    Return the error code of an undelivered event. The merge keeps its pending mark in any case.
    """
    ends_at = ports.clock.monotonic() + _RELAY_S
    feed_ids = dict.fromkeys((feed_id, moved.feed_id) if moved and moved.merged else (feed_id,))
    codes = [
        relay_outbox(each, outbox=ports.outbox, bus=ports.bus, deadline=Deadline(ends_at, ports.clock.monotonic))
        for each in feed_ids
    ]
    if moved and moved.merged:
        with contextlib.suppress(FeedwardError):
            left_s = ends_at - ports.clock.monotonic()
            ports.subscriptions.within(Deadline.after(left_s)).repoint(moved.merged, now=ports.clock.now())
    return next((code for code in codes if code), None)
