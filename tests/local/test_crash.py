"""A stack that is stopped again and again while it works keeps its acknowledged writes and completes its work.

A kill of everything, as by a power cut, costs the writes of the last seconds only. A Ctrl-C costs none.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from tests.local.stack_aws import WORK_WITHIN_S, wait_until
from tests.local.stack_process import StackProcess, call, pids_of, processes_of

pytestmark = pytest.mark.local_stack
LOST_AT_MOST_S: Final = 5.0
ENDED_WITHIN_S: Final = 60  # those that were killed are there until the system gets to them
STOPS: Final = (signal.SIGKILL, signal.SIGINT)
HOSTS: Final = tuple(f"{name}.example" for name in ("garden", "tidings", "reprint", "kiln", "paper"))
BREATH_S: Final = 0.3  # a host is asked once a second, and all pages are waited for
STOPS_MAKE_AT_LEAST: Final = 6
SEED: Final = 20


@dataclass(slots=True)
class Load:
    """Writes one after the other. `acknowledged` has the time of each answer, by the path of the created object."""

    acknowledged: dict[str, float] = field(default_factory=dict)
    _number: int = 0

    @contextlib.contextmanager
    def on(self, url: str) -> Iterator[None]:
        """Write to the API at this address until the block ends."""
        ended = threading.Event()
        writer = threading.Thread(target=self._write, args=(url, ended))
        writer.start()
        try:
            yield
        finally:
            ended.set()
            writer.join()

    def _write(self, url: str, ended: threading.Event) -> None:
        with contextlib.suppress(OSError, ValueError):  # the stack is stopped
            while not ended.is_set():
                self._number += 1
                host = HOSTS[self._number % len(HOSTS)]
                page, feed = f"https://{host}/{self._number}", f"https://garden.example/feed?n={self._number}"
                rows = self._post(url, "frontier", urls=[page])
                self._acknowledge("frontier", rows["results"][0]["row"])
                self._acknowledge("subscriptions", self._post(url, "subscriptions", url=feed))
                self._acknowledge("runs", self._post(url, "runs", urls=[page]))
                ended.wait(BREATH_S)

    @staticmethod
    def _post(address: str, kind: str, **body: object) -> Any:
        status, _, answer = call(address, "POST", f"/v1/{kind}", body)
        if status != 202:
            raise OSError(answer)
        return answer

    def _acknowledge(self, kind: str, made: Any) -> None:
        self.acknowledged[f"/v1/{kind}/{made['id']}"] = time.monotonic()

    def drop_after(self, moment: float) -> None:
        """Forget writes that were acknowledged later than this."""
        self.acknowledged = {path: at for path, at in self.acknowledged.items() if at <= moment}


def stop(stack: StackProcess, state: Path, number: int) -> float:
    """Stop the stack, and return the time up to which no write may be lost."""
    if number == signal.SIGINT:
        stack.stop(number)
        return time.monotonic()
    at = time.monotonic()
    for _ in range(5):  # a worker may start another process meanwhile
        for pid in pids_of(state):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
    stack.stop(number)
    return at - LOST_AT_MOST_S


def test_acknowledged_writes_outlive_kills_and_stops_under_load_and_all_work_is_done(tmp_path: Path) -> None:
    load, chance = Load(), random.Random(SEED)
    for number in STOPS:
        stack = StackProcess(tmp_path, "--demo")
        try:
            with load.on(stack.url):
                time.sleep(LOST_AT_MOST_S + chance.uniform(1, 5))
                kept_until = stop(stack, tmp_path, number)
        finally:
            stack.stop()
        load.drop_after(kept_until)
        wait_until(lambda: not processes_of(tmp_path), ENDED_WITHIN_S, "the end of all processes")
    assert len(load.acknowledged) > STOPS_MAKE_AT_LEAST

    stack = StackProcess(tmp_path, "--demo")
    try:
        for path in load.acknowledged:
            wait_until(partial(is_done, stack, path), WORK_WITHIN_S, f"the end of {path}")
        # The stream of the feeds goes on where it was.
        stack.canonicalize(url="https://kiln.example/atom.xml", register=True)
        wait_until(partial(is_found, stack, "kiln"), WORK_WITHIN_S, "the new feed in the search")
    finally:
        stack.stop()


def is_done(stack: StackProcess, path: str) -> bool:
    """Whether this object exists, and its work is done."""
    status, _, made = stack.call("GET", path)
    assert status == 200, (path, made)
    return made["status"] not in ("pending", "running")


def is_found(stack: StackProcess, words: str) -> bool:
    """Whether the search finds a feed."""
    return bool(stack.call("GET", f"/v1/search?q={words}")[2]["results"])
