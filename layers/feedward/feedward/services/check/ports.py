"""What a check of a feed works with, what a batch of them does, and the stores that the feeds' health is in."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from feedward.ports import (
    CheckStore,
    Clock,
    EventBus,
    FeedMoves,
    Fetcher,
    HealthQueue,
    HostPauses,
    MergeDebts,
    Outages,
    Outbox,
    Pending,
    Revivals,
    Sightings,
    Subscriptions,
    SweepStore,
)
from feedward.services.work.memory import MemoryBudget


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckParts:
    """The ports of check_feed. `subscriptions` are those that a merge re-points; `memory` is shared by all threads."""

    fetcher: Fetcher
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
    host_pauses: HostPauses
    queue: HealthQueue
    sleep: Callable[[float], None] = time.sleep


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthStores:
    """What is stored of the feeds' health, and what keeps it true. Made together: none has a client of its own."""

    checks: CheckStore
    moves: FeedMoves
    revivals: Revivals
    sightings: Sightings
    sweeps: SweepStore
    outages: Outages
    host_pauses: HostPauses
    pending: Pending
    feed_debts: MergeDebts
