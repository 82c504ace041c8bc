"""Sends due entries to the workers: each shard from its cursor (rule M1).

Nothing due, nothing written. The sweep takes a shard's lease, sends the due entries, and only then moves the cursor. If
it is killed in between, that range is sent again after the lease has expired, and workers tolerate duplicates (rule
I6). Concurrent sweeps skip each other's shards.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, Generic

from feedward.deadline import Deadline
from feedward.errors import FeedwardError
from feedward.health.due_feed import DueFeed, HealthMessage
from feedward.ports import Clock, DueStore, SweepStore, WorkQueue
from feedward.scheduling.message_plan import Pace, planned, remembered
from feedward.scheduling.messages import Entry
from feedward.scheduling.sweep_cursors import Cursor, DuePage, SweepShard
from feedward.services.sweep.reschedule import RESERVE_S, postpone
from feedward.ulid import new_ulid

# A lease expires this long after the time limit of the sweep that took it.
LEASE_RESERVE_S: Final = 10
DEFAULT_S: Final = 50.0
# Entries that are sent between two writes of a cursor. If the second write fails, they are sent again.
PART_FEEDS: Final = 1000
FEED_PACE: Final[Pace[DueFeed]] = Pace(
    message=HealthMessage, entry_s=3.0, longest_delay_s=lambda feed: feed.longest_delay_s
)
"""A worker needs 30 s for 10 feeds of a host that answers, including its pauses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepReport:
    """The result of a sweep.

    - due, sent: entries (feeds or rows) found due, and those that the queue accepted, in `messages` messages
    - postponed: entries rescheduled because no message can be delayed that long
    - unreadable: faulty entries of the index, which are skipped
    - swept, leased: shards with sent entries, and shards held by another sweep
    - oldest_due_at: due time of the longest waiting entry, in epoch seconds; None for none
    - failures: error codes of shards left to the next sweep; complete: the time was enough for all shards
    """

    due: int = 0
    sent: int = 0
    messages: int = 0
    postponed: int = 0
    unreadable: int = 0
    swept: int = 0
    leased: int = 0
    oldest_due_at: int | None = None
    failures: tuple[str, ...] = ()
    complete: bool = True

    def with_more(self, other: SweepReport) -> SweepReport:
        """Return the report of both sweeps."""
        oldest = [at for at in (self.oldest_due_at, other.oldest_due_at) if at is not None]
        return SweepReport(
            due=self.due + other.due,
            sent=self.sent + other.sent,
            messages=self.messages + other.messages,
            postponed=self.postponed + other.postponed,
            unreadable=self.unreadable + other.unreadable,
            swept=self.swept + other.swept,
            leased=self.leased + other.leased,
            oldest_due_at=min(oldest, default=None),
            failures=self.failures + other.failures,
            complete=self.complete and other.complete,
        )


def sweep(
    *,
    store: SweepStore,
    queue: WorkQueue,
    clock: Clock,
    within_s: float = DEFAULT_S,
    busy: dict[str, int] | None = None,
) -> SweepReport:
    """Send every feed that is due by exception and was not sent yet, within `within_s` seconds, and return a report.

    A shard that fails is left to the next sweep. Raises the errors of the store if the shards cannot be read.
    """
    return sweep_due(FEED_PACE, store=store, queue=queue, clock=clock, within_s=within_s, busy=busy)


def sweep_due(
    pace: Pace[Entry],
    *,
    store: DueStore[Entry],
    queue: WorkQueue,
    clock: Clock,
    within_s: float = DEFAULT_S,
    busy: dict[str, int] | None = None,
) -> SweepReport:
    """Sweep any due index; see `sweep`.

    `busy` maps the hosts of sweeps of the same call to the epoch second until which they are busy; this sweep adds its
    own, so that a host has one pace in all indexes.
    """
    made = _Sweep(pace, store, queue, clock, within_s)
    made.busy = {} if busy is None else busy
    return made.run()


