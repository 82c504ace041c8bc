"""A feed that is looked for again: what is known of it, and what the looking came to (spec H6). Pure data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from feedward.health.recent import Recent
from feedward.health.record import FeedHealth


@dataclass(frozen=True, slots=True, kw_only=True)
class LostFeed:
    """A feed as it is stored. `owner` is the tenant of a private one, None for a shared one.

    `site_url` is what its document named as its site, `site_id` the site whose discovery chose it, `site_link` the one
    that an import brought with it. `merged_into`: it is part of another feed.
    """

    feed_id: str
    url: str
    rev: int
    health: FeedHealth
    owner: str | None = None
    title: str | None = None
    site_url: str | None = None
    site_id: str | None = None
    site_link: str | None = None
    recent: Recent = field(default_factory=Recent)
    merged_into: str | None = None


class RevivalOutcome(StrEnum):
    """What the looking came to."""

    SWAPPED = "swapped"
    MERGED = "merged"
    """What was found is another feed of the directory: the two are one now."""
    NOTHING_FOUND = "nothing_found"
    UNREACHABLE = "unreachable"
    """Nothing could be looked at: neither the site nor the old URL answered."""
    STILL_THERE = "still_there"
    """The old URL serves a feed: the next check will find it well."""
    HEALTHY = "healthy"
    """The feed is well, or was found well meanwhile: a healthy feed is not searched again."""
    PAUSED = "paused"
    UNKNOWN = "unknown"
    """There is no such feed any more, or it is part of another one."""
    ASKED_BEFORE = "asked_before"
    """The same request was done already, or another one within a day."""
    CHANGED = "changed"
    """The feed kept changing while it was looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revival:
    """What one revival did. `url` is where the feed is then, `feed_id` the one that has it (another one if merged).

    `evidence` is what the audit row keeps: who asked and why, the candidates that came into question, the requests.
    `left_owed` holds the codes of errors that left an event or a record to be sent or written later.
    """

    outcome: RevivalOutcome
    feed_id: str
    url: str = ""
    before: str = ""
    requests: int = 0
    evidence: Mapping[str, Any] = field(default_factory=dict)
    left_owed: tuple[str, ...] = ()
