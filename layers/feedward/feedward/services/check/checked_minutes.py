"""The slots that this process has checked: a message that comes twice asks no host twice (rule S2).

An unchanged check writes nothing, so no record tells. A queue hands out few messages twice, and a worker's process
lives for many batches.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from feedward.health.due_feed import DueFeed

REMEMBERED: Final = 5000
"""So many feeds one process checks in far more time than a message may be late."""


@dataclass(slots=True)
class CheckedMinutes:
    """The last minute for which each feed was checked, of the last 5000 feeds. Thread-safe."""

    _minutes: dict[str, int] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def has(self, feed: DueFeed) -> bool:
        """Tell whether the feed was checked for its minute, or a later one. A feed by exception has none."""
        minute = feed.minute
        return minute is not None and self._minutes.get(feed.feed_id, -1) >= minute

    def add(self, feed: DueFeed) -> None:
        """Remember that the feed was checked for its minute."""
        if feed.minute is None:
            return
        with self._lock:
            self._minutes.pop(feed.feed_id, None)
            self._minutes[feed.feed_id] = feed.minute
            if len(self._minutes) > REMEMBERED:
                del self._minutes[next(iter(self._minutes))]
