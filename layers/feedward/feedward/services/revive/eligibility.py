"""Whether a feed still needs to be looked for (rule H6): asked before the search, and again before the move."""

from __future__ import annotations

from feedward.events.envelope import RevivalRequested
from feedward.health.cadence import Freshness, freshness
from feedward.health.decision import RevivalReason
from feedward.health.revival import LostFeed, RevivalOutcome
from feedward.model import FeedState


def no_need(feed: LostFeed | None, asked: RevivalRequested, now: int) -> RevivalOutcome | None:
    """Say why a feed is not looked for, or None. A healthy one is only where it is stale, and a person asks."""
    if feed is None or feed.merged_into is not None:
        return RevivalOutcome.UNKNOWN
    if feed.health.state is FeedState.PAUSED:
        return RevivalOutcome.PAUSED
    if feed.health.state is not FeedState.HEALTHY or may_be_bettered(feed, asked, now):
        return None
    return RevivalOutcome.HEALTHY


def may_be_bettered(feed: LostFeed, asked: RevivalRequested, now: int) -> bool:
    """Tell whether a fresher feed may take the place of one that still answers: a person asks, and it is stale.

    The stored flag is as old as the last check, and time goes on.
    """
    health = feed.health
    is_stale = freshness(health.latest_item_published_at, health.median_gap_s, now) is Freshness.STALE
    return asked.reason is RevivalReason.REQUESTED and (health.stale or is_stale)
