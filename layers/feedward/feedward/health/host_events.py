"""Data that a check needs beyond its own feed: cooldowns, recent pauses, and failures of the whole host (rule H6).
Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from feedward.health.due_feed import DueFeed
from feedward.model import FeedState


@dataclass(frozen=True, slots=True, kw_only=True)
class Stops:
    """Hosts and feeds that must not be fetched now: hosts in cooldown, with its end, and feeds that were just paused.

    `paused` maps each paused feed to its rev. An older copy of the feed has a smaller rev, a resumed feed a larger one.
    """

    hosts: Mapping[str, int] = field(default_factory=dict)
    paused: Mapping[str, int] = field(default_factory=dict)

    def is_paused(self, feed: DueFeed) -> bool:
        """Return whether the feed was paused after it was read."""
        return feed.rev < self.paused.get(feed.feed_id, 0)


def host_fails(others: Iterable[tuple[FeedState, int]]) -> bool:
    """Return whether every other feed of the host fails too, given the state and consecutive failures of each.

    Paused feeds are not checked and do not count. Without another feed the answer is no.
    """
    failing = [failures > 0 for state, failures in others if state is not FeedState.PAUSED]
    return bool(failing) and all(failing)
