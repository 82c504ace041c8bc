"""What the person at the keyboard sees: one line for each long step with its time, one for each log line."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO


def printable(text: str) -> str:
    """Escape what a terminal would act on instead of showing, and what would break a line."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


class Console:
    """Writes whole lines; safe to use from several threads, since each line is one write."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout

    def line(self, text: str) -> None:
        """Write one line at once."""
        self._write(text + "\n")

    @contextmanager
    def step(self, what: str) -> Iterator[None]:
        """Say what is being done, and how long it took when it is done."""
        started = time.monotonic()
        self._write(f"{what} ...")
        try:
            yield
        except BaseException:
            self.line(" stopped")
            raise
        self.line(f" {time.monotonic() - started:.1f} s")

    def _write(self, text: str) -> None:
        """A reader that is gone, or a terminal that was closed, is no reason to stop."""
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            return
