"""Paired rounds: every contender runs once per round, so that a slow moment affects all of them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping


def paired_seconds(contenders: Mapping[str, Callable[[], object]], *, rounds: int) -> dict[str, float]:
    """Median processor seconds of each contender over `rounds` interleaved rounds, after a warm-up round."""
    taken: dict[str, list[float]] = {name: [] for name in contenders}
    for count in range(rounds + 1):
        for name, run in contenders.items():
            start = time.process_time()
            run()
            if count:
                taken[name].append(time.process_time() - start)
    return {name: statistics.median(times) for name, times in taken.items()}
