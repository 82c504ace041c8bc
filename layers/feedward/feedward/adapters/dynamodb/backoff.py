"""How long to wait before asking a busy store again: exponential, with full jitter, a bounded number of times."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Backoff:
    """`attempts` tries in all; the pause before try n is anything from 0 to `first_s` x 2^n, and at most `longest_s`.

    The default waits at most 1.4 s in all, of the 4 s that a URL has.
    """

    attempts: int = 7
    first_s: float = 0.02
    longest_s: float = 0.4
    sleep: Callable[[float], None] = time.sleep
    draw: Callable[[], float] = random.random

    def tries(self) -> Iterator[bool]:
        """Yield once for each try, pausing before all but the first; the value says whether it is the last one."""
        for attempt in range(self.attempts):
            if attempt:
                self.sleep(self.draw() * min(self.first_s * 2**attempt, self.longest_s))
            yield attempt == self.attempts - 1
