"""Decides whether a feed still needs revival (rule H6): checked before the search, and again before the relocation."""

from __future__ import annotations

from feedward.events.envelope import RevivalRequested
from feedward.health.cadence import Freshness, freshness
from feedward.health.decision import RevivalReason
from feedward.health.revival import LostFeed, RevivalOutcome
from feedward.model import FeedState


def no_need(feed: LostFeed | None, asked: RevivalRequested, now: int) -> RevivalOutcome | None:
    """Return why a feed needs no revival, or None if it does. A healthy feed does if it is stale and a person asks."""
    if feed is None or feed.merged_into is not None:
        return RevivalOutcome.UNKNOWN
    if feed.owner != asked.tenant_id:
        return RevivalOutcome.FOREIGN
    if feed.health.state is FeedState.PAUSED:
        return RevivalOutcome.PAUSED
    if feed.health.state is not FeedState.HEALTHY or may_be_bettered(feed, asked, now):
        return None
    return RevivalOutcome.HEALTHY


def may_be_bettered(feed: LostFeed, asked: RevivalRequested, now: int) -> bool:
    """Return whether a fresher feed may replace one that still answers: a person asks, and it is stale.

    Staleness is computed again, since the stored flag is only as recent as the last check.
    """
    health = feed.health
    is_stale = freshness(health.latest_item_published_at, health.median_gap_s, now) is Freshness.STALE
    return asked.reason is RevivalReason.REQUESTED and (health.stale or is_stale)
