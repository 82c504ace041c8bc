"""The console output: one line for each long step with its time, one for each log line."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TextIO


def printable(text: str) -> str:
    """Escape control characters that a terminal would act on, and line breaks."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


class Console:
    """Writes whole lines; thread-safe. Lines written during a step are shown after it."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self._lock = Lock()
        self._steps, self._waiting = 0, list[str]()

    def line(self, text: str) -> None:
        """Write one line, immediately or after the current step."""
        with self._lock:
            if self._steps:
                self._waiting.append(text)
            else:
                self._write(text + "\n")

    @contextmanager
    def step(self, what: str) -> Iterator[None]:
        """Show the current step, and its duration when it is done."""
        started = time.monotonic()
        with self._lock:
            self._steps += 1
            self._write(f"{what} ...")
        try:
            yield
        except BaseException:
            self._end("stopped")
            raise
        self._end(f"{time.monotonic() - started:.1f} s")

    def _end(self, how: str) -> None:
        with self._lock:
            self._steps -= 1
            waiting, self._waiting = self._waiting, []
            self._write("\n".join((f" {how}", *waiting, "")))

    def _write(self, text: str) -> None:
        """Write a text. A missing reader, or a closed terminal, is no error."""
        try:
            self._stream.write(text)
            self._stream.flush()
        except (OSError, ValueError):
            return
