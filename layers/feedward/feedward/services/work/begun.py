"""Counts tasks that started and did not end, to find those that kill workers (rule M11)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from feedward.errors import FeedwardError
from feedward.ports import BegunTasks


@contextmanager
def begun_task(entry_id: str, *, begun: BegunTasks, now: int, at_most: int) -> Iterator[bool]:
    """Count a start of the task, and its end when the block is left for any reason.

    Yields whether more than `at_most` starts, including this one, did not end: a worker that runs the task is then
    likely to die again. Raises what the store raises at the start.
    """
    has_killed = begun.begin(entry_id, now=now) > at_most
    try:
        yield has_killed
    finally:
        with suppress(FeedwardError):  # the count expires
            begun.end(entry_id)
