"""Runs a feed finder over the sites in a few separate processes, so that a hanging one can be killed."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any

from bench.discovery_sites import Site

ROOT = Path(__file__).parents[1]
PROCESSES = 4
WITHIN_S = 75.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A finder's answer for a site. `first` is its first feed, `rounds` the number of its waits, if it reports them."""

    site: Site
    first: str | None
    seconds: float
    rounds: int | None = None
    error: str | None = None


class FinderProcess:
    """One process of a finder: one URL per input line, one answer per output line. It is restarted after a kill."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None

    def ask(self, site: Site) -> Answer:
        """Search one site. A finder without an answer in time is killed, and has found nothing."""
        process = self._process or self._start()
        assert process.stdin is not None
        with suppress(BrokenPipeError):
            process.stdin.write(json.dumps(site.url).encode() + b"\n")
            process.stdin.flush()
        said = self._line(process)
        if said is None:
            self.end()
            return Answer(site=site, first=None, seconds=WITHIN_S, error="ended: it said nothing in time")
        told: dict[str, Any] = json.loads(said)
        return Answer(site=site, **told)

    def end(self) -> None:
        """Kill the process, if it runs."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()

    def _start(self) -> subprocess.Popen[bytes]:
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env={"PATH": os.environ.get("PATH", ""), "PYTHONHASHSEED": "0"},
        )
        return self._process

    @staticmethod
    def _line(process: subprocess.Popen[bytes]) -> bytes | None:
        """The next complete line; None if there is none in time or the process has ended."""
        assert process.stdout is not None
        with selectors.DefaultSelector() as ready:
            ready.register(process.stdout, selectors.EVENT_READ)
            return (process.stdout.readline() or None) if ready.select(WITHIN_S) else None


def ask_all(command: Sequence[str], sites: Sequence[Site], answered: Callable[[], object]) -> list[Answer]:
    """All answers of a finder, in the order of the sites. `answered` is called after each, from a thread.

    Every process answers one URL before the measurement, so that imports do not count.
    """
    waiting: SimpleQueue[Site] = SimpleQueue()
    for site in sites:
        waiting.put(site)
    answers: dict[str, Answer] = {}
    unknown = Site(name="warm-up", url="http://warm-up.example/", pages={}, expected=frozenset())

    def work() -> None:
        process = FinderProcess(command)
        try:
            process.ask(unknown)
            while True:
                answer = process.ask(waiting.get_nowait())
                answers[answer.site.name] = answer
                answered()
        except Empty:
            pass
        finally:
            process.end()

    threads = [threading.Thread(target=work, name=f"finder-{number}") for number in range(PROCESSES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [answers[site.name] for site in sites]
