"""A deadline by which work must end. Stores and fetches take it as an object. Pure."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol, Self


@dataclass(frozen=True, slots=True)
class Deadline:
    """`ends_at` is on the clock `monotonic`, in seconds. Stores and queues start no attempt after it."""

    ends_at: float = math.inf
    monotonic: Callable[[], float] = time.monotonic

    @classmethod
    def after(cls, seconds: float | None, monotonic: Callable[[], float] = time.monotonic) -> Deadline:
        """Return the deadline in `seconds` from now; None means no deadline."""
        return cls(math.inf if seconds is None else monotonic() + seconds, monotonic)

    def left_s(self) -> float:
        """Return the remaining seconds: 0 once it has passed, infinite if there is no deadline."""
        return max(self.ends_at - self.monotonic(), 0.0)

    def at_most(self, seconds: float) -> Deadline:
        """Return the earlier of this deadline and one in `seconds` from now."""
        return Deadline(min(self.ends_at, self.monotonic() + seconds), self.monotonic)

    def before(self, reserve_s: float) -> Deadline:
        """Return the deadline `reserve_s` seconds earlier, to leave time for later work."""
        return Deadline(self.ends_at - reserve_s, self.monotonic)


NO_DEADLINE = Deadline()

RETURN_S: Final = 2.0
"""The part of a function's call that is reserved to emit metrics and to return the answer."""
ATTEMPT_S: Final = 4.0
"""The longest attempt of DynamoDB, of a queue or of the bus, which may begin just before a deadline."""


def call_time_s(context: Any) -> float:
    """Return the seconds that a function's call may still work, by Lambda's context."""
    left_ms: int = context.get_remaining_time_in_millis()
    return left_ms / 1000 - RETURN_S


def task_time_s(context: Any) -> float:
    """Return the seconds in which a scheduled task may start calls of stores and queues."""
    return call_time_s(context) - ATTEMPT_S


class Bounded(Protocol):
    """A port whose calls keep to a deadline."""

    def within(self, deadline: Deadline) -> Self:
        """Return the same port, whose calls start no attempt after the deadline.

        A call after the deadline does nothing and raises StoreUnavailable, QueueUnavailable or BusUnavailable. An
        attempt in progress ends within the time-outs of its client.
        """
        ...
