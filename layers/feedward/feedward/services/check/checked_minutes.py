"""The slots that this process has checked, so that a duplicate message causes no request (rule S2).

An unchanged check writes nothing, so no stored record shows it. A queue delivers few messages twice, and a worker's
process lives for many batches.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from feedward.health.due_feed import DueFeed

REMEMBERED: Final = 5000
"""One process checks this many feeds in far more time than a message may be late."""


@dataclass(slots=True)
class CheckedMinutes:
    """The last minute for which each feed was checked, of the last 5000 feeds. Thread-safe."""

    _minutes: dict[str, int] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def take(self, feed: DueFeed) -> bool:
        """Claim the check of the feed for its minute. False if that minute, or a later one, was claimed.

        A feed that is due by exception has no minute: it can always be claimed.
        """
        if feed.minute is None:
            return True
        with self._lock:
            if self._minutes.get(feed.feed_id, -1) >= feed.minute:
                return False
            self._minutes.pop(feed.feed_id, None)
            self._minutes[feed.feed_id] = feed.minute
            if len(self._minutes) > REMEMBERED:
                del self._minutes[next(iter(self._minutes))]
            return True

    def give_back(self, feed: DueFeed) -> None:
        """Release the claim of an unfinished check: its message is received again, or its slot has changed."""
        with self._lock:
            if feed.minute is not None and self._minutes.get(feed.feed_id) == feed.minute:
                del self._minutes[feed.feed_id]
