"""What collecting works with: the ports of a row's fetch, of its item, and of handing rows on."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from feedward.deadline import Deadline
from feedward.frontier.settings import DEFAULT_SETTINGS, FrontierSettings
from feedward.ports import (
    BegunTasks,
    Bodies,
    Clock,
    FrontierStore,
    HostLimiter,
    LineageStore,
    PageFetcher,
    RobotsStore,
    WorkQueue,
)
from feedward.services.collect.caches import RunBook
from feedward.services.work.memory import MemoryBudget
from feedward.urls.safety import DEFAULT_POLICY, UrlPolicy


def wall_clock_ms() -> int:
    """Epoch milliseconds, UTC."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectPorts:
    """The ports of collecting, and how the frontier behaves here.

    `runs` is the book of the runs that pages are collected for. `robots_product` is the name under which a robots.txt
    addresses us: the product of the fetcher's User-Agent. `memory` is shared by all threads.
    """

    fetcher: PageFetcher
    frontier: FrontierStore
    lineage: LineageStore
    bodies: Bodies
    queue: WorkQueue
    robots: RobotsStore
    limiter: HostLimiter
    begun: BegunTasks
    clock: Clock
    settings: FrontierSettings = DEFAULT_SETTINGS
    robots_product: str = "feedward"
    url_policy: UrlPolicy = DEFAULT_POLICY
    now_ms: Callable[[], int] = wall_clock_ms
    sleep: Callable[[float], None] = time.sleep
    memory: MemoryBudget = field(default_factory=MemoryBudget)
    runs: RunBook = field(init=False)

    def within(self, deadline: Deadline) -> CollectPorts:
        """Return the ports for work that keeps to the deadline; what is known of runs is shared."""
        bound = replace(
            self,
            frontier=self.frontier.within(deadline),
            lineage=self.lineage.within(deadline),
            bodies=self.bodies.within(deadline),
            robots=self.robots.within(deadline),
            limiter=self.limiter.within(deadline),
            begun=self.begun.within(deadline),
        )
        object.__setattr__(bound, "runs", self.runs.over(bound.lineage))
        return bound

    def __post_init__(self) -> None:
        """The book of runs reads the lineage that is given here."""
        object.__setattr__(self, "runs", RunBook(self.lineage))
