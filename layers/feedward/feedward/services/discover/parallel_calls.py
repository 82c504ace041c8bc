"""Runs calls in parallel, with a limit for all calls and a limit for each host."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")
THREADS = "feedward-wave"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call(Generic[T]):
    """A call to a host."""

    host: str
    run: Callable[[], T]


def run_wave(calls: Sequence[Call[T]], *, in_flight: int, per_host: int) -> list[T]:
    """Run `calls` and return their results in order. An error of a call is raised once all have ended.

    Calls start in order. While a host has `per_host` running calls, calls to other hosts go first.
    """
    if len(calls) == 1:
        return [calls[0].run()]
    waiting = list(range(len(calls)))
    running: dict[Future[T], int] = {}
    ended: dict[int, Future[T]] = {}
    with ThreadPoolExecutor(max_workers=in_flight, thread_name_prefix=THREADS) as pool:
        while waiting or running:
            while (index := _startable(calls, waiting, running, in_flight, per_host)) is not None:
                waiting.remove(index)
                running[pool.submit(calls[index].run)] = index
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                ended[running.pop(future)] = future
    return [ended[index].result() for index in range(len(calls))]


def _startable(
    calls: Sequence[Call[T]], waiting: Sequence[int], running: dict[Future[T], int], in_flight: int, per_host: int
) -> int | None:
    """The next call that may start now, or None."""
    if len(running) >= in_flight:
        return None
    busy = Counter(calls[index].host for index in running.values())
    return next((index for index in waiting if busy[calls[index].host] < per_host), None)
