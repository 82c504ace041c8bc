"""Events for fifty receivers, a fifth of which fail in five ways, while workers die: deliveries and their delays."""

from __future__ import annotations

import statistics
import time
from typing import Final

from bench.table import print_table
from tests.fakes.directory import NOW
from tests.unit.services.webhooks.load_world import LoadWorld
from tests.unit.services.webhooks.test_load import EVERY_S, receivers

EVENTS: Final = 200
FULL: Final = 10_000
WORKERS: Final = (2, 4)
DIES_EACH: Final = 300
"""One of this many calls of a worker is killed."""


def main(*, full: bool = False) -> None:
    """Print one row for each number of workers. `full` takes half an hour of processor time for each."""
    events = FULL if full else EVENTS
    print_table(
        f"Webhooks: {events} events for 50 receivers, 10 of which fail; virtual time, tables in memory",
        ("workers", "deaths", "missing", "deliveries each", "median s", "p95 s", "p99 s", "ms of processor"),
        [_row(workers, events) for workers in WORKERS],
    )


def _row(workers: int, events: int) -> tuple[str, ...]:
    began, world = time.process_time(), LoadWorld(receivers(), workers=workers)
    world.dies_each = DIES_EACH
    for number in range(events):
        world.happen(str(number), NOW + 60 + EVERY_S * number)
    world.run(NOW + 60 + EVERY_S * events + 1800)
    spent_s = time.process_time() - began
    healthy = [each for number, each in enumerate(world.receivers.values()) if number % 5]
    arrivals = [times for each in healthy for times in each.got.values()]
    waits = sorted(min(times) - world.happened[event] for each in healthy for event, times in each.got.items())
    told = (statistics.median(waits), waits[int(len(waits) * 0.95)], waits[int(len(waits) * 0.99)])
    return (
        str(workers),
        str(world.deaths),
        str(len(healthy) * events - len(arrivals)),
        f"{sum(map(len, arrivals)) / len(arrivals):.4f}",
        *(f"{each:.1f}" for each in told),
        f"{spent_s * 1000 / (events * len(world.receivers)):.1f}",
    )
