"""What is decided about a feed after a check or a person's action: what to store, and what to tell. Pure data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from feedward.health.record import FeedHealth
from feedward.model import FeedState


class RevivalReason(StrEnum):
    """Why a feed is looked for again (spec H6)."""

    NOT_FOUND = "not_found"
    GONE = "gone"
    NOT_FEED = "not_feed"
    UNHEALTHY = "unhealthy"
    REQUESTED = "requested"


@dataclass(frozen=True, slots=True, kw_only=True)
class StateChange:
    """The feed's state is another one now; `reason` is the outcome that did it, or `paused`, `resumed`, `swapped`."""

    before: FeedState
    after: FeedState
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The health to store, when to check next (epoch seconds; None for paused), and what there is to tell.

    `revival` says why the feed should be looked for again, or None. `became_stale` and `became_fresh` say that the flag
    turned. `health` is the very object that came in if there is nothing to store.
    """

    health: FeedHealth
    next_check_at: int | None
    revival: RevivalReason | None = None
    state_change: StateChange | None = None
    became_stale: bool = False
    became_fresh: bool = False

    @property
    def is_eventful(self) -> bool:
        """True if somebody has to be told something, so that an event is owed (design section 3)."""
        return bool(self.revival or self.state_change or self.became_stale)


def state_change(before: FeedState, after: FeedState, reason: str) -> StateChange | None:
    """Return the change of state to tell, or None if there is none."""
    return None if before is after else StateChange(before=before, after=after, reason=reason)
