"""The ports of a check, and of a batch of checks."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from feedward.deadline import Deadline
from feedward.ports import (
    BegunTasks,
    CheckStore,
    Clock,
    EventBus,
    FeedMoves,
    HostLimiter,
    MoveObservations,
    Outages,
    Outbox,
    PageFetcher,
    SlotLoads,
    SlotStore,
    Subscriptions,
    SweepStore,
    TopicClassifier,
    WorkQueue,
)
from feedward.ports.feeds import no_topics
from feedward.ports.push import NO_PUSH, PushTrusts
from feedward.ports.stats import CheckCounts
from feedward.services.check.checked_minutes import CheckedMinutes
from feedward.services.work.memory_budget import MemoryBudget

if TYPE_CHECKING:  # used in annotations only
    from feedward.ports.keys import Tenants


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckPorts:
    """Ports of check_feed. `subscriptions` are re-pointed after a merge; all threads share `memory`.

    `classifier` suggests topics in addition to those of a document. `loads` are read before a feed gets another slot;
    without them feeds are spread by their ids only. `push` learns from checks how far pushes are trusted.
    """

    fetcher: PageFetcher
    store: CheckStore
    observations: MoveObservations
    moves: FeedMoves
    outbox: Outbox
    bus: EventBus
    subscriptions: Subscriptions
    clock: Clock
    classifier: TopicClassifier = no_topics
    loads: SlotLoads | None = None
    push: PushTrusts = NO_PUSH
    memory: MemoryBudget = field(default_factory=MemoryBudget)

    def within(self, deadline: Deadline) -> CheckPorts:
        """Return ports whose stores keep to the deadline. The bus and subscriptions get their own."""
        return replace(
            self,
            store=self.store.within(deadline),
            observations=self.observations.within(deadline),
            moves=self.moves.within(deadline),
            outbox=self.outbox.within(deadline),
            push=self.push.within(deadline),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckBatchPorts:
    """Ports of a batch of checks. `sleep` takes seconds; `checked` outlives the batch.

    `tenants` are read for private feeds only.
    """

    check: CheckPorts
    sweeps: SweepStore
    slots: SlotStore
    outages: Outages
    limiter: HostLimiter
    begun: BegunTasks
    counts: CheckCounts
    tenants: Tenants
    queue: WorkQueue
    checked: CheckedMinutes = field(default_factory=CheckedMinutes)
    sleep: Callable[[float], None] = time.sleep

    def within(self, deadline: Deadline) -> CheckBatchPorts:
        """Return ports that keep to the deadline. The queue gets its deadline when a message is sent."""
        return replace(
            self,
            check=self.check.within(deadline),
            sweeps=self.sweeps.within(deadline),
            slots=self.slots.within(deadline),
            outages=self.outages.within(deadline),
            limiter=self.limiter.within(deadline),
            begun=self.begun.within(deadline),
            counts=self.counts.within(deadline),
        )
