"""The result of a check, the decision about the feed's health, and the writes that follow from it. Pure data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from feedward.health.due_feed import DueFeed
from feedward.health.feed_health import FeedHealth
from feedward.health.feed_texts import FeedTexts
from feedward.health.recent_items import Recent
from feedward.model import FeedState, OutboxEntry, Outcome, RejectionReason
from feedward.scheduling.slots import Place

if TYPE_CHECKING:
    from feedward.topics.feed_topics import FeedTopics


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The cadence that a complete document shows; it replaces the stored values (rules H3, H4).

    `median_gap_s` is the median gap of its last 20 items, or None if it shows no gap. `hint_s` is the interval that it
    asks for. `latest_item_published_at` is never later than the item was first seen. It is None for a document without
    items, which keeps the stored date.
    """

    median_gap_s: int | None = None
    hint_s: int | None = None
    latest_item_published_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One check of a feed.

    - reason: why a document was rejected, for `not_feed`
    - retry_after_s: the server's Retry-After; it counts on 429 and 503 only
    - new_items: the number of items that were not known
    - reading: the cadence of the document; None if no document was parsed (304, unchanged bytes, failure)
    - sent_elsewhere: a temporary redirect led to another host, which answered, as for consent pages
    - as_browser_at: the value for FeedHealth after this check
    - outage_minutes: the epoch minutes of the last day that are marked as our own outage, the current one included
      (rule H5)
    - host_fails: every other feed of the host fails too (rule H6). It matters only if the decision asks for revival:
      then the caller may look it up and decide again
    """

    outcome: Outcome
    status: int | None = None
    reason: RejectionReason | None = None
    retry_after_s: int | None = None
    new_items: int = 0
    reading: Reading | None = None
    sent_elsewhere: bool = False
    as_browser_at: int | None = None
    outage_minutes: frozenset[int] = frozenset()
    host_fails: bool = False


class RevivalReason(StrEnum):
    """Why the feed is searched for again (rule H6)."""

    NOT_FOUND = "not_found"
    GONE = "gone"
    NOT_FEED = "not_feed"
    UNHEALTHY = "unhealthy"
    REQUESTED = "requested"


@dataclass(frozen=True, slots=True, kw_only=True)
class StateChange:
    """A change of the feed's state. `reason` is the outcome that caused it, or `paused`, `resumed`, `relocated`."""

    before: FeedState
    after: FeedState
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The health and the place to store, and the events to publish.

    `place` is None for a paused feed; `next_check_at` is the time of the next check there, in epoch seconds.
    `revival` is the reason to search for the feed again, or None. `became_stale` is true if this check set the flag.
    `health` is the same object that was passed in if there is nothing to store.
    """

    health: FeedHealth
    place: Place | None
    next_check_at: int | None
    revival: RevivalReason | None = None
    state_change: StateChange | None = None
    became_stale: bool = False

    @property
    def is_eventful(self) -> bool:
        """True if an event has to be written to the outbox (rule R7)."""
        return bool(self.revival or self.state_change or self.became_stale)


def state_change(before: FeedState, after: FeedState, reason: str) -> StateChange | None:
    """Return the change of state to publish, or None if the state is the same."""
    return None if before is after else StateChange(before=before, after=after, reason=reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedUpdate:
    """The writes of one check. `after` has the next rev, the next place, and a health with all its fields.

    A heartbeat (`is_heartbeat`) follows a check without news: it stores the time of the check, validators and content
    hash, and keeps the rev.
    `recent` and `texts` are None if they do not change. `suggested` are all suggested topics if there are new ones,
    else None: they are written only together with one of those (rule TP1). The same write puts `events` into the
    outbox (rule I7) and `state_change` into the audit log.
    """

    before: DueFeed
    after: DueFeed
    recent: Recent | None = None
    texts: FeedTexts | None = None
    suggested: tuple[str, ...] | None = None
    events: tuple[OutboxEntry, ...] = ()
    state_change: StateChange | None = None
    is_heartbeat: bool = False

    @property
    def is_single(self) -> bool:
        """True if only FEED is written: a single write costs half as much as a transaction."""
        return self.recent is None and self.texts is None and not self.events


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """The current FEED, returned if an update's condition failed.

    `due` is None for a feed that is no longer due: paused, merged or missing. `last_attempt_at` is when the last stored
    check ended.
    """

    due: DueFeed | None = None
    last_attempt_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """The stored items of a feed in addition to FEED; None for an item that was never written."""

    recent: Recent | None = None
    texts: FeedTexts | None = None
    topics: FeedTopics = ()
