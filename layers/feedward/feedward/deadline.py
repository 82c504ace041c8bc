"""A deadline: when work that has begun must be over. It is given to stores and fetches as an object. Pure."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, Self


@dataclass(frozen=True, slots=True)
class Deadline:
    """`ends_at` is on the clock `monotonic`, in seconds. Stores and queues start no attempt after it."""

    ends_at: float = math.inf
    monotonic: Callable[[], float] = time.monotonic

    @classmethod
    def after(cls, seconds: float | None, monotonic: Callable[[], float] = time.monotonic) -> Deadline:
        """Return the deadline that is so many seconds from now; None: there is none."""
        return cls(math.inf if seconds is None else monotonic() + seconds, monotonic)

    def left_s(self) -> float:
        """Return the seconds that are left, 0 where it has passed; infinite where there is no deadline."""
        return max(self.ends_at - self.monotonic(), 0.0)

    def at_most(self, seconds: float) -> Deadline:
        """Return the nearer of this deadline and the one that is so many seconds from now."""
        return Deadline(min(self.ends_at, self.monotonic() + seconds), self.monotonic)

    def before(self, reserve_s: float) -> Deadline:
        """Return the deadline that leaves so many seconds for what follows."""
        return Deadline(self.ends_at - reserve_s, self.monotonic)


NO_DEADLINE = Deadline()


class Bounded(Protocol):
    """A port whose calls keep to a deadline."""

    def within(self, deadline: Deadline) -> Self:
        """Return the same port for calls that begin no attempt after the deadline.

        What is called after it does nothing, and raises StoreUnavailable, QueueUnavailable or BusUnavailable. An
        attempt that is under way then ends within the time-outs of its client.
        """
        ...
