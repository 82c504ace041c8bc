"""Messages of a test to the workers of its stack, and back: a folder that both know.

A killed worker leaves its writes here; its unwritten state is lost, as in a real stack.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

FOLDER_VARIABLE: Final = "FEEDWARD_TEST_CONTROLS"
# A worker that waits for another that never comes continues alone.
_MEET_WITHIN_S: Final = 30.0


class Point(StrEnum):
    """A point at which a worker may die."""

    RECEIVED = "received"
    FETCHED = "fetched"
    WROTE = "wrote"
    SENT = "sent"
    """A sweep that has sent a range of feeds, and has not moved its cursor."""


class Controls:
    """The folder. Each value is a file; values that workers compete for are a file each."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    # --- settings of the test ----------------------------------------------------------------------

    def create(self, *, feed_port: int) -> None:
        """Make the folder, for workers that find all feeds at one port of loopback."""
        (self._folder / "deaths").mkdir(parents=True)
        (self._folder / "meeting").mkdir()
        (self._folder / "feed_port").write_text(str(feed_port))

    def move_clock(self, ahead_s: int) -> None:
        """Set the workers' clock so many seconds ahead of the machine's."""
        self._replace("ahead_s", str(ahead_s))

    def let_die(self, point: Point, calls: Sequence[int]) -> None:
        """Let one worker die for each number, which is the call of the point, from 0."""
        for number, call in enumerate(calls):
            self._replace(f"deaths/{point}-{number}", str(call))

    def let_live(self) -> None:
        """No worker has to die any more."""
        for each in (self._folder / "deaths").iterdir():
            each.unlink(missing_ok=True)

    def let_sweeps_meet(self, sweeps: int) -> None:
        """Let so many sweeps wait for each other after they have read the shards' cursors; 0: none waits."""
        for each in (self._folder / "meeting").iterdir():
            each.unlink()
        self._replace("sweeps", str(sweeps))

    def journal(self) -> list[dict[str, Any]]:
        """All notes of workers, in order."""
        path = self._folder / "journal"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def at_work(self) -> set[int]:
        """The processes that have begun a batch, and have neither ended it nor died."""
        working: set[int] = set()
        for entry in self.journal():
            if entry["what"] == "batch":
                working.add(entry["pid"])
            elif entry["what"] in ("done", "death"):
                working.discard(entry["pid"])
        return set(filter(_is_alive, working))

    # --- reads and reports of a worker -------------------------------------------------------------

    @property
    def feed_port(self) -> int:
        """The address of the feed server."""
        return int((self._folder / "feed_port").read_text())

    @property
    def ahead_s(self) -> int:
        """The seconds by which the workers' clock is ahead."""
        return self._number("ahead_s")

    def claim_death(self, points: Sequence[Point]) -> tuple[Point, int] | None:
        """The point and call at which this worker has to die; None if it may live. One worker claims each death."""
        for path in self._deaths(points):
            point, call = Point(path.name.partition("-")[0]), path.read_text()
            try:
                path.rename(path.with_name(f".{path.name}-of-{os.getpid()}"))
            except FileNotFoundError:
                continue  # another worker was quicker
            return point, int(call)
        return None

    def meet_other_sweeps(self) -> None:
        """Wait until the expected number of sweeps has arrived."""
        meeting, sweeps = self._folder / "meeting", self._number("sweeps")
        (meeting / str(os.getpid())).touch()
        ends_at = time.monotonic() + _MEET_WITHIN_S
        while len(list(meeting.iterdir())) < sweeps and time.monotonic() < ends_at:
            time.sleep(0.005)

    def note(self, **entry: Any) -> None:
        """Write a line of the journal, whole or not at all."""
        line = (json.dumps({"pid": os.getpid(), **entry}) + "\n").encode()
        journal = os.open(self._folder / "journal", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(journal, line)
        finally:
            os.close(journal)

    # --- files -------------------------------------------------------------------------------------

    def _deaths(self, points: Sequence[Point]) -> Iterator[Path]:
        for path in sorted((self._folder / "deaths").iterdir()):
            if path.name.startswith(tuple(points)):
                yield path

    def _number(self, name: str) -> int:
        try:
            return int((self._folder / name).read_text())
        except FileNotFoundError:
            return 0

    def _replace(self, name: str, text: str) -> None:
        """Written atomically: no reader sees half of it."""
        unfinished = self._folder / "unfinished"
        unfinished.write_text(text)
        unfinished.replace(self._folder / name)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
