"""Tasks that a worker may have died of: each beginning is counted until the task ends (rule M11)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from feedward.errors import FeedwardError
from feedward.ports import BegunTasks


@contextmanager
def begun_task(entry_id: str, *, begun: BegunTasks, now: int, at_most: int) -> Iterator[bool]:
    """Count a beginning of the task, and its end when the block is left, however that happens.

    Yields whether more than `at_most` beginnings, this one included, never ended: then a worker that does the task is
    likely to die again. Raises what the store raises at the beginning.
    """
    has_killed = begun.begin(entry_id, now=now) > at_most
    try:
        yield has_killed
    finally:
        with suppress(FeedwardError):  # the count ends by its time
            begun.end(entry_id)
