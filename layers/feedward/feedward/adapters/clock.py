"""The system clock."""

from __future__ import annotations

import time


class SystemClock:
    """ports.Clock over the clocks of the operating system."""

    def now(self) -> int:
        """Return whole epoch seconds, UTC."""
        return int(time.time())

    def now_ms(self) -> int:
        """Return epoch milliseconds, UTC."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Return seconds that never go back."""
        return time.monotonic()
