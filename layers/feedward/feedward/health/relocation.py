"""The relocation of a feed to another URL: the request, its outcome, and its audit log entry (rules F2, H6). Pure.

Relocations come from checks (a permanent redirect, https, itunes:new-feed-url), from revival, and from a person who
undoes one.
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
    """A request to relocate a feed to the URL `to`, where its own document was just fetched.

    `url` and `seen_rev` are the feed's when it was read; the relocation applies only if both are unchanged. `aliases`
    are other URLs that are proven to be the same feed. `by` is the source: `check`, `revival` or a person. `why` is a
    text for people, `evidence` small plain data for the audit log. `now` is in epoch seconds. `overrules` is set for a
    person's request: neither a pause nor an earlier undo of the same relocation prevents it.
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
    """The outcome of a relocation."""

    MOVED = "moved"
    MERGED = "merged"
    """The URL belonged to another feed. The two were merged; the result names the surviving feed."""
    UNCHANGED = "unchanged"
    """The feed already has this URL; nothing was written."""
    CHANGED = "changed"
    """The feed changed after it was read (checked, moved, merged, paused): the caller reads it and decides again."""
    PAUSED = "paused"
    UNDONE = "undone"
    """A person undid this relocation earlier, so only a person can repeat it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveResult:
    """The result of a relocation: `feed_id` and `url` are those of the feed afterwards, or of the surviving feed.

    `merged` is the id of the feed that became a tombstone, if two were merged.
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
    """Return why the feed with this `url`, `rev` and `state` may not be relocated, or None if it may.

    A person's request overrules a pause.
    """
    if url == asked.to:
        return MoveOutcome.UNCHANGED
    if url != asked.url or rev != asked.seen_rev:
        return MoveOutcome.CHANGED
    return MoveOutcome.PAUSED if state is FeedState.PAUSED and not asked.overrules else None


def is_taken_back(asked: FeedMove, undone_url: str | None, *, is_other_key: bool) -> bool:
    """Return whether a person undid the relocation to this URL: then only a person can repeat it.

    `undone_url` is the undone URL from the row of the target's key. If the key is the feed's own, only the same
    spelling is refused (http and https differ). If it is another key (`is_other_key`), every spelling is refused.
    """
    if undone_url is None or asked.overrules:
        return False
    return undone_url == asked.to or is_other_key


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One row of a feed's audit log. `entry_id` identifies it, `at` is in epoch seconds, `by` is the source.

    `action` is `registered`, `merged`, `moved`, `undone`, `revival` (searched on request, without a change) or another
    word. `details` holds the rest: from, to, reason, why, evidence, undone_at.
    """

    entry_id: str
    feed_id: str
    action: str
    at: int
    by: str
    details: Mapping[str, Any] = field(default_factory=dict)
