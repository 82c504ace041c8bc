"""What one feed's check says about its host, and what the host's other feeds say about the check (spec H6). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from feedward.health.decision import Check
from feedward.health.due_feed import DueFeed
from feedward.health.next_check import RATE_LIMITED_LEAST_S
from feedward.model import FeedState, Outcome
from feedward.scheduling.backoff import retry_after_floor_s


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


def host_pause_until(check: Check, now: int) -> int | None:
    """Return until when (epoch seconds) none of the host's feeds should be asked, or None.

    A limit is the host's: 429 speaks for all its feeds, for an hour if it does not say how long; 503 only if it does.
    """
    if check.outcome is Outcome.RATE_LIMITED:
        return now + (retry_after_floor_s(429, check.retry_after_s) or RATE_LIMITED_LEAST_S)
    wait = retry_after_floor_s(check.status, check.retry_after_s)
    return now + wait if wait else None
