"""Renews a lease while its work continues: without renewal it expires soon, so a dead holder blocks no work."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event, Thread

from feedward.errors import FeedwardError
from feedward.search.manifest import RENEWED_EVERY_S


@contextmanager
def kept(renew: Callable[[int], object], *, now: int, every_s: float = RENEWED_EVERY_S) -> Iterator[None]:
    """Call `renew` with the time periodically, from a separate thread, while the block runs.

    `now` is the time at which the work starts. A failed renewal is not raised: the next one may succeed.
    """
    began, is_over = time.monotonic(), Event()

    def go_on() -> None:
        while not is_over.wait(every_s):
            with suppress(FeedwardError):
                renew(now + int(time.monotonic() - began))

    thread = Thread(target=go_on, name="feedward-claim", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
