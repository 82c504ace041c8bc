"""The machine's time."""

from __future__ import annotations

import time


class SystemClock:
    """ports.Clock over the clocks of the operating system."""

    def now(self) -> int:
        """Whole epoch seconds, UTC."""
        return int(time.time())

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return time.monotonic()
