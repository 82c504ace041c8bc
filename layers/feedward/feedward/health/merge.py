"""The merge of two feeds that are the same: the survivor, its URL and its settings (rule I3). Pure.

The smaller feed_id wins, so concurrent merges of the same feeds agree. The winner keeps its own health and history. It
takes over the loser's settings that a person switched on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from feedward.model import FeedState
from feedward.scheduling.jitter import jitter_s
from feedward.scheduling.slots import Place

# Two minutes: the merging call may take one of them, and the check must still be at least 60 s ahead.
_SOON_S: Final = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class MergingFeed:
    """The attributes of a feed that a merge reads. `place` is None for a paused feed."""

    feed_id: str
    url: str
    url_hash: str
    state: FeedState
    collect_items: bool = False
    place: Place | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Merger:
    """The decision about two feeds: `winner` survives at `url`, `loser` becomes a tombstone.

    - moves: the winner is relocated to `url`; otherwise it keeps its own URL
    - due_at: the winner's due time, if earlier than its schedule; None keeps its schedule
    - collect_items: the winner takes over the loser's setting
    """

    winner: MergingFeed
    loser: MergingFeed
    url: str
    moves: bool
    due_at: int | None = None

    @property
    def collect_items(self) -> bool:
        """True if the winner takes over the loser's setting: a merge never switches off what a person switched on."""
        return self.loser.collect_items and not self.winner.collect_items


def winner_first(feed_ids: Iterable[str]) -> list[str]:
    """Return the distinct ids of feeds that are the same feed, the winner first."""
    return sorted(set(feed_ids))


def merged_by_move(moving: MergingFeed, owner: MergingFeed, to: str) -> Merger:
    """Decide the merge of a feed that moves to `to`, where its document was just found, with the URL's owner.

    The merged feed has the owner's URL if the owner is healthy, otherwise `to`. An owner that wins and is healthy or
    paused does not change.
    """
    winner, loser = _by_id(moving, owner)
    is_healthy = owner.state is FeedState.HEALTHY
    is_left_alone = winner is owner and (is_healthy or owner.state is FeedState.PAUSED)
    url = owner.url if is_healthy or is_left_alone else to
    return Merger(winner=winner, loser=loser, url=url, moves=not is_left_alone)


def merged_by_registration(one: MergingFeed, other: MergingFeed, *, chosen: str | None, now: int) -> Merger:
    """Decide the merge of two feeds that one document proved to be the same. The winner is checked soon.

    `chosen` is the URL that the winner takes over, or None if it keeps its own (see `may_take_over`).
    """
    winner, loser = _by_id(one, other)
    due_at = _soon(winner.feed_id, now)
    if chosen is not None:
        return Merger(winner=winner, loser=loser, url=chosen, moves=True, due_at=due_at)
    is_later = winner.place is not None and winner.place.next_at(now) > due_at
    return Merger(winner=winner, loser=loser, url=winner.url, moves=False, due_at=due_at if is_later else None)


def may_take_over(one: MergingFeed, other: MergingFeed, url_hash: str) -> bool:
    """Return whether the winner takes over the URL with this hash, which canonicalization chose and the loser has.

    A paused winner keeps its URL. So does a winner whose relocation there was undone by a person; the caller reads that
    from the URL's row in the registry.
    """
    winner, loser = _by_id(one, other)
    return loser.url_hash == url_hash and winner.state is not FeedState.PAUSED


def _by_id(one: MergingFeed, other: MergingFeed) -> tuple[MergingFeed, MergingFeed]:
    return (one, other) if one.feed_id < other.feed_id else (other, one)


def _soon(feed_id: str, now: int) -> int:
    """Return the due time of a feed that must be checked soon: in two minutes, plus jitter."""
    slot = now + _SOON_S
    return slot + jitter_s(feed_id, slot, _SOON_S)
