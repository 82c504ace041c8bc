"""The virtual clock: runs a year of checks in order of time, in ticks of a minute, like the sweep."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Mapping, Sequence

from bench.health_world.rhythms import END

TICK = 60

# A tick's work: takes the numbers of the due feeds, and the time; returns when each is due again, None for never, and
# the same for other feeds that were checked early.
Tick = Callable[[Sequence[int], int], Mapping[int, int | None]]


def play(first_checks: Sequence[int], tick: Tick, *, end: int = END) -> None:
    """Call `tick` with all due feeds, minute by minute until `end`: each at the first tick after its time."""
    due_at = [tick_at(at) for at in first_checks]
    queue = [(at, nth) for nth, at in enumerate(due_at) if at < end]
    heapq.heapify(queue)
    while queue:
        now = queue[0][0]
        due: list[int] = []
        while queue and queue[0][0] == now:
            nth = heapq.heappop(queue)[1]
            if due_at[nth] == now:  # else it was checked before its time
                due.append(nth)
        for nth, at in tick(due, now).items() if due else ():
            due_at[nth] = end if at is None else max(tick_at(at), now + TICK)
            if due_at[nth] < end:
                heapq.heappush(queue, (due_at[nth], nth))


def tick_at(at: int) -> int:
    """Return the first tick at or after a moment."""
    return -(-at // TICK) * TICK
