"""The memory that documents may take at one time, shared by all threads of a process.

Two bounds. A task's bodies beyond FREE_BYTES need one of few leases, held until the task ends. And only so many bytes
of documents are parsed at one time, for a parser takes up to PARSING_FACTOR times its document.

A task takes its lease first and then its place among the parsers, and gives both back in the other order: whoever
holds a place waits for nothing, so no two wait for each other. A second fetch of a task uses the lease that it has.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from feedward.errors import MemoryBusy
from feedward.reading_budget import MAX_BYTES

MIB: Final = 1 << 20

FREE_BYTES: Final = 1 * MIB
"""What each task may hold without a lease: most feeds and pages."""

LEASES: Final = 4
"""Tasks that hold more at one time."""

PARSING_BYTES: Final = MAX_BYTES
"""Bytes of documents in parsers at one time: one as large as any may be, or many small ones."""

WAIT_S: Final = 5.0
"""What a task waits for its lease, and for its place among the parsers. Then it goes on as a new message."""

# What memory is taken at most, for the arithmetic at MemorySize in template.yaml. Measured, by kind of document:
# a body is held twice while its pieces are joined, and its compressed form (at most 5 MiB) beside it.
READING_FACTOR: Final = 2.5
PROCESS_BYTES: Final = 130 * MIB
"""The interpreter, the libraries, and what a batch holds beside its documents."""
PARSING_FACTOR: Final = 20
"""The worst is a page of NULs, 19 times its size as a tree; one emoji, with 4 bytes for each character, takes 10."""


def peak_bytes(tasks: int, *, kept_bytes: int = 0) -> int:
    """Return the most bytes of a process that works on so many tasks at one time and keeps so much beside."""
    bodies = tasks * FREE_BYTES + LEASES * MAX_BYTES
    return PROCESS_BYTES + int(bodies * READING_FACTOR) + PARSING_BYTES * PARSING_FACTOR + kept_bytes


class _Gate:
    """So many units, handed out in the order in which they were asked for."""

    def __init__(self, units: int) -> None:
        self._units = units
        self._free = units
        self._queue: deque[object] = deque()
        self._changed = threading.Condition()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._queue)

    def take(self, units: int, within_s: float) -> int:
        """Wait for the units, at most `within_s` seconds, and return how many were taken. Raises MemoryBusy."""
        units = min(units, self._units)
        ticket = object()
        with self._changed:
            self._queue.append(ticket)
            try:
                if not self._changed.wait_for(lambda: self._queue[0] is ticket and self._free >= units, within_s):
                    raise MemoryBusy("too many large documents at this moment")
                self._free -= units
            finally:
                self._queue.remove(ticket)
                self._changed.notify_all()
        return units

    def give_back(self, units: int) -> None:
        with self._changed:
            self._free += units
            self._changed.notify_all()


class MemoryBudget:
    """One for a process. `wait_s` is what one task waits in all."""

    def __init__(
        self,
        *,
        leases: int = LEASES,
        parsing_bytes: int = PARSING_BYTES,
        free_bytes: int = FREE_BYTES,
        wait_s: float = WAIT_S,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.free_bytes = free_bytes
        self.wait_s = wait_s
        self.monotonic = monotonic
        self.leases = _Gate(leases)
        self.parsers = _Gate(parsing_bytes)

    @contextmanager
    def parsing(self, size: int, *, wait_s: float | None = None) -> Iterator[None]:
        """Hold a place among the parsers for a document of so many bytes. Raises MemoryBusy.

        Nothing else is waited for inside the block.
        """
        taken = self.parsers.take(size, self.wait_s if wait_s is None else wait_s)
        try:
            yield
        finally:
            self.parsers.give_back(taken)

    @contextmanager
    def room(self, *, wait_s: float | None = None) -> Iterator[TaskRoom]:
        """Give a task its room; it lasts as long as the block, so no document may outlive that."""
        room = TaskRoom(self, self.wait_s if wait_s is None else wait_s)
        try:
            yield room
        finally:
            room.close()


class TaskRoom:
    """Implements ports.BodyRoom: the memory of one task. It is used by one thread."""

    def __init__(self, budget: MemoryBudget, wait_s: float) -> None:
        self._budget = budget
        self._wait_left_s = wait_s
        self._leased = 0

    @property
    def free_bytes(self) -> int:
        """How large a body may be that needs no lease."""
        return self._budget.free_bytes

    def reserve(self) -> float:
        """Have a lease for a larger body, and return the seconds that it was waited for. Raises MemoryBusy."""
        if self._leased:
            return 0.0
        began = self._budget.monotonic()
        try:
            self._leased = self._budget.leases.take(1, max(self._wait_left_s, 0.0))
        finally:
            waited_s = self._budget.monotonic() - began
            self._wait_left_s -= waited_s
        return waited_s

    def close(self) -> None:
        """Give the lease back: the task's documents are gone."""
        if self._leased:
            self._budget.leases.give_back(self._leased)
        self._leased = 0
