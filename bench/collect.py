"""Pages per second on one core: runs over a site of 500 pages, with robots.txt, redirects and items.

One process does the work of the collect function, from the request for a run to its end; the server is another process.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tqdm import tqdm

from bench import page_texts
from bench.checks import resident_mb
from bench.collect_server import path_of
from bench.collect_units import PAGES as UNITS_PAGES
from bench.collect_units import print_units
from bench.collect_world import DAY, CollectWorld
from bench.table import print_table
from feedward.lineage.run import Counters

ROOT = Path(__file__).parents[1]
PAGES = 500
HOSTS = (1, 50)
AT_LEAST_A_SECOND = 100
MANY_PAGES, A_WORLD = 20_000, 2_000
GROWTH_AT_MOST = 0.05


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A run: its pages, its seconds and processor time, and its requests and writes."""

    pages: int
    seconds: float
    processor_s: float
    requests: int
    calls: int
    counters: Counters

    def row(self, name: str) -> tuple[str, ...]:
        """The row of the table."""
        counters = self.counters
        return (
            name,
            f"{self.pages / self.seconds:.0f}",
            f"{self.pages / self.processor_s:.0f}",
            f"{self.processor_s / self.pages * 1e3:.2f}",
            f"{self.requests / self.pages:.2f}",
            f"{self.calls / self.pages:.2f}",
            f"{counters.items}, {counters.superseded}, {counters.sightings}, {counters.not_modified}",
        )


@contextmanager
def server() -> Iterator[int]:
    """Serve the pages in a separate process. Yields its port."""
    command = [sys.executable, "-m", "bench.collect_server"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline())
        finally:
            process.terminate()


def urls_of(pages: int, hosts: int) -> list[str]:
    """The URLs of `pages` different pages on `hosts` hosts."""
    return [f"http://site{number % hosts}.example{path_of(number)}" for number in range(pages)]


def measure(world: CollectWorld, urls: Sequence[str]) -> Measured:
    """Run over the URLs once. Raises RuntimeError if a page could not be collected."""
    world.calls.clear()
    began, busy = time.perf_counter(), time.process_time()
    run, reports = world.run(urls)
    seconds, processor_s = time.perf_counter() - began, time.process_time() - busy
    return Measured(
        pages=run.counters.ended,
        seconds=seconds,
        processor_s=processor_s,
        requests=sum(answer.requests for report in reports for answer in report.answers),
        calls=world.calls.total(),
        counters=run.counters,
    )


def first_and_second(port: int, *, pages: int, hosts: int) -> tuple[Measured, Measured]:
    """A run over new pages, and a day later one over the same, unchanged pages."""
    world, urls = CollectWorld(port), urls_of(pages, hosts)
    first = measure(world, urls)
    world.clock.skipped += DAY // 2
    return first, measure(world, urls)


def memory_over(count: int, port: int, *, a_world: int = A_WORLD) -> list[float]:
    """Memory in MB after every `a_world` pages, whose items are then deleted; after a warm-up round."""
    levels = []
    with tqdm(total=count, desc="memory", file=sys.stderr, leave=False) as shown:
        for _ in range(1 + count // a_world):
            for run in first_and_second(port, pages=a_world // 2, hosts=HOSTS[-1]):
                shown.update(run.pages)
            levels.append(resident_mb())
    return levels


def print_speed(port: int) -> None:
    """Print a row for each kind of run, and the targets."""
    measure(CollectWorld(port), urls_of(50, 5))
    measured: dict[str, Measured] = {}
    for hosts in HOSTS:
        of = "1 host" if hosts == 1 else f"{hosts} hosts"
        first, second = first_and_second(port, pages=PAGES, hosts=hosts)
        measured |= {f"{of}, new pages": first, f"{of}, nothing changed": second}
    heading = (
        "",
        "a second",
        "a processor second",
        "ms of it each",
        "requests each",
        "store calls each",
        "items, superseding, sightings, 304",
    )
    title = f"Collect: {PAGES} pages of 17 KB, 1 of 10 behind a redirect, in-memory store, one process"
    print_table(title, heading, [one.row(name) for name, one in measured.items()])
    rows = [(name, f"{one.pages / one.processor_s:.0f}", str(AT_LEAST_A_SECOND)) for name, one in measured.items()]
    print_table("Pages a second of one core: targets", ("", "measured", "at least"), rows)


def print_memory(port: int) -> None:
    """Print memory at the start, in the middle and at the end of many pages."""
    levels = memory_over(MANY_PAGES, port)
    start, middle, end = levels[0], levels[len(levels) // 2], levels[-1]
    row = ("MB", f"{start:.1f}", f"{middle:.1f}", f"{end:.1f}", f"{end / middle - 1:+.1%}", f"{GROWTH_AT_MOST:.0%}")
    heading = ("", "start", "middle", "end", "second half", "at most")
    print_table(f"Collect: memory over {MANY_PAGES:,} pages", heading, [row])


def main() -> None:
    """Print the pages per second of one core, the speed of reading their text, and the growth of memory."""
    with server() as port:
        print_speed(port)
        print_units(port, urls_of(UNITS_PAGES, HOSTS[-1]))
        print_memory(port)
    page_texts.main()
