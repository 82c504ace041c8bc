"""Polls something, with increasing pauses."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

FIRST_LOOK_S, LOOK_AT_MOST_S = 0.25, 2.0


def looks(
    within_s: float, *, sleep: Callable[[float], None] = time.sleep, monotonic: Callable[[], float] = time.monotonic
) -> Iterator[float]:
    """Yield the seconds that have passed at each poll; end after `within_s` seconds.

    The last poll is at the very end.
    """
    started, pause_s = monotonic(), FIRST_LOOK_S
    while (spent_s := monotonic() - started) < within_s:
        sleep(min(pause_s, within_s - spent_s))
        pause_s = min(pause_s * 1.5, LOOK_AT_MOST_S)
        yield monotonic() - started
