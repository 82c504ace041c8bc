"""Who wins a merge: which of two feeds that turn out to be one stays, at which URL, and what it keeps (rule I3). Pure.

The smaller feed_id stays, so that all who merge the same feeds agree. Its health and its history are its own; of the
other one's settings it takes over what a person switched on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from feedward.model import FeedState
from feedward.scheduling.jitter import jitter_s

# Two minutes, of which the call that merges may have used up one: so it is never sooner than 60 s ahead.
_SOON_S: Final = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class MergingFeed:
    """A feed as it was read, as far as a merge depends on it. `next_check_at` is None for one that is paused."""

    feed_id: str
    url: str
    url_hash: str
    state: FeedState
    collect_items: bool = False
    next_check_at: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Merger:
    """What becomes of two feeds: `winner` stays, `loser` becomes a tombstone, and the one feed is at `url` then.

    - moves: the winner gets `url` as if it had moved there; else it stays as it is, at its own
    - due_at: when the winner is due, where that is sooner than it would be; None: as its state says
    - collect_items: the winner takes the loser's setting over
    """

    winner: MergingFeed
    loser: MergingFeed
    url: str
    moves: bool
    due_at: int | None = None

    @property
    def collect_items(self) -> bool:
        """True if the setting of the loser is to be given to the winner: nobody's wish is lost with a feed."""
        return self.loser.collect_items and not self.winner.collect_items


def winner_first(feed_ids: Iterable[str]) -> list[str]:
    """Return the ids of feeds that are one, each once: the one that stays first."""
    return sorted(set(feed_ids))


def merged_by_move(moving: MergingFeed, owner: MergingFeed, to: str) -> Merger:
    """Decide the merge of a feed that moves to `to`, at which its document was just found, with the URL's owner.

    The one feed is at the owner's own URL if the owner is healthy, else at `to`. An owner that stays, and that is
    healthy or that a person paused, is left alone.
    """
    winner, loser = _by_id(moving, owner)
    is_healthy = owner.state is FeedState.HEALTHY
    is_left_alone = winner is owner and (is_healthy or owner.state is FeedState.PAUSED)
    url = owner.url if is_healthy or is_left_alone else to
    return Merger(winner=winner, loser=loser, url=url, moves=not is_left_alone)


def merged_by_registration(one: MergingFeed, other: MergingFeed, *, chosen: str | None, now: int) -> Merger:
    """Decide the merge of two feeds that one document proved to be one. It is checked soon, whatever was known of it.

    `chosen` is the URL that the winner takes over, None where it stays at its own (`may_take_over`).
    """
    winner, loser = _by_id(one, other)
    due_at = _soon(winner.feed_id, now)
    if chosen is not None:
        return Merger(winner=winner, loser=loser, url=chosen, moves=True, due_at=due_at)
    is_later = winner.next_check_at is not None and winner.next_check_at > due_at
    return Merger(winner=winner, loser=loser, url=winner.url, moves=False, due_at=due_at if is_later else None)


def may_take_over(one: MergingFeed, other: MergingFeed, url_hash: str) -> bool:
    """Tell whether the winner goes to the URL of this hash that canonicalization chose: if it is the loser's.

    A winner that a person paused stays where it is. So does one whose move there a person took back, which the URL's
    row in the registry says.
    """
    winner, loser = _by_id(one, other)
    return loser.url_hash == url_hash and winner.state is not FeedState.PAUSED


def _by_id(one: MergingFeed, other: MergingFeed) -> tuple[MergingFeed, MergingFeed]:
    return (one, other) if one.feed_id < other.feed_id else (other, one)


def _soon(feed_id: str, now: int) -> int:
    """Return when a feed is due that has to be checked soon: in two minutes, spread by its id."""
    slot = now + _SOON_S
    return slot + jitter_s(feed_id, slot, _SOON_S)
