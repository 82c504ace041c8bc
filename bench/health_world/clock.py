"""The virtual clock: plays a year of checks in the order of their time, in ticks of a minute as the sweep has them."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence

from bench.health_world.rhythms import END

TICK = 60

# What a tick does: the numbers of the feeds that are due, and now; back comes when each is due again, None for never.
Tick = Callable[[Sequence[int], int], Sequence[int | None]]


def play(first_checks: Sequence[int], tick: Tick, *, end: int = END) -> None:
    """Call `tick` with all feeds that are due, minute by minute until `end`: each at the first tick after its time."""
    queue = [(tick_at(at), nth) for nth, at in enumerate(first_checks) if tick_at(at) < end]
    heapq.heapify(queue)
    while queue:
        now = queue[0][0]
        due: list[int] = []
        while queue and queue[0][0] == now:
            due.append(heapq.heappop(queue)[1])
        for nth, at in zip(due, tick(due, now), strict=True):
            if at is not None and (later := max(tick_at(at), now + TICK)) < end:
                heapq.heappush(queue, (later, nth))


def tick_at(at: int) -> int:
    """Return the first tick at or after a moment."""
    return -(-at // TICK) * TICK
