"""What came of one check, for whoever asked for it: the worker, who counts, and the command line, which shows it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from feedward.health.decision import RevivalReason, StateChange
from feedward.health.due_feed import DueFeed
from feedward.health.record import FeedHealth
from feedward.health.relocation import MoveResult
from feedward.model import Outcome


class CheckDisposition(StrEnum):
    """What became of a check's result."""

    APPLIED = "applied"
    LATE = "late"
    """The message was too old: nothing was fetched, and the sweep sees to the feed."""
    PAUSED = "paused"
    """A person paused the feed: nothing was fetched."""
    POSTPONED = "postponed"
    """A host on the feed's way cools down: it was not asked, and the feed is due later."""
    DROPPED = "dropped"
    """The feed is not what it was any more (checked for this slot, moved, paused, merged): nothing was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckAnswer:
    """One check. `at` is when it ended, in epoch seconds; `outcome` and what follows are there if it was fetched.

    - requests: how many requests were sent, redirects and what a move needed included
    - health, next_check_at: as they were written; only for `applied`
    - held_back_until: until when a host on the feed's way cools down, where it was not asked because of that
    - move: what became of the feed's new URL, if it has one
    - owed: the code of the error that left an event unsent; it stays owed
    """

    feed_id: str
    host: str
    at: int
    disposition: CheckDisposition
    outcome: Outcome | None = None
    status: int | None = None
    detail: str = ""
    requests: int = 0
    health: FeedHealth | None = None
    next_check_at: int | None = None
    new_items: int = 0
    is_eventful: bool = False
    state_change: StateChange | None = None
    revival: RevivalReason | None = None
    held_back_until: int | None = None
    move: MoveResult | None = None
    owed: str | None = None

    @property
    def fetched(self) -> bool:
        """True if the server was asked, so that the check says something about the network (rule H5)."""
        return self.outcome is not None


def unfetched(due: DueFeed, disposition: CheckDisposition, now: int) -> CheckAnswer:
    """Return the answer of a check that was not made."""
    return CheckAnswer(feed_id=due.feed_id, host=due.host, at=now, disposition=disposition)
