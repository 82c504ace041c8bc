"""What one feed's check says about its host, and what the host's other feeds say about the check (rule H6). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from feedward.health.due_feed import DueFeed
from feedward.model import FeedState


@dataclass(frozen=True, slots=True, kw_only=True)
class Stops:
    """What must not be asked now: hosts, until when (epoch second), and feeds that a person paused a moment ago.

    `paused` gives each such feed's rev: what was looked up before has a smaller one, and what was resumed a larger.
    """

    hosts: Mapping[str, int] = field(default_factory=dict)
    paused: Mapping[str, int] = field(default_factory=dict)

    def is_paused(self, feed: DueFeed) -> bool:
        """True if the feed was paused since it was looked up."""
        return feed.rev < self.paused.get(feed.feed_id, 0)


def host_fails(others: Iterable[tuple[FeedState, int]]) -> bool:
    """Tell whether every other feed of the host fails too, given each one's state and failures in a row.

    Paused ones are not asked, so they say nothing; a host with no other feed is no host event.
    """
    failing = [failures > 0 for state, failures in others if state is not FeedState.PAUSED]
    return bool(failing) and all(failing)
