"""Find feeds that are long overdue though they were sent, and let them be due anew (design section 3, Sweep).

A message may be lost, or dropped for being late; the index may have shown a feed only when the sweep was past it. The
cursor never goes back to such a feed, so it is moved before the cursor instead.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

from feedward.errors import FeedwardError
from feedward.health.due_feed import DueFeed
from feedward.health.next_check import LEAST_AHEAD_S
from feedward.health.schedule import DUE_SHARDS, jitter_s
from feedward.ports import Clock, SweepStore
from feedward.services.sweep.sweep import DEFAULT_S, RESERVE_S

OVERDUE_S: Final = 20 * 60
IN_FLIGHT: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairReport:
    """What a repair pass did.

    `overdue` feeds were found, `postponed` are those that still were when they were moved. `unreadable` ones cannot be
    checked. `failures` are codes of errors; what they left, and what the time did not suffice for (`complete` False),
    is the next pass's.
    """

    overdue: int = 0
    postponed: int = 0
    unreadable: int = 0
    failures: tuple[str, ...] = ()
    complete: bool = True


def repair(*, store: SweepStore, clock: Clock, within_s: float = DEFAULT_S) -> RepairReport:
    """Set each feed that is overdue by more than 20 minutes 60 s ahead, if it still is. Raises nothing of the store."""
    return _Repair(store, clock, within_s).run()


class _Repair:
    """One pass, and its counts."""

    def __init__(self, store: SweepStore, clock: Clock, within_s: float) -> None:
        self._store, self._clock = store, clock
        self._now = clock.now()
        self._ends_at = clock.monotonic() + within_s
        self._overdue = self._postponed = self._unreadable = 0
        self._failures: list[str] = []
        self._complete = True

    def run(self) -> RepairReport:
        with ThreadPoolExecutor(IN_FLIGHT, thread_name_prefix="feedward-repair") as pool:
            for turn in range(DUE_SHARDS):
                try:
                    self._repair_shard((self._now // 60 + turn) % DUE_SHARDS, pool)
                except FeedwardError as error:
                    self._failures.append(error.code)
        return RepairReport(
            overdue=self._overdue,
            postponed=self._postponed,
            unreadable=self._unreadable,
            failures=tuple(self._failures),
            complete=self._complete and not self._failures,
        )

    def _repair_shard(self, shard: int, pool: ThreadPoolExecutor) -> None:
        after, is_last = None, False
        while not is_last:
            if self._is_over():
                self._complete = False
                return
            until = self._now - OVERDUE_S - 1
            page = self._store.due(shard, after=after, until=until, within_s=self._left_s())
            self._overdue += len(page.feeds)
            self._unreadable += page.unreadable
            self._postponed += sum(self._postpone_all(page.feeds, pool))
            after, is_last = page.end, page.is_last

    def _postpone_all(self, feeds: Iterable[DueFeed], pool: ThreadPoolExecutor) -> list[bool]:
        return list(pool.map(self._postpone, feeds))

    def _postpone(self, feed: DueFeed) -> bool:
        if self._is_over():
            self._complete = False
            return False
        slot = self._clock.now() + LEAST_AHEAD_S
        to = slot + jitter_s(feed.feed_id, slot, LEAST_AHEAD_S)
        try:
            return self._store.postpone(feed.feed_id, seen=feed.next_check_at, to=to, within_s=self._left_s())
        except FeedwardError as error:
            self._failures.append(error.code)
            return False

    def _is_over(self) -> bool:
        return self._left_s() < RESERVE_S

    def _left_s(self) -> float:
        return self._ends_at - self._clock.monotonic()
