"""What a check of a feed works with, what a batch of them does, and the stores that the feeds' health is in."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from feedward.ports import (
    BegunTasks,
    CheckStore,
    Clock,
    EventBus,
    FeedMoves,
    HostLimiter,
    MergeDebts,
    Outages,
    Outbox,
    PageFetcher,
    Pending,
    Revivals,
    Sightings,
    Subscriptions,
    SweepStore,
    WorkQueue,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckParts:
    """The ports of check_feed. `subscriptions` are those that a merge re-points."""

    fetcher: PageFetcher
    store: CheckStore
    sightings: Sightings
    moves: FeedMoves
    outbox: Outbox
    bus: EventBus
    subscriptions: Subscriptions
    clock: Clock


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


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthStores:
    """What is stored of the feeds' health, and what keeps it true. Made together: none has a client of its own."""

    checks: CheckStore
    moves: FeedMoves
    revivals: Revivals
    sightings: Sightings
    sweeps: SweepStore
    outages: Outages
    limiter: HostLimiter
    begun: BegunTasks
    pending: Pending
    feed_debts: MergeDebts
