"""Reads URLs, answers them in parallel, and returns the answers in input order."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from queue import Empty, Queue
from typing import TypeVar

Answer = TypeVar("Answer")
AHEAD = 8  # URLs per thread that may be started or done before the first in line is
READ_AHEAD = 20_000  # URLs held before they are started: an endless input needs no more memory
LOOK_EVERY_S = 0.05


def urls_in(lines: Iterable[str]) -> Iterator[str]:
    """Yield the URL of each line, without surrounding white space; blank lines and lines starting with `#` are
    skipped."""
    for line in lines:
        url = line.strip()
        if url and not url.startswith("#"):
            yield url


class UrlQueue:
    """URLs read ahead by a thread, so that their number (or that they are many) is known soon."""

    def __init__(self, urls: Iterable[str], counted: Callable[[int], None]) -> None:
        """Start to read; `counted` is called with the number so far at each URL."""
        self._queue: Queue[str | None] = Queue(maxsize=READ_AHEAD)
        self._counted = counted
        self._failure: Exception | None = None
        self.ended = False
        threading.Thread(target=self._read, args=(urls,), name="input", daemon=True).start()

    def _read(self, urls: Iterable[str]) -> None:
        try:
            for count, url in enumerate(urls, start=1):
                self._counted(count)
                self._queue.put(url)
        except Exception as error:  # noqa: BLE001 - raised by `take`
            self._failure = error
        self._queue.put(None)

    def take(self, within_s: float | None) -> str | None:
        """Return the next URL, or None if none arrived within that time or all were taken (`ended`).

        Raises the reader's error, after the URLs before it.
        """
        try:
            url = self._queue.get(timeout=within_s)
        except Empty:
            return None
        self.ended = url is None
        if self.ended and self._failure is not None:
            raise self._failure
        return url


def answered_in_order(urls: UrlQueue, answer: Callable[[str], Answer], parallel: int) -> Iterator[tuple[str, Answer]]:
    """Yield each URL with its answer once all before it are answered, while `parallel` threads work ahead.

    If the caller stops or an answer raises, URLs that were not started are dropped.
    """
    waiting: deque[tuple[str, Future[Answer]]] = deque()
    pool = ThreadPoolExecutor(max_workers=parallel, thread_name_prefix="answers")
    try:
        while waiting or not urls.ended:
            while waiting and (waiting[0][1].done() or urls.ended or len(waiting) >= AHEAD * parallel):
                first, future = waiting.popleft()
                yield first, future.result()
            if urls.ended:
                continue
            url = urls.take(LOOK_EVERY_S if waiting else None)
            if url is not None:
                waiting.append((url, pool.submit(answer, url)))
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