class _Sweep(Generic[Entry]):
    """One sweep, and its counts."""

    def __init__(
        self,
        pace: Pace[Entry],
        store: DueStore[Entry],
        queue: WorkQueue,
        clock: Clock,
        within_s: float,
    ) -> None:
        self._pace, self._store, self._queue, self._clock = pace, store, queue, clock
        self._now = clock.now()
        self._ends_at = clock.monotonic() + within_s
        self._lease_until = self._now + math.ceil(within_s) + LEASE_RESERVE_S
        self._holder = new_ulid(self._now)
        self.busy: dict[str, int] = {}
        self._due = self._sent = self._messages = self._postponed = self._unreadable = self._swept = self._leased = 0
        self._oldest_due_at: int | None = None
        self._failures: list[str] = []
        self._complete = True

    def run(self) -> SweepReport:
        for seen in self._in_turn():
            if self._left_s() < RESERVE_S:
                self._complete = False
                break
            try:
                self._sweep_shard(seen)
            except FeedwardError as error:
                self._failures.append(error.code)
        return SweepReport(
            due=self._due,
            sent=self._sent,
            messages=self._messages,
            postponed=self._postponed,
            unreadable=self._unreadable,
            swept=self._swept,
            leased=self._leased,
            oldest_due_at=self._oldest_due_at,
            failures=tuple(self._failures),
            complete=self._complete and not self._failures,
        )

    def _in_turn(self) -> list[SweepShard]:
        """Start each sweep at another shard, so that a short time never skips the same ones."""
        shards = list(self._store.within(Deadline.after(self._left_s())).shards())
        first = self._now // 60 % len(shards)
        return shards[first:] + shards[:first]

    def _sweep_shard(self, seen: SweepShard) -> None:
        if seen.lease_until > self._now:
            self._leased += 1
            return
        page = self._read(seen)
        if page.end is None:
            return
        if not page.places:
            self._pass_over(seen, page)
            return
        held = self._store.within(Deadline.after(self._left_s())).take_lease(
            seen, holder=self._holder, until=self._lease_until
        )
        if held is None:
            self._leased += 1
            return
        self._swept += 1
        self._send_pages(held, page)

    def _pass_over(self, seen: SweepShard, page: DuePage[Entry]) -> None:
        """Move the cursor over an empty range, and continue behind it."""
        moved = self._move(seen, page.end, seen.busy, goes_on=False)
        if moved is None or page.is_last:
            return
        if self._left_s() < RESERVE_S:
            self._complete = False
            return
        self._sweep_shard(moved)

    def _send_pages(self, held: SweepShard, page: DuePage[Entry]) -> None:
        busy: Mapping[str, int] = held.busy
        parts = deque(page.parts(PART_FEEDS))
        while True:
            part = parts.popleft()
            cursor, busy = self._send(held.cursor, part, busy)
            goes_on = cursor == part.end and bool(parts or not part.is_last)
            if goes_on and self._left_s() < RESERVE_S:
                self._complete = goes_on = False
            moved = self._move(held, cursor, busy, goes_on=goes_on)
            if moved is None or not goes_on:
                return
            held = moved
            parts = parts or deque(self._read(held).parts(PART_FEEDS))

    def _move(
        self, held: SweepShard, cursor: Cursor | None, busy: Mapping[str, int], *, goes_on: bool
    ) -> SweepShard | None:
        return self._store.within(Deadline.after(self._left_s())).move_cursor(
            held,
            cursor=cursor,
            busy=remembered(busy, self._clock.now()),
            lease_until=self._lease_until if goes_on else 0,
        )

    def _send(
        self, before: Cursor | None, page: DuePage[Entry], busy: Mapping[str, int]
    ) -> tuple[Cursor | None, Mapping[str, int]]:
        """Send a page. Return the cursor up to which all entries are handled, and the hosts that are busy with them."""
        self._count(page)
        known = {host: max(busy.get(host, 0), self.busy.get(host, 0)) for host in busy.keys() | self.busy.keys()}
        plan = planned(page.due, known, self._clock.now(), self._pace)
        try:
            taken = self._queue.within(Deadline.after(self._left_s())).send_batch(plan.messages)
        except FeedwardError as error:
            self._failures.append(error.code)
            return before, busy
        self.busy.clear()  # the plan has the busy ones: the others would accumulate over a large sweep
        self.busy.update(plan.busy)
        sent = {entry.entry_id for message in taken for entry in message.entries}
        self._sent += len(sent)
        self._messages += len(taken)
        if len(taken) < len(plan.messages):
            self._failures.append("queue_refused")
        places = {entry.entry_id: place for entry, place in zip(page.due, page.places, strict=True)}
        handled = {places[entry_id].due_id for entry_id in sent}
        handled |= self._postpone({places[each.entry.entry_id]: each.at for each in plan.later})
        return _seen_to(before, page, handled), plan.busy

    def _postpone(self, later: Mapping[Cursor, int]) -> frozenset[str]:
        """Reschedule the entries that exceed the longest message delay, and return their positions."""
        if not later:
            return frozenset()
        done = postpone(list(later), later.__getitem__, store=self._store, left_s=self._left_s)
        self._postponed += done.moved
        self._failures += done.failures
        self._complete = self._complete and done.complete
        return done.due_ids

    def _read(self, shard: SweepShard) -> DuePage[Entry]:
        return self._store.within(Deadline.after(self._left_s())).due(shard.shard, after=shard.cursor, until=self._now)

    def _count(self, page: DuePage[Entry]) -> None:
        self._due += len(page.due)
        self._unreadable += page.unreadable
        for place in page.places[:1]:
            oldest = self._oldest_due_at
            self._oldest_due_at = place.due_at if oldest is None else min(oldest, place.due_at)

    def _left_s(self) -> float:
        return self._ends_at - self._clock.monotonic()


def _seen_to(before: Cursor | None, page: DuePage[Entry], due_ids: Collection[str]) -> Cursor | None:
    """Return the last position up to which every entry is handled."""
    last = before
    for place in page.places:
        if place.due_id not in due_ids:
            return last
        last = place
    return page.end if page.end is not None else before
