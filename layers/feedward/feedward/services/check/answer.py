"""The result of one check, as the worker counts it and the command line shows it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from feedward.health.decision import RevivalReason, StateChange
from feedward.health.due_feed import DueFeed
from feedward.health.feed_health import FeedHealth
from feedward.health.relocation import MoveResult
from feedward.model import Outcome

if TYPE_CHECKING:  # few checks concern pushes
    from feedward.push.trust import PushNote


class CheckDisposition(StrEnum):
    """The disposition of a check's result."""

    APPLIED = "applied"
    LATE = "late"
    """The message was too old: nothing was fetched. The repair pass reschedules the feed."""
    PAUSED = "paused"
    """The feed was paused by a person: nothing was fetched."""
    FOREIGN = "foreign"
    """The message names another tenant than the feed, or a deleted one: nothing was fetched (rule TN5)."""
    POSTPONED = "postponed"
    """A host of the redirect chain is in its cooldown: it was not requested, and the feed was rescheduled."""
    DROPPED = "dropped"
    """The feed was changed meanwhile (checked for this slot, moved, paused, merged): nothing was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckAnswer:
    """The result of one check. `at` is its end in epoch seconds; `outcome` and later fields are set if it fetched.

    - is_shared: the feed is in the shared directory, not private to a tenant
    - requests: requests sent, including redirects and those that a move needed
    - health, next_check_at: as written; only for `applied`
    - held_back_until: end of the cooldown that stopped the check
    - move: the result of the relocation to the feed's new URL, if it has one
    - push: the check's result for the feed's pushes
    - undelivered: error code of an undelivered event; it stays in the outbox
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
    undelivered: str | None = None
    push: PushNote | None = None
    is_shared: bool = True

    @property
    def fetched(self) -> bool:
        """True if a request was sent, so that the check counts for outage detection (rule H5)."""
        return self.outcome is not None


def unfetched(due: DueFeed, disposition: CheckDisposition, now: int) -> CheckAnswer:
    """Return the answer of a check without a fetch."""
    return CheckAnswer(feed_id=due.feed_id, host=due.host, at=now, disposition=disposition)
