"""Checks per second on one core, against a server that answers after 50 ms, and memory over 100,000 checks.

One process makes the checks, in the batches of the health check; the server is another process.
"""

from __future__ import annotations

import gc
import os
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tqdm import tqdm

from bench.checks_directory import ChecksDirectory
from bench.table import print_table
from feedward.model import Outcome

ROOT = Path(__file__).parents[1]
DELAY_S = 0.05
FEEDS = 500
ROUNDS = 6
MANY_CHECKS = 100_000
AT_LEAST_A_SECOND = 300
GROWTH_AT_MOST = 0.05
# Of ten checks: most feeds have no news most of the time, and some do not support validators.
MIX = ("same",) * 6 + ("resent",) * 3 + ("new",)
KINDS = {
    "not modified (304)": ("same",),
    "sent again, nothing new (200)": ("resent",),
    "a new item each time": ("new",),
    "6, 3 and 1 of ten": MIX,
}


@dataclass(slots=True)
class Measured:
    """Checks, their duration in seconds, the processor time of this process, and their results."""

    checks: int = 0
    seconds: float = 0.0
    processor_s: float = 0.0
    outcomes: Counter[Outcome | None] = field(default_factory=Counter)
    new_items: int = 0

    def row(self, name: str) -> tuple[str, ...]:
        """The row of the table."""
        a_core = self.processor_s / self.checks
        return (
            name,
            f"{self.checks:,}",
            f"{self.checks / self.seconds:.0f}",
            f"{1 / a_core:.0f}",
            f"{a_core * 1e6:.0f}",
            f"{self.new_items / self.checks:.2f}",
        )


@contextmanager
def server(delay_s: float) -> Iterator[int]:
    """Serve the feeds in a separate process. Yields its port."""
    command = [sys.executable, "-m", "bench.checks_server", str(delay_s)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline())
        finally:
            process.terminate()


def check_round(directory: ChecksDirectory, measured: Measured) -> None:
    """Check all feeds once, without measuring the sweep's part. Raises RuntimeError if a check failed."""
    for texts in directory.batches():
        began, busy = time.perf_counter(), time.process_time()
        report = directory.check(texts)
        measured.seconds += time.perf_counter() - began
        measured.processor_s += time.process_time() - busy
        measured.checks += len(report.answers)
        measured.outcomes.update(answer.outcome for answer in report.answers)
        measured.new_items += sum(answer.new_items for answer in report.answers)
        bad = [answer for answer in report.answers if answer.outcome not in (Outcome.OK, Outcome.NOT_MODIFIED)]
        if bad or any(report.failures) or report.left or report.again or report.postponed or report.undelivered:
            raise RuntimeError(f"the checks failed: {bad[:1] or report}")


def behaviours(kinds: Sequence[str], count: int = FEEDS) -> list[str]:
    """The behaviour of each of `count` feeds."""
    return [kinds[number % len(kinds)] for number in range(count)]


def speed_of(kinds: Sequence[str], port: int, *, feeds: int = FEEDS, rounds: int = ROUNDS) -> Measured:
    """Check feeds of these kinds, after an uncounted round that registers their state."""
    directory = ChecksDirectory(port, behaviours(kinds, feeds))
    check_round(directory, Measured())
    measured = Measured()
    for _ in range(rounds):
        check_round(directory, measured)
    return measured


def memory_over(count: int, port: int, *, feeds: int = FEEDS) -> list[float]:
    """Memory in MB before the first check and after each tenth of `count` checks: 11 values, after a warm-up round."""
    directory = ChecksDirectory(port, behaviours(MIX, feeds))
    check_round(directory, Measured())
    measured, levels = Measured(), [resident_mb()]
    with tqdm(total=count, desc="memory", file=sys.stderr, leave=False) as shown:
        while measured.checks < count:
            check_round(directory, measured)
            shown.update(measured.checks - shown.n)
            if measured.checks >= len(levels) * count / 10:
                levels.append(resident_mb())
    return levels


def resident_mb() -> float:
    """The resident memory of this process in MB; its peak if the system does not report the current value."""
    gc.collect()
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1e6 if sys.platform == "darwin" else most / 1e3


def print_speed() -> None:
    """Print a row for each kind of check, and the targets."""
    with server(DELAY_S) as port:
        measured = {name: speed_of(kinds, port) for name, kinds in KINDS.items()}
    heading = ("", "checks", "a second", "a processor second", "us of it each", "new items each")
    title = f"Checks: {FEEDS} hosts, {DELAY_S * 1000:.0f} ms a response, in-memory store, one process"
    print_table(title, heading, [one.row(name) for name, one in measured.items()])
    rows = [(name, f"{one.checks / one.seconds:.0f}", str(AT_LEAST_A_SECOND)) for name, one in measured.items()]
    print_table("Checks a second: targets", ("", "measured", "at least"), rows)


def print_memory() -> None:
    """Print memory at the start, in the middle and at the end of many checks, which wait for no server."""
    with server(0) as port:
        levels = memory_over(MANY_CHECKS, port)
    start, middle, end = levels[0], levels[len(levels) // 2], levels[-1]
    row = ("MB", f"{start:.1f}", f"{middle:.1f}", f"{end:.1f}", f"{end / middle - 1:+.1%}", f"{GROWTH_AT_MOST:.0%}")
    heading = ("", "start", "middle", "end", "second half", "at most")
    print_table(f"Checks: memory over {MANY_CHECKS:,} checks", heading, [row])


def main() -> None:
    """Print the checks per second of one core, and the growth of memory."""
    print_speed()
    print_memory()
