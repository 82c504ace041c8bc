"""A worker that dies where it is told to: the ports of its services, with a death between two of their calls.

It ends as a killed process does: no handler runs, no thread is waited for, nothing that is open is closed.
"""

from __future__ import annotations

import copy
import os
import time
from collections.abc import Mapping
from threading import Lock
from typing import Any, Final, Self

from tests.local.faulty_stack.inside.controls import Controls, Point

RECEIVES_AT_MOST: Final = 3  # as template.yaml has it for HealthQueue


class MovedClock:
    """ports.Clock: the machine's time, moved by the test."""

    def __init__(self, controls: Controls) -> None:
        self._controls = controls

    def now(self) -> int:
        """Whole epoch seconds."""
        return int(time.time()) + self._controls.ahead_s

    def now_ms(self) -> int:
        """Epoch milliseconds."""
        return time.time_ns() // 1_000_000 + self._controls.ahead_s * 1000

    def monotonic(self) -> float:
        """Seconds of a real clock: they measure how long this process may live."""
        return time.monotonic()


class Lifespan:
    """The point of the present call at which this worker dies, if it does. Threads share it."""

    def __init__(self, controls: Controls) -> None:
        self._controls = controls
        self._lock = Lock()
        self._point: Point | None = None
        self._calls_left = 0

    def begin_batch(self, records: list[Mapping[str, Any]], feeds: int) -> None:
        """Begin a call with messages: it may have to die over those that come for the first time.

        No process dies over a message that would become a dead letter then.
        """
        receives = [int(each["attributes"]["ApproximateReceiveCount"]) for each in records]
        again = sum(count > 1 for count in receives)
        self._controls.note(what="batch", messages=len(records), feeds=feeds, again=again)
        may_die = min(receives) == 1 and max(receives) < RECEIVES_AT_MOST
        self._begin([Point.RECEIVED, Point.FETCHED, Point.WROTE] if may_die else [], calls=feeds)
        self.reached(Point.RECEIVED)

    def begin_task(self) -> None:
        """Begin a call of a schedule."""
        self._begin([Point.SENT], calls=None)

    def reached(self, point: Point) -> None:
        """Die, if this was the last action."""
        with self._lock:
            if point is not self._point:
                return
            if self._calls_left:
                self._calls_left -= 1
                return
            self._controls.note(what="death", point=point)
            os._exit(137)

    def _begin(self, points: list[Point], *, calls: int | None) -> None:
        death = self._controls.claim_death(points) if points else None
        self._point, call = death or (None, 0)
        self._calls_left = 0 if self._point is Point.RECEIVED else call % calls if calls else call


class _Wrapped:
    """A port that is used as it is, except for methods that a subclass overrides."""

    def __init__(self, port: Any) -> None:
        self._port = port

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # a copy asks for them before it has a port
            raise AttributeError(name)
        return getattr(self._port, name)

    def within(self, deadline: Any) -> Self:
        """Wrap the port, also when it is bound."""
        bound = copy.copy(self)
        bound._port = self._port.within(deadline)
        return bound


class NotedQueue(_Wrapped):
    """ports.WorkQueue that records the number of sent messages, also of a sweep that then dies."""

    def __init__(self, port: Any, controls: Controls) -> None:
        super().__init__(port)
        self._controls = controls

    def send_batch(self, messages: Any, **options: Any) -> Any:
        """Send like the queue."""
        taken = self._port.send_batch(messages, **options)
        self._controls.note(what="sent", messages=len(taken))
        return taken


class MortalFetcher(_Wrapped):
    """ports.Fetcher of a worker that may die after a server's answer."""

    def __init__(self, port: Any, lifespan: Lifespan) -> None:
        super().__init__(port)
        self._lifespan = lifespan

    def fetch(self, *args: Any, **options: Any) -> Any:
        """Fetch like the fetcher."""
        result = self._port.fetch(*args, **options)
        self._lifespan.reached(Point.FETCHED)
        return result


class MortalCheckStore(_Wrapped):
    """ports.CheckStore of a worker that may die when a check is written, and before its events are sent."""

    def __init__(self, port: Any, lifespan: Lifespan) -> None:
        super().__init__(port)
        self._lifespan = lifespan

    def write(self, update: Any) -> Any:
        """Write like the store."""
        stored = self._port.write(update)
        self._lifespan.reached(Point.WROTE)
        return stored


class MortalSweepStore(_Wrapped):
    """ports.SweepStore of a sweep that may die before it moves its cursor, and that waits for others to race with."""

    def __init__(self, port: Any, lifespan: Lifespan, controls: Controls) -> None:
        super().__init__(port)
        self._lifespan, self._controls = lifespan, controls

    def shards(self, **options: Any) -> Any:
        """Read the shards like the store, and then let the others read them."""
        shards = self._port.shards(**options)
        self._controls.meet_other_sweeps()
        return shards

    def move_cursor(self, *args: Any, **options: Any) -> Any:
        """Move it like the store."""
        self._lifespan.reached(Point.SENT)
        return self._port.move_cursor(*args, **options)
