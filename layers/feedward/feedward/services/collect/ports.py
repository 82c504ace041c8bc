"""The ports of collecting: for the fetch of a row, for its item, and for submitting rows."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from feedward.deadline import Deadline
from feedward.frontier.messages import row_pace
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
from feedward.services.work.memory_budget import MemoryBudget
from feedward.urls.safety import DEFAULT_POLICY, UrlPolicy

if TYPE_CHECKING:  # used in annotations only
    from feedward.frontier.row import FrontierRow
    from feedward.ports.keys import Tenants
    from feedward.ports.quotas import Charges
    from feedward.scheduling.message_plan import Pace


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectPorts:
    """Ports of collecting, and the settings of the frontier.

    `runs` caches the runs that pages are collected for. `robots_product` is our name in a robots.txt: the product of
    the fetcher's User-Agent. All threads share `memory`.
    """

    fetcher: PageFetcher
    frontier: FrontierStore
    lineage: LineageStore
    bodies: Bodies
    queue: WorkQueue
    robots: RobotsStore
    limiter: HostLimiter
    begun: BegunTasks
    charges: Charges
    tenants: Tenants
    clock: Clock
    settings: FrontierSettings = DEFAULT_SETTINGS
    robots_product: str = "feedward"
    url_policy: UrlPolicy = DEFAULT_POLICY
    sleep: Callable[[float], None] = time.sleep
    memory: MemoryBudget = field(default_factory=MemoryBudget)
    runs: RunBook = field(init=False)

    def within(self, deadline: Deadline) -> CollectPorts:
        """Return ports that keep to the deadline. The cached runs are shared."""
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

    @property
    def pace(self) -> Pace[FrontierRow]:
        """The pace at which a sweep sends the rows of a host."""
        return row_pace(self.settings)

    def __post_init__(self) -> None:
        """Create the cache of runs over this lineage store."""
        object.__setattr__(self, "runs", RunBook(self.lineage))
