"""Repair pass: reschedules entries that are 20 minutes overdue (rule M5).

Their message was lost or was dropped as late, or the index showed them only after the sweep had passed. The cursor
never goes back, so they get a due time ahead of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from feedward.deadline import Deadline
from feedward.errors import FeedwardError
from feedward.ports import Clock, DueStore
from feedward.scheduling.jitter import jitter_s
from feedward.scheduling.lateness import LEAST_AHEAD_S, OVERDUE_S
from feedward.scheduling.shards import DUE_SHARDS
from feedward.scheduling.sweep_cursors import Cursor
from feedward.services.sweep.reschedule import RESERVE_S, postpone
from feedward.services.sweep.sweep import DEFAULT_S

Due = TypeVar("Due")


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairReport:
    """The result of a repair pass.

    `overdue` counts the feeds or rows found, `postponed` those that were rescheduled. `unreadable` counts faulty
    entries, which are skipped. `failures` are error codes; the next pass retries failed work and work that did not fit
    into the time (`complete` False).
    """

    overdue: int = 0
    postponed: int = 0
    unreadable: int = 0
    failures: tuple[str, ...] = ()
    complete: bool = True


def repair(*, store: DueStore[Due], clock: Clock, within_s: float = DEFAULT_S) -> RepairReport:
    """Reschedule each entry that is 20 minutes overdue to a minute from now. Errors of the store are not raised."""
    return _Repair(store, clock, within_s).run()


class _Repair(Generic[Due]):
    """One pass, and its counts."""

    def __init__(self, store: DueStore[Due], clock: Clock, within_s: float) -> None:
        self._store, self._clock = store, clock
        self._now = clock.now()
        self._ends_at = clock.monotonic() + within_s
        self._overdue = self._postponed = self._unreadable = 0
        self._failures: list[str] = []
        self._complete = True

    def run(self) -> RepairReport:
        for turn in range(DUE_SHARDS):
            try:
                self._repair_shard((self._now // 60 + turn) % DUE_SHARDS)
            except FeedwardError as error:
                self._failures.append(error.code)
        return RepairReport(
            overdue=self._overdue,
            postponed=self._postponed,
            unreadable=self._unreadable,
            failures=tuple(self._failures),
            complete=self._complete and not self._failures,
        )

    def _repair_shard(self, shard: int) -> None:
        after, is_last = None, False
        while not is_last:
            if self._left_s() < RESERVE_S:
                self._complete = False
                return
            until = self._now - OVERDUE_S - 1
            page = self._store.within(Deadline.after(self._left_s())).due(shard, after=after, until=until)
            self._overdue += len(page.due)
            self._unreadable += page.unreadable
            self._postpone(page.places)
            after, is_last = page.end, page.is_last

    def _postpone(self, places: tuple[Cursor, ...]) -> None:
        if places:
            done = postpone(places, self._soon, store=self._store, left_s=self._left_s)
            self._postponed += done.moved
            self._failures += done.failures
            self._complete = self._complete and done.complete

    def _soon(self, place: Cursor) -> int:
        slot = self._clock.now() + LEAST_AHEAD_S
        return slot + jitter_s(place.due_id, slot, LEAST_AHEAD_S)

    def _left_s(self) -> float:
        return self._ends_at - self._clock.monotonic()
