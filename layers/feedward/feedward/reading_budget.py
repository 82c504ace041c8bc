"""The budget for reading one document: bytes, tags and processor time. Pure.

Bytes and tags are counted before a C parser is called, since it cannot be interrupted. The time limit catches documents
that pass the counts and still cost too much, so it is far above what the counts allow.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

MAX_BYTES: Final = 10 << 20
"""The most that the guarded fetch delivers, after decompression."""

MAX_TAGS: Final = 500_000
"""Tags of a page. The largest real pages, specifications on one page, have some 300,000."""

MAX_CPU_S: Final = 4.0
_STEPS_PER_LOOK: Final = 1024


class TooCostly(Exception):
    """Raised when a document exceeds its reading budget. `detail` names the limit."""

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


@dataclass(slots=True)
class ReadingBudget:
    """The budget of one document, spent by one thread. `clock` is the processor time of that thread, in seconds.

    `steps` counts iterations of loops: the work, independent of the machine.
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
        """Raise TooCostly if the document has too many bytes."""
        if size > self.max_bytes:
            raise TooCostly(f"more than {self.max_bytes} bytes")

    def admit_tags(self, tags: int) -> None:
        """Raise TooCostly if the page may have too many tags, given the number of its `<`."""
        if tags > self.max_tags:
            raise TooCostly(f"more than {self.max_tags} tags")

    def step(self) -> None:
        """Count one iteration of a loop, and check the time now and then. Raises TooCostly."""
        self.steps += 1
        if not self.steps % _STEPS_PER_LOOK:
            self.check_time()

    def check_time(self) -> None:
        """Check the time, before and after each pass over the document. Raises TooCostly."""
        if self.clock() > self._ends_at:
            raise TooCostly(f"more than {self.cpu_s:g} s of processor time")
