"""A day of many feeds: the sweep and its schedule as they are built, on a virtual clock and a counted store.

Every minute the real sweep runs, its messages are read once they are readable, and each feed in them counts as a check
without news. Reported are lags, requests per host, reads and writes, messages, invocations, and the cost of a month.
"""

from __future__ import annotations

import math
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from bench.day_store import (
    UNITS_A_CHANGE,
    CountedQueue,
    Counts,
    Directory,
    busiest,
    day_stores,
    number_of,
)
from bench.table import print_table
from feedward.health.due_feed import DueFeed, HealthMessage
from feedward.health.phase import wanted_slot
from feedward.scheduling.heartbeat import is_heartbeat
from feedward.scheduling.slots import DAY_MIN, Slot, place_after
from feedward.services.sweep.sweep_slots import sweep_feeds

SIZES, FULL_SIZES = (1_000, 10_000), (1_000, 10_000, 100_000, 1_000_000)
DAY = 86_400
BEGIN = 1_767_571_200  # a Monday, 2026-01-05T00:00Z
# The classes of a directory's feeds, in percent: those of the simulated year.
CLASSES_IN_100 = {15: 3, 30: 4, 60: 4, 120: 2, 240: 4, 480: 10, 1440: 73}
# Hosts of many feeds, with their share of all feeds, and the most feeds per host here: the number that fits its pace
# (docs/scale.md).
PLATFORMS, MOST_OF_A_HOST = (0.10, 0.04, 0.03), 3_000
# Seconds from the start of a minute to its sweep.
SWEPT_AFTER_S = 5
# Messages per invocation of the health check, and its seconds (docs/scale.md).
MESSAGES_AN_INVOCATION, INVOCATION_S = 5, 10
BYTES_OF_A_FEED, BYTES_A_READ_UNIT = 420, 8192
# Prices of us-east-1 (docs/saas.md).
READ_UNIT, WRITE_UNIT = 0.125e-6, 0.625e-6
LAMBDA_S, LAMBDA_REQUEST, QUEUE_CALL = 0.0000133334, 0.2e-6, 0.4e-6


class VirtualClock:
    """The clock of the day. It stops while the sweep runs."""

    def __init__(self) -> None:
        self.at = BEGIN

    def now(self) -> int:
        """Return the epoch second."""
        return self.at

    def now_ms(self) -> int:
        """Return the same time in milliseconds."""
        return self.at * 1000

    def monotonic(self) -> float:
        """Return the same time, as monotonic seconds."""
        return float(self.at)

    def sleep(self, seconds: float) -> None:
        """Advance the clock."""
        self.at += math.ceil(seconds)


@dataclass(slots=True, kw_only=True)
class Day:
    """The results of a day. Lags are seconds from a feed's minute to the time at which its message is readable."""

    feeds: int
    counts: Counts
    queue: CountedQueue
    checks: int = 0
    late: int = 0
    twice: int = 0
    heartbeats: int = 0
    postponed: int = 0
    invocations: int = 0
    lags: Counter[int] = field(default_factory=Counter)
    requests: list[tuple[str, int]] = field(default_factory=list)
    by_minute: list[int] = field(default_factory=list)

    @property
    def entries_per_due(self) -> float:
        """Index entries that the sweep read per due feed."""
        return self.counts.entries / self.checks

    @property
    def mean_a_minute(self) -> float:
        """Checks per minute on average."""
        return self.checks / len(self.by_minute)

    @property
    def read_units(self) -> float:
        """Units of eventually consistent reads: at least half a unit per query."""
        return self.counts.queries * 0.5 + self.counts.entries * BYTES_OF_A_FEED / BYTES_A_READ_UNIT

    @property
    def dollars_a_month(self) -> float:
        """The cost of sweeping and checking for 30 days, without news."""
        writes = self.counts.cursor_units + self.counts.feed_units + self.heartbeats
        calls = self.queue.calls + self.queue.messages / MESSAGES_AN_INVOCATION + self.queue.messages / 10
        compute = self.checks * INVOCATION_S / 50 * LAMBDA_S + self.invocations * LAMBDA_REQUEST
        return 30 * (self.read_units * READ_UNIT + writes * WRITE_UNIT + calls * QUEUE_CALL + compute)

    def lag_s(self, share: float) -> int:
        """Return the lag within which this share of the checks was ready."""
        passed, wanted = 0, share * self.lags.total()
        for lag, count in sorted(self.lags.items()):
            passed += count
            if passed >= wanted:
                return lag
        return 0


def make_directory(count: int) -> Directory:
    """Return a directory of feeds with the classes and hosts of the simulated year."""
    rng = Random(count)
    classes = rng.choices(tuple(CLASSES_IN_100), tuple(CLASSES_IN_100.values()), k=count)
    platforms = {
        f"platform-{nth}.example": min(int(share * count), MOST_OF_A_HOST) for nth, share in enumerate(PLATFORMS)
    }
    hosts = [host for host, number in platforms.items() for _ in range(number)]
    hosts += [f"host-{number}.example" for number in range(count - len(hosts))]
    rng.shuffle(hosts)
    slots = [_slot(number, every, rng) for number, every in enumerate(classes)]
    return Directory(hosts, slots)


