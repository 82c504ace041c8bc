"""Tells a person when the state of the running stack cannot be saved, such as on a full disk."""

from __future__ import annotations

import time
from collections.abc import Callable

LOOKS_EVERY_S = 10.0


class SaveWatch:
    """Asks now and then whether saves fail, and says so once."""

    def __init__(self, fails: Callable[[], bool], say: Callable[[str], object], log: object) -> None:
        """`fails` returns whether the last save failed; `log` is the file that says why."""
        self._fails, self._say, self._log = fails, say, log
        self._failed, self._next_look = False, 0.0

    def look(self) -> None:
        """Ask if it is time to; say that saves begin to fail, or succeed again."""
        now = time.monotonic()
        if now < self._next_look:
            return
        self._next_look = now + LOOKS_EVERY_S
        before, self._failed = self._failed, self._fails()
        if self._failed and not before:
            self._say(
                "The state cannot be saved: what is written from now on is lost at the next stop. The end of "
                f"{self._log} says why. It is tried again."
            )
        elif before and not self._failed:
            self._say("The state is saved again.")
