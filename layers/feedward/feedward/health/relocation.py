"""A feed gets another URL: what is asked for, what came of it, and the row that history keeps (rules F2, H6). Pure.

A check asks for it (a permanent redirect, https, itunes:new-feed-url), revival does, and a person who takes one back.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from feedward.health.moves import MoveReason
from feedward.model import FeedState


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedMove:
    """Let the feed, as it was seen, have the URL `to`, at which its document was just fetched and found to be its own.

    `url` and `seen_rev` are the feed's as it was read: it moves only if both still hold. `aliases` are other URLs that
    were proven to be the same feed. `by` is who asks: `check`, `revival` or a person. `why` is for people; `evidence`
    is small plain data that shows on what grounds. `now` is in epoch seconds. `overrules`: it is what a person asks
    for, so that neither pause nor an earlier undoing of the same move is in its way.
    """

    feed_id: str
    url: str
    to: str
    seen_rev: int
    reason: MoveReason
    by: str
    now: int
    why: str = ""
    aliases: tuple[str, ...] = ()
    evidence: Mapping[str, Any] = field(default_factory=dict)
    overrules: bool = False


class MoveOutcome(StrEnum):
    """What came of a move."""

    MOVED = "moved"
    MERGED = "merged"
    """The URL was another feed's: the two are one now, under the id that the result names."""
    UNCHANGED = "unchanged"
    """The feed is at this URL already; nothing was written."""
    CHANGED = "changed"
    """The feed is not as it was seen any more (checked, moved, merged, paused): read it and decide again."""
    PAUSED = "paused"
    UNDONE = "undone"
    """A person took this very move back: only a person makes it again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveResult:
    """`feed_id` and `url` are the feed's, after it: for `merged`, of the one that remains.

    `merged` is the id of the one that went then.
    """

    outcome: MoveOutcome
    feed_id: str
    url: str
    merged: str | None = None

    @property
    def is_applied(self) -> bool:
        """True if something was written."""
        return self.outcome in (MoveOutcome.MOVED, MoveOutcome.MERGED)


def refusal_of(asked: FeedMove, *, url: str, rev: int, state: FeedState) -> MoveOutcome | None:
    """Return why a feed that is now so does not move; None: it may. A person's wish overrules a pause."""
    if url == asked.to:
        return MoveOutcome.UNCHANGED
    if url != asked.url or rev != asked.seen_rev:
        return MoveOutcome.CHANGED
    return MoveOutcome.PAUSED if state is FeedState.PAUSED and not asked.overrules else None


def is_taken_back(asked: FeedMove, undone_url: str | None, *, is_other_key: bool) -> bool:
    """Tell whether a person took the move to this URL back, after which only a person makes it again.

    `undone_url` is what the row of the URL's key says was taken back. Two spellings of the feed's own key are told
    apart (http and https); of another key (`is_other_key`), no spelling is gone to.
    """
    if undone_url is None or asked.overrules:
        return False
    return undone_url == asked.to or is_other_key


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One row of a feed's history. `entry_id` names it; `at` is in epoch seconds, `by` is who did it.

    `action` is `registered`, `merged`, `moved`, `undone`, `revival` (looked for on request, and nothing was done) or
    what other parts write. `details` is all else: from, to, reason, why, evidence, undone_at.
    """

    entry_id: str
    feed_id: str
    action: str
    at: int
    by: str
    details: Mapping[str, Any] = field(default_factory=dict)
