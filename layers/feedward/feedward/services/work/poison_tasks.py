"""Finds poison tasks, which kill their workers: counts the attempts at a task that did not end (rule M11)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from feedward.errors import FeedwardError
from feedward.ports import BegunTasks


@contextmanager
def begun_task(entry_id: str, *, begun: BegunTasks, now: int, at_most: int) -> Iterator[bool]:
    """Count an attempt at the task, and reset the count when the block is left for any reason.

    Yields whether more than `at_most` attempts, including this one, did not end: a worker that runs the task is then
    likely to die again. Raises the errors of the store at the start.
    """
    has_killed = begun.begin(entry_id, now=now) > at_most
    try:
        yield has_killed
    finally:
        with suppress(FeedwardError):  # the count expires
            begun.end(entry_id)