def play_day(count: int, *, minutes: int = DAY_MIN) -> Day:
    """Simulate a day of a directory of `count` feeds, or its first minutes."""
    directory = make_directory(count)
    counts, slots, exceptions, loads = day_stores(directory, BEGIN - 60)
    day, clock = Day(feeds=count, counts=counts, queue=CountedQueue()), VirtualClock()
    checked: dict[int, int] = {}
    for minute in range(BEGIN // 60, BEGIN // 60 + minutes):
        clock.at = minute * 60 + SWEPT_AFTER_S
        report = sweep_feeds(slots=slots, store=exceptions, loads=loads, queue=day.queue, clock=clock)
        if not report.complete:
            raise AssertionError(f"the sweep of minute {minute} left {report.failures}")
        day.postponed += report.postponed
        _work(day, directory, minute, checked)
    return day


def main(*, full: bool = False) -> None:
    """Print the day for directories of several sizes."""
    began = time.process_time()
    days = []
    for count in FULL_SIZES if full else SIZES:
        print(f"playing a day of {count:,} feeds", file=sys.stderr)
        days.append(play_day(count))
    print_days(days)
    print(f"  {time.process_time() - began:.0f} s of processor time")


def print_days(days: Sequence[Day]) -> None:
    """Print a column for each day, and the targets."""
    print_table("A day of many feeds", ("", *(f"{day.feeds:,}" for day in days)), _rows(days))
    reads = [day.entries_per_due for day in days]
    print_table(
        "A day of many feeds: targets",
        ("", "measured", "at most"),
        [
            ("entries the sweep reads for a due feed, largest to smallest", f"{max(reads) / min(reads):.3f}", "1.1"),
            ("checks that came too late and were dropped", f"{sum(day.late for day in days)}", "0"),
        ],
    )


def _slot(number: int, every: int, rng: Random) -> Slot:
    """A slot of a feed whose last check was at any time of the day before."""
    return wanted_slot(f"feed-{number}", every, BEGIN - rng.randrange(DAY), times=None, current=None)


def _work(day: Day, directory: Directory, minute: int, checked: dict[int, int]) -> None:
    """Check the feeds of all messages that become readable in a minute."""
    messages = day.queue.by_minute.pop(minute, [])
    day.invocations += -(-len(messages) // MESSAGES_AN_INVOCATION)
    before = day.checks
    for message in messages:
        for feed in message.entries:
            _check(day, directory, message, feed, checked)
    day.by_minute.append(day.checks - before)


def _check(day: Day, directory: Directory, message: HealthMessage, feed: DueFeed, checked: dict[int, int]) -> None:
    """Count a check without news: it writes its heartbeat, and a feed by exception returns to its slot."""
    number, at = number_of(feed.feed_id), message.sent_at
    if feed.is_late(at):
        day.late += 1
        return
    slot = directory.slots[number]
    day.twice += at - checked.get(number, 0) < slot.least_s
    checked[number] = at
    day.checks += 1
    day.requests.append((feed.host, at // 60))
    if feed.place.slot is None:
        day.lags[at - feed.place.from_s] += 1
        _go_back(day, directory, number, slot, at)
    else:
        day.lags[at - (feed.minute or 0) * 60] += 1
        day.heartbeats += is_heartbeat(feed.feed_id, slot, at)


def _go_back(day: Day, directory: Directory, number: int, slot: Slot, at: int) -> None:
    place = place_after(slot, at)
    day.counts.feed_units += UNITS_A_CHANGE
    if place.slot is None:
        directory.exceptions[number] = place.from_s
    else:
        del directory.exceptions[number]


def _rows(days: Sequence[Day]) -> list[tuple[str, ...]]:
    def row(name: str, *cells: str) -> tuple[str, ...]:
        return (name, *cells)

    return [
        row("checks", *(f"{day.checks:,}" for day in days)),
        row("checks a feed", *(f"{day.checks / day.feeds:.2f}" for day in days)),
        row(
            "fullest minute, of the mean",
            *(f"{max(day.by_minute) / (day.checks / len(day.by_minute)):.2f}" for day in days),
        ),
        row("lag p50, p99 in seconds", *(f"{day.lag_s(0.5)}, {day.lag_s(0.99)}" for day in days)),
        row("feeds that no message could carry", *(f"{day.postponed:,}" for day in days)),
        row("checks before two thirds of the class", *(f"{day.twice}" for day in days)),
        row("requests of a host in a minute, most", *(f"{busiest(day.requests)}" for day in days)),
        row("queries", *(f"{day.counts.queries:,}" for day in days)),
        row("entries read for a due feed", *(f"{day.entries_per_due:.3f}" for day in days)),
        row("read units", *(f"{day.read_units:,.0f}" for day in days)),
        row("write units: cursors", *(f"{day.counts.cursor_units:,}" for day in days)),
        row("write units: changes of place", *(f"{day.counts.feed_units:,}" for day in days)),
        row("write units: heartbeats", *(f"{day.heartbeats:,}" for day in days)),
        row("messages", *(f"{day.queue.messages:,}" for day in days)),
        row("feeds in a message", *(f"{day.checks / day.queue.messages:.1f}" for day in days)),
        row("invocations", *(f"{day.invocations:,}" for day in days)),
        row("dollars a month, news apart", *(f"{day.dollars_a_month:,.2f}" for day in days)),
    ]
