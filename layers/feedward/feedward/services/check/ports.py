"""What a check of a feed works with, what a batch of them does."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from feedward.ports import (
    BegunTasks,
    CheckStore,
    Clock,
    EventBus,
    FeedMoves,
    HostLimiter,
    Outages,
    Outbox,
    PageFetcher,
    Sightings,
    Subscriptions,
    SweepStore,
    WorkQueue,
)
from feedward.services.work.memory import MemoryBudget


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckParts:
    """The ports of check_feed. `subscriptions` are those that a merge re-points; `memory` is shared by all threads."""

    fetcher: PageFetcher
    store: CheckStore
    sightings: Sightings
    moves: FeedMoves
    outbox: Outbox
    bus: EventBus
    subscriptions: Subscriptions
    clock: Clock
    memory: MemoryBudget = field(default_factory=MemoryBudget)


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchParts:
    """What the checks of a batch of messages work with. `sleep` waits for so many seconds."""

    check: CheckParts
    sweeps: SweepStore
    outages: Outages
    limiter: HostLimiter
    begun: BegunTasks
    queue: WorkQueue
    sleep: Callable[[float], None] = time.sleep

    def now_ms(self) -> int:
        """Epoch milliseconds, as whole seconds are enough for checks."""
        return self.check.clock.now() * 1000
