"""What a check of a feed works with, and what a batch of them does."""

from __future__ import annotations

from dataclasses import dataclass

from feedward.ports import (
    CheckStore,
    Clock,
    EventBus,
    FeedMoves,
    Fetcher,
    HealthQueue,
    HostPauses,
    Outages,
    Outbox,
    Sightings,
    SweepStore,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckParts:
    """The ports of check_feed."""

    fetcher: Fetcher
    store: CheckStore
    sightings: Sightings
    moves: FeedMoves
    outbox: Outbox
    bus: EventBus
    clock: Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchParts:
    """What the checks of a batch of messages work with."""

    check: CheckParts
    sweeps: SweepStore
    outages: Outages
    host_pauses: HostPauses
    queue: HealthQueue
