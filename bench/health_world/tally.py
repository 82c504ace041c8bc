"""The cost and results of a way of polling: polls, items found and their delays, time in each state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from feedward.model import FeedState


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts over some feeds and the year. Delays are whole minutes, so that a million of them stay small.

    - unchanged: checks of healthy feeds without news
    - units: write units of those checks, and of changes of place after any check of a healthy feed, by reason
    """

    feeds: int = 0
    items: int = 0
    polls: int = 0
    hops: int = 0
    unchanged: int = 0
    units: Counter[str] = field(default_factory=Counter)
    late_by: Counter[int] = field(default_factory=Counter)
    in_state_s: Counter[FeedState] = field(default_factory=Counter)

    def found(self, published: Iterable[int], now: int) -> None:
        """Count items that a successful check at `now` saw for the first time."""
        self.late_by.update([(now - at) // 60 for at in published])

    @property
    def items_found(self) -> int:
        """The number of items ever seen."""
        return self.late_by.total()

    @property
    def requests(self) -> int:
        """Polls and the redirects that they followed."""
        return self.polls + self.hops

    @property
    def polls_per_item(self) -> float | None:
        """Polls per found item; None if none was found."""
        return self.polls / self.items_found if self.items_found else None

    def delay_minutes(self, share: float) -> int | None:
        """Return the delay within which this share of the found items was seen, in whole minutes."""
        wanted = share * self.items_found
        passed = 0
        for minutes, count in sorted(self.late_by.items()):
            passed += count
            if passed >= wanted:
                return minutes
        return None

    @property
    def units_per_unchanged(self) -> float:
        """Write units for each unchanged check."""
        return self.units.total() / (self.unchanged or 1)

    def state_share(self, state: FeedState) -> float:
        """Return the share of the feeds' time in this state."""
        return self.in_state_s[state] / (self.in_state_s.total() or 1)


def total(tallies: Iterable[Tally]) -> Tally:
    """Return the sum of several tallies."""
    whole = Tally()
    for tally in tallies:
        whole.feeds += tally.feeds
        whole.items += tally.items
        whole.polls += tally.polls
        whole.hops += tally.hops
        whole.unchanged += tally.unchanged
        whole.units.update(tally.units)
        whole.late_by.update(tally.late_by)
        whole.in_state_s.update(tally.in_state_s)
    return whole


def tallies_of(feeds: Iterable[tuple[str, int]]) -> dict[str, Tally]:
    """Return an empty tally for each rhythm, with feeds and items counted; `feeds` are pairs of rhythm and items."""
    tallies: dict[str, Tally] = {}
    for rhythm, items in feeds:
        tally = tallies.setdefault(rhythm, Tally())
        tally.feeds += 1
        tally.items += items
    return tallies
