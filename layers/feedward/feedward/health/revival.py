"""When a feed is looked for again, and when looking would be wrong (rule H6). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from feedward.health.decision import Check, RevivalReason
from feedward.health.recent import Recent
from feedward.health.record import FeedHealth
from feedward.model import FeedState, Outcome, RejectionReason


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

    SWAPPED = "relocated"
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
    `undelivered` holds the codes of errors that left an event or a record to be sent or written later.
    """

    outcome: RevivalOutcome
    feed_id: str
    url: str = ""
    before: str = ""
    requests: int = 0
    evidence: Mapping[str, Any] = field(default_factory=dict)
    undelivered: tuple[str, ...] = ()


AT_MOST_EVERY_S = 24 * 3600
NOT_FOUNDS = 2

# Refused is not gone: the feed is there, for others (rule D4). `blocked` is an address that may not be dialled.
_REFUSALS = frozenset({Outcome.FORBIDDEN, Outcome.CHALLENGE, Outcome.RATE_LIMITED, Outcome.BLOCKED})
_REFUSED_STATUSES = frozenset({403, 429, 503})
_OTHER_DOCUMENTS = frozenset({RejectionReason.HTML, RejectionReason.NOT_A_FEED})


def ask_revival(
    before: FeedHealth, after: FeedHealth, check: Check, now: int
) -> tuple[FeedHealth, RevivalReason | None]:
    """Return the health to store and why revival is asked for, or None, after a failure that was counted.

    `before` and `after` are the health around the failure. It is asked for at most once a day, and not while the whole
    host fails; a feed that became unhealthy then is still owed it.
    """
    reason = revival_reason(before, after, check)
    if reason is None:
        return after, None
    if check.host_fails or _asked_lately(after, now):
        return replace(after, revival_pending=reason is RevivalReason.UNHEALTHY or after.revival_pending), None
    return replace(after, last_revival_at=now, revival_pending=False), reason


def revival_reason(before: FeedHealth, after: FeedHealth, check: Check) -> RevivalReason | None:
    """Return why a counted failure calls for revival, or None; whether it may be asked for now is another question."""
    if check.outcome in _REFUSALS or check.status in _REFUSED_STATUSES:
        return None
    if check.outcome is Outcome.GONE:
        return RevivalReason.GONE
    if check.outcome is Outcome.NOT_FOUND and after.not_founds >= NOT_FOUNDS:
        return RevivalReason.NOT_FOUND
    if _is_other_document(check):
        return RevivalReason.NOT_FEED
    entered = after.state is FeedState.UNHEALTHY and before.state is not FeedState.UNHEALTHY
    return RevivalReason.UNHEALTHY if entered or after.revival_pending else None


def _is_other_document(check: Check) -> bool:
    """Something else is where the feed was; but a page that one is sent to for now is a consent page or the like."""
    return check.outcome is Outcome.NOT_FEED and check.reason in _OTHER_DOCUMENTS and not check.sent_elsewhere


def _asked_lately(health: FeedHealth, now: int) -> bool:
    return health.last_revival_at is not None and now - health.last_revival_at < AT_MOST_EVERY_S


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunRevival:
    """The last request to look for a feed that was begun. Times are epoch seconds."""

    event_id: str
    asked_at: int
    ended: bool


def may_begin(event_id: str, reason: RevivalReason, *, asked_at: int, last: BegunRevival) -> bool:
    """Tell whether a request is done after the last one: not twice, and not within a day, unless a person asks."""
    if last.event_id == event_id:
        return not last.ended  # the worker that began it died
    return reason is RevivalReason.REQUESTED or asked_at - last.asked_at >= AT_MOST_EVERY_S
