"""What a check writes: a feed before and after it, and what it has to tell. Pure data.

FEED is written if it is still what was seen (its rev); the rest goes with it in one transaction, or nothing does.
"""

from __future__ import annotations

from dataclasses import dataclass

from feedward.health.due_feed import DueFeed
from feedward.health.recent import Recent
from feedward.health.texts import FeedTexts
from feedward.model import OwedEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedUpdate:
    """One check's writes. `after` has the next rev and the next slot, and a health with all its fields.

    `recent` and `texts` are None where they are to stay as they are. `events` are owed from then on (I7).
    """

    before: DueFeed
    after: DueFeed
    recent: Recent | None = None
    texts: FeedTexts | None = None
    events: tuple[OwedEvent, ...] = ()

    @property
    def is_single(self) -> bool:
        """True if FEED alone is written: that costs half of a transaction."""
        return self.recent is None and self.texts is None and not self.events


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """FEED as it is now, where an update did not apply.

    `due` is None for a feed that is not due any more: paused, merged or not there. `last_attempt_at` is when the last
    check ended that was written.
    """

    due: DueFeed | None = None
    last_attempt_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What is known of a feed beside FEED; None where nothing was ever written."""

    recent: Recent | None = None
    texts: FeedTexts | None = None
