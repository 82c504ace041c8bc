"""The log lines of a call: all that are on the way are collected, and a call without lines costs no fixed wait."""

from __future__ import annotations

import os
import queue
import threading
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from feedward_local.aws import worker_logs
from feedward_local.aws.worker_logs import collect_logs_without_wait, log_lines


class Worker:
    """A worker as MiniStack has it: a pipe that a thread reads into a queue."""

    def __init__(self) -> None:
        read, self._write = os.pipe()
        self._stderr_queue: queue.Queue[str] = queue.Queue()
        self._pipe = os.fdopen(read)
        self._proc: Any = SimpleNamespace(stderr=self._pipe)
        self.may_read = threading.Event()
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        self.may_read.wait()
        for line in self._pipe:
            self._stderr_queue.put(line.rstrip("\n"))

    def log(self, text: str) -> None:
        os.write(self._write, text.encode())

    def end(self) -> None:
        os.close(self._write)
        self.may_read.set()
        self._thread.join()
        self._pipe.close()


@pytest.fixture
def worker() -> Any:
    worker = Worker()
    yield worker
    worker.end()


def test_lines_that_wait_in_the_pipe_are_collected_though_their_reader_is_late(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader begins after the first look at the queue, however long it then takes."""
    monkeypatch.setattr(worker_logs, "AT_MOST_S", 60)
    arrived, looks = worker._stderr_queue.get, count()

    def get(timeout: float) -> str:
        if next(looks) not in (1, 2):
            raise queue.Empty
        worker.may_read.set()
        return arrived(timeout=60)

    monkeypatch.setattr(worker._stderr_queue, "get", get)
    worker.log("one\ntwo\n")
    assert log_lines(worker) == "one\ntwo"


def test_a_call_without_lines_has_none_and_so_has_a_worker_that_ended(worker: Worker) -> None:
    worker.may_read.set()
    assert log_lines(worker) == ""
    worker._proc = None
    assert log_lines(worker) == ""


def test_a_pipe_without_a_reader_eventually_ends_the_collection(worker: Worker) -> None:
    worker.log("never read\n")
    assert log_lines(worker) == ""


def test_the_workers_of_the_local_stack_collect_so() -> None:
    runtime: Any = SimpleNamespace(Worker=type("Worker", (), {}))
    collect_logs_without_wait(runtime)
    assert runtime.Worker._drain_stderr_bounded is log_lines


def test_a_log_begins_anew_when_it_is_long_and_is_appended_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_logs, "KEPT_BYTES", 10)
    log = tmp_path / "ministack.log"
    worker_logs.keep_short(log)
    with log.open("ab", buffering=0) as writer:
        for line in (b"first\n", b"second\n", b"third\n"):
            writer.write(line)
            worker_logs.keep_short(log)
    assert log.read_bytes() == b"third\n"
    assert (tmp_path / "ministack.old.log").read_bytes() == b"first\nsecond\n"
