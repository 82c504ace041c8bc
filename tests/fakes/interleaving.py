"""Runs workers on one store with their calls in a given order, so that a race can be searched and then repeated."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from itertools import chain, cycle
from typing import Any


class _Worker(threading.Thread):
    """Makes one store call whenever it is scheduled."""

    def __init__(self, client: Any, job: Callable[[Any], object]) -> None:
        super().__init__(daemon=True)
        self._client = client
        self._job = job
        self._turn, self._paused = _closed(), _closed()
        self.is_done = False
        self.error: BaseException | None = None

    def __getattr__(self, operation: str) -> Any:
        def call(**request: Any) -> Any:
            self._paused.release()
            self._turn.acquire()
            return getattr(self._client, operation)(**request)

        return call

    def run(self) -> None:
        self._turn.acquire()
        try:
            self._job(self)
        except BaseException as error:  # noqa: BLE001 - it is raised again where the test can see it
            self.error = error
        self.is_done = True
        self._paused.release()

    def step(self) -> None:
        """Let the worker continue to its next call, or to its end."""
        self._turn.release()
        self._paused.acquire()


def _closed() -> threading.Lock:
    lock = threading.Lock()
    lock.acquire()
    return lock


def run_interleaved(client: Any, jobs: Sequence[Callable[[Any], object]], schedule: Sequence[int]) -> None:
    """Run all jobs to their end; `schedule` has the job of each next call, then they alternate. Raises a job's error.

    A job gets a client to use; its work between two calls happens with the first of them.
    """
    workers = [_Worker(client, job) for job in jobs]
    for worker in workers:
        worker.start()
    turns = chain(schedule, cycle(range(len(workers))))
    while not all(worker.is_done for worker in workers):
        worker = workers[next(turns) % len(workers)]
        if not worker.is_done:
            worker.step()
    for worker in workers:
        worker.join()
        if worker.error:
            raise worker.error
