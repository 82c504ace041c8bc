"""Revival, the search for a lost feed: when it is requested, and its results (rule H6). Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from feedward.health.decision import Check, RevivalReason
from feedward.health.feed_health import FeedHealth
from feedward.health.recent_items import Recent
from feedward.model import REFUSING_STATUSES, FeedState, Outcome, RejectionReason


@dataclass(frozen=True, slots=True, kw_only=True)
class LostFeed:
    """A stored feed that revival searches for. `owner` is the tenant of a private feed, None for a shared one.

    `site_url` is the site that its document named, `site_id` the site whose discovery chose it, `site_link` the link
    from an import. `merged_into` is set if the feed is a tombstone.
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
    """The outcome of a revival."""

    RELOCATED = "relocated"
    MERGED = "merged"
    """The URL that was found belongs to another feed. The two were merged."""
    NOTHING_FOUND = "nothing_found"
    UNREACHABLE = "unreachable"
    """Neither the site nor the old URL answered."""
    STILL_THERE = "still_there"
    """The old URL serves a feed; the next check will succeed."""
    HEALTHY = "healthy"
    """The feed is healthy, or became healthy meanwhile. A healthy feed is not searched for."""
    PAUSED = "paused"
    UNKNOWN = "unknown"
    """The feed does not exist any more, or was merged into another one."""
    FOREIGN = "foreign"
    """The request names another tenant than the feed's, or a deleted one (rule TN5)."""
    ASKED_BEFORE = "asked_before"
    """The same request was processed already, or another one within a day."""
    CHANGED = "changed"
    """The feed kept changing during the search."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revival:
    """The result of one revival. `url` is the feed's URL afterwards, `feed_id` its owner (another feed if merged).

    `evidence` goes to the audit log: the source of the request, its reason, the candidates, the number of requests.
    `undelivered` holds the codes of errors that left an event or a record to be delivered later.
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

# A refusal does not mean that the feed is lost: other clients can read it (rule D4). `blocked` is a forbidden address.
_REFUSALS = frozenset({Outcome.FORBIDDEN, Outcome.CHALLENGE, Outcome.RATE_LIMITED, Outcome.BLOCKED})
_REFUSED_STATUSES = REFUSING_STATUSES | {429, 503}
_OTHER_DOCUMENTS = frozenset({RejectionReason.HTML, RejectionReason.NOT_A_FEED})


def ask_revival(
    before: FeedHealth, after: FeedHealth, check: Check, now: int
) -> tuple[FeedHealth, RevivalReason | None]:
    """Return the health to store after a counted failure, and the reason to ask for revival, or None.

    `before` and `after` are the health before and after the failure. Revival is requested at most once a day, and not
    while the whole host fails. A feed that becomes unhealthy at such a time has its revival pending.
    """
    reason = revival_reason(before, after, check)
    if reason is None:
        return after, None
    if check.host_fails or _asked_lately(after, now):
        return replace(after, revival_due=reason is RevivalReason.UNHEALTHY or after.revival_due), None
    return replace(after, last_revival_at=now, revival_due=False), reason


def revival_reason(before: FeedHealth, after: FeedHealth, check: Check) -> RevivalReason | None:
    """Return why a counted failure calls for revival, or None. `ask_revival` decides whether it may start now."""
    if check.outcome in _REFUSALS or check.status in _REFUSED_STATUSES:
        return None
    if check.outcome is Outcome.GONE:
        return RevivalReason.GONE
    if check.outcome is Outcome.NOT_FOUND and after.not_founds >= NOT_FOUNDS:
        return RevivalReason.NOT_FOUND
    if _is_other_document(check):
        return RevivalReason.NOT_FEED
    entered = after.state is FeedState.UNHEALTHY and before.state is not FeedState.UNHEALTHY
    return RevivalReason.UNHEALTHY if entered or after.revival_due else None


def host_fails(others: Iterable[tuple[FeedState, int]]) -> bool:
    """Return whether every other feed of the host fails too, given the state and consecutive failures of each.

    Paused feeds are not checked and do not count. Without another feed the answer is no.
    """
    failing = [failures > 0 for state, failures in others if state is not FeedState.PAUSED]
    return bool(failing) and all(failing)


def _is_other_document(check: Check) -> bool:
    """Return whether the URL serves another kind of document. After a temporary redirect it may be a consent page."""
    return check.outcome is Outcome.NOT_FEED and check.reason in _OTHER_DOCUMENTS and not check.sent_elsewhere


def _asked_lately(health: FeedHealth, now: int) -> bool:
    return health.last_revival_at is not None and now - health.last_revival_at < AT_MOST_EVERY_S


@dataclass(frozen=True, slots=True, kw_only=True)
class BegunRevival:
    """The last revival that was started for a feed. Times are epoch seconds."""

    event_id: str
    asked_at: int
    ended: bool


def may_begin(event_id: str, reason: RevivalReason, *, asked_at: int, last: BegunRevival) -> bool:
    """Return whether a request may start: not twice, and not within a day of the last one, unless a person asks."""
    if last.event_id == event_id:
        return not last.ended  # the worker that started it died
    return reason is RevivalReason.REQUESTED or asked_at - last.asked_at >= AT_MOST_EVERY_S
