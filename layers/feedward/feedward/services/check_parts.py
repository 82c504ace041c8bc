"""What a check of a feed works with."""

from __future__ import annotations

from dataclasses import dataclass

from feedward.ports import CheckStore, Clock, EventBus, FeedMoves, Fetcher, Outbox, Sightings


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
