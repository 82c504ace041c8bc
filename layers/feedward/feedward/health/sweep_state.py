"""How far the sweep of one shard is: what its row of StateTable says (design section 3, Sweep). Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from feedward.health.due_feed import DueFeed


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Cursor:
    """The key of a feed in the due index: every feed up to it was sent. Ordered as the sweep goes."""

    next_check_at: int
    feed_id: str

    @classmethod
    def of(cls, feed: DueFeed) -> Cursor:
        """The cursor that stands at this feed."""
        return cls(next_check_at=feed.next_check_at, feed_id=feed.feed_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class SweepShard:
    """One shard of the due index and how far its sweep is. `rev` 0: it was never swept.

    `lease_until` is the epoch second at which the lease of whoever sweeps it ends, 0 for none. `busy` says until when
    which hosts have messages waiting (see pacing.py). `holder` is the sweep that wrote last.
    """

    shard: int
    cursor: Cursor | None = None
    lease_until: int = 0
    rev: int = 0
    busy: Mapping[str, int] = field(default_factory=dict)
    holder: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DuePage:
    """Feeds that are due, in the order of their cursors, with none left out before `end`, which is None for none.

    `is_last`: there are no more after them. `unreadable` counts those that cannot be checked, for they are faulty.
    """

    feeds: tuple[DueFeed, ...]
    end: Cursor | None
    is_last: bool
    unreadable: int = 0

    def parts(self, most: int) -> Iterator[DuePage]:
        """Yield the page in parts of at most `most` feeds, each to be sent before the cursor is moved to its end."""
        starts = range(0, len(self.feeds), most) or range(1)
        for start in starts:
            feeds = self.feeds[start : start + most]
            is_rest = start + most >= len(self.feeds)
            yield replace(
                self,
                feeds=feeds,
                end=self.end if is_rest else Cursor.of(feeds[-1]),
                unreadable=self.unreadable if is_rest else 0,
            )
