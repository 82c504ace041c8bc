"""When a feed is looked for again, and when looking would be wrong (spec H6). Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from feedward.health.decision import Check, RevivalReason
from feedward.health.record import FeedHealth
from feedward.model import FeedState, Outcome, RejectionReason

AT_MOST_EVERY_S = 24 * 3600
NOT_FOUNDS = 2

# Refused is not gone: the feed is there, for others (spec D4). `blocked` is an address that may not be dialled.
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
        return replace(after, revival_owed=reason is RevivalReason.UNHEALTHY or after.revival_owed), None
    return replace(after, last_revival_at=now, revival_owed=False), reason


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
    return RevivalReason.UNHEALTHY if entered or after.revival_owed else None


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
