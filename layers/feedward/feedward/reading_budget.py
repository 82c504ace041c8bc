"""What reading one document may cost, whatever it holds: bytes, markup, and processor time between two steps. Pure.

Bytes and markup are counted before a parser in C is called, for it cannot be interrupted. The time only ends what the
counts let through and is dearer than it should be, so it is far above what those allow.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

MAX_BYTES: Final = 10 << 20
"""What the guarded fetch delivers at most, after decompression."""

MAX_TAGS: Final = 500_000
"""Tags of a page; the largest of real pages, specifications on one page, have some 300,000."""

MAX_CPU_S: Final = 4.0
_STEPS_PER_LOOK: Final = 1024


class TooCostly(Exception):
    """Reading this document costs more than one document may. `detail` says what it has too much of."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


@dataclass(slots=True)
class ReadingBudget:
    """The budget of one document; it is spent by one thread. `clock` is the processor time of that thread, in seconds.

    `steps` counts the rounds of loops that were made: the work, whatever the machine.
    """

    max_bytes: int = MAX_BYTES
    max_tags: int = MAX_TAGS
    cpu_s: float = MAX_CPU_S
    clock: Callable[[], float] = time.thread_time
    steps: int = field(default=0, init=False)
    _ends_at: float = field(init=False)

    def __post_init__(self) -> None:
        self._ends_at = self.clock() + self.cpu_s

    def admit_bytes(self, size: int) -> None:
        """Raise TooCostly for a document that has more bytes than this."""
        if size > self.max_bytes:
            raise TooCostly(f"more than {self.max_bytes} bytes")

    def admit_tags(self, tags: int) -> None:
        """Raise TooCostly for a page that may have more tags than this: the number of its `<`."""
        if tags > self.max_tags:
            raise TooCostly(f"more than {self.max_tags} tags")

    def step(self) -> None:
        """Count one step of a loop, and look at the clock now and then. Raises TooCostly once the time is used up."""
        self.steps += 1
        if not self.steps % _STEPS_PER_LOOK:
            self.check_time()

    def check_time(self) -> None:
        """Look at the clock: before and after each pass over the document. Raises TooCostly."""
        if self.clock() > self._ends_at:
            raise TooCostly(f"more than {self.cpu_s:g} s of processor time")
