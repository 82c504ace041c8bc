"""The memory budget for documents, shared by all threads of a process.

There are two limits. A task whose bodies exceed FREE_BYTES needs one of a few leases, held until the task ends. And the
bytes of documents in parsers are limited, since a parser takes up to PARSING_FACTOR times its document.

A task takes its lease first and its parser bytes second, and releases them in reverse order. A task that holds parser
bytes waits for nothing else, so there is no deadlock. A second fetch of a task reuses its lease.
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
"""What each task may hold without a lease. Most feeds and pages fit."""

LEASES: Final = 4
"""The number of tasks that may hold more concurrently."""

PARSING_BYTES: Final = MAX_BYTES
"""Bytes of documents in parsers at the same time: one document of the largest size, or many small ones."""

WAIT_S: Final = 5.0
"""How long a task waits for its lease, and for its parser bytes, before it is sent as a new message."""

# Upper bounds for the arithmetic at MemorySize in template.yaml, measured by kind of document. A body is held twice
# while its pieces are joined, together with its compressed form (at most 5 MiB).
READING_FACTOR: Final = 2.5
PROCESS_BYTES: Final = 130 * MIB
"""The interpreter, the libraries, and a batch's memory other than documents."""
PARSING_FACTOR: Final = 20
"""The worst is a page of NULs, 19 times its size as a tree; one emoji, with 4 bytes for each character, takes 10."""


def peak_bytes(tasks: int, *, kept_bytes: int = 0) -> int:
    """Return the peak memory of a process that runs this many tasks concurrently and also keeps `kept_bytes`."""
    bodies = tasks * FREE_BYTES + LEASES * MAX_BYTES
    return PROCESS_BYTES + int(bodies * READING_FACTOR) + PARSING_BYTES * PARSING_FACTOR + kept_bytes


class _Gate:
    """A semaphore with several units, which serves waiting threads in order."""

    def __init__(self, units: int) -> None:
        self._units = units
        self._free = units
        self._queue: deque[object] = deque()
        self._changed = threading.Condition()

    @property
    def waiting(self) -> int:
        """The number of waiting threads."""
        return len(self._queue)

    def take(self, units: int, within_s: float) -> int:
        """Take units, waiting at most `within_s` seconds, and return how many were taken. Raises MemoryBusy."""
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
    """The budget of one process. `wait_s` is the longest wait of one task in total."""

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
        """Hold parser bytes for a document of this size. Raises MemoryBusy.

        The block must not wait for anything else.
        """
        taken = self.parsers.take(size, self.wait_s if wait_s is None else wait_s)
        try:
            yield
        finally:
            self.parsers.give_back(taken)

    @contextmanager
    def room(self, *, wait_s: float | None = None) -> Iterator[TaskRoom]:
        """Give a task its memory room for the length of the block; no document may outlive it."""
        room = TaskRoom(self, self.wait_s if wait_s is None else wait_s)
        try:
            yield room
        finally:
            room.close()


class TaskRoom:
    """Implements ports.BodyRoom: the memory of one task, used by one thread."""

    def __init__(self, budget: MemoryBudget, wait_s: float) -> None:
        self._budget = budget
        self._wait_left_s = wait_s
        self._leased = 0

    @property
    def free_bytes(self) -> int:
        """The largest body that needs no lease."""
        return self._budget.free_bytes

    def reserve(self) -> float:
        """Take a lease for a larger body, and return the seconds spent waiting for it. Raises MemoryBusy."""
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
        """Release the lease, after the task's documents were freed."""
        if self._leased:
            self._budget.leases.give_back(self._leased)
        self._leased = 0
