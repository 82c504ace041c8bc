"""The state machine of a feed's health: turns (health, check, now) into a decision (rules H2 to H6). Pure.

`outcomes` defines the meaning of an outcome, `next_check` the due time. This module decides the new state.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from feedward.health.cadence import Freshness, freshness
from feedward.health.decision import Check, Decision, Reading, RevivalReason, state_change
from feedward.health.feed_health import FeedHealth
from feedward.health.next_check import (
    Schedule,
    place_after_check,
    place_after_outage,
    place_by_state,
    slot_place,
)
from feedward.health.outage import NO_FAILURES, minute_of, remembered, without_failures, without_ours
from feedward.health.outcomes import OUTCOMES
from feedward.health.revival import AT_MOST_EVERY_S, NOT_FOUNDS, ask_revival
from feedward.model import FeedState, Outcome
from feedward.scheduling.backoff import DAY_S
from feedward.scheduling.slots import Place


def pause(health: FeedHealth) -> Decision:
    """Pause the feed: it is not checked until a person resumes it. The record of its failures is kept."""
    return _become(health, replace(health, state=FeedState.PAUSED), None, "paused", 0)


def resume(health: FeedHealth, now: int) -> Decision:
    """Resume a paused feed in its previous state. A feed that is not paused keeps its state."""
    after = replace(health, state=_state_by_failures(health)) if health.state is FeedState.PAUSED else health
    return _become(health, after, place_by_state(after, now), "resumed", now)


def relocated(health: FeedHealth, now: int) -> Decision:
    """Decide after a relocation to a URL that was just fetched and is valid: a success. A paused feed stays paused."""
    after = without_failures(health)
    if health.state is FeedState.PAUSED:
        return _become(health, replace(after, state=FeedState.PAUSED), None, "relocated", now)
    return _become(health, after, slot_place(after, now, Schedule()), "relocated", now)


def _state_by_failures(health: FeedHealth) -> FeedState:
    if health.unhealthy_since is not None:
        return FeedState.UNHEALTHY
    return FeedState.DEGRADED if health.consecutive_failures else FeedState.HEALTHY


def _become(before: FeedHealth, after: FeedHealth, place: Place | None, reason: str, now: int) -> Decision:
    return Decision(
        health=before if after == before else after,
        place=place,
        next_check_at=place.next_at(now + 1) if place else None,
        state_change=state_change(before.state, after.state, reason),
    )


NEW = Schedule()
UNHEALTHY_FAILURES = 8
UNHEALTHY_AFTER_S = 3 * DAY_S
GONE_CONFIRMED_AFTER_S = DAY_S


def decide(health: FeedHealth, check: Check, now: int, schedule: Schedule = NEW) -> Decision:
    """Decide the feed's health and place after `check`, which ended at `now` (epoch seconds).

    A healthy feed whose slot stays keeps the place of `schedule` (rule H3). A check in flight does not change a paused
    feed. Any other feed becomes healthy, degraded or unhealthy, and is due again within its state's cap (rule I4). The
    same arguments give the same decision.
    """
    if health.state is FeedState.PAUSED:
        return Decision(health=health, place=None, next_check_at=None)
    before = without_ours(health, check.outage_minutes)
    if _is_ours(check, now):
        after, revival = replace(before, **_attempt(check, now), **_items(before, None, now)), None
        place = place_after_outage(after, now)
    else:
        after, revival = _consequence(before, check, now)
        place = place_after_check(after, check, now, schedule)
    return Decision(
        health=after,
        place=place,
        next_check_at=place.next_at(now + 1),
        revival=revival,
        state_change=state_change(health.state, after.state, check.outcome.value),
        became_stale=after.stale and not health.stale,
    )


def _is_ours(check: Check, now: int) -> bool:
    """Return True for a network failure in a minute that is marked as our own outage (rule H5)."""
    return minute_of(now) in check.outage_minutes and OUTCOMES[check.outcome].network


def _consequence(before: FeedHealth, check: Check, now: int) -> tuple[FeedHealth, RevivalReason | None]:
    """Return the health after the check. Changes are collected first: most checks create only one new record."""
    row, attempt = OUTCOMES[check.outcome], _attempt(check, now)
    if row.is_success:
        return replace(before, **attempt, **_success(before, check, now)), None
    attempt |= _items(before, None, now)
    if not row.counts_as_failure:
        return replace(before, **attempt), None
    return ask_revival(before, _failed(replace(before, **attempt), check, now), check, now)


def _attempt(check: Check, now: int) -> dict[str, Any]:
    return {
        "last_attempt_at": now,
        "last_outcome": check.outcome,
        "last_http_status": check.status,
        "as_browser_at": check.as_browser_at,
    }


def _success(before: FeedHealth, check: Check, now: int) -> dict[str, Any]:
    asked_at = before.last_revival_at
    return {
        **NO_FAILURES,
        "last_success_at": now,
        "last_revival_at": asked_at if asked_at is not None and now - asked_at < AT_MOST_EVERY_S else None,
        "last_news_at": now if check.new_items else before.last_news_at,
        **_items(before, _reading(before, check), now),
    }


def _reading(before: FeedHealth, check: Check) -> Reading | None:
    """Return the cadence of the document. Without news its hint only raises the known one: a cache's Age changes with
    each check, and the feed's class must not change with it.
    """
    reading = check.reading
    if reading is None or check.new_items:
        return reading
    return replace(reading, hint_s=max(reading.hint_s or 0, before.hint_s or 0) or None)


def _items(before: FeedHealth, reading: Reading | None, now: int) -> dict[str, Any]:
    """Return the cadence fields after a document. Without items the latest date stays. Staleness is recomputed."""
    if reading is None:
        return {"stale": _is_stale(before.latest_item_published_at, before.median_gap_s, now)}
    latest, known = reading.latest_item_published_at, before.latest_item_published_at
    newest = known if latest is None else latest if known is None else max(latest, known)
    return {
        "median_gap_s": reading.median_gap_s,
        "hint_s": reading.hint_s,
        "latest_item_published_at": newest,
        "stale": _is_stale(newest, reading.median_gap_s, now),
    }


def _failed(health: FeedHealth, check: Check, now: int) -> FeedHealth:
    """Count a failure, store what later decisions need, and decide whether the feed is degraded or unhealthy."""
    network = (minute_of(now),) if OUTCOMES[check.outcome].network else ()
    counted = replace(
        health,
        consecutive_failures=health.consecutive_failures + 1,
        first_failure_at=now if health.first_failure_at is None else health.first_failure_at,
        network_failures=remembered((*health.network_failures, *network), now),
        not_founds=min(health.not_founds + (check.outcome is Outcome.NOT_FOUND), NOT_FOUNDS),
        first_gone_at=now if check.outcome is Outcome.GONE and health.first_gone_at is None else health.first_gone_at,
    )
    if not _is_unhealthy(counted, check, now):
        return replace(counted, state=FeedState.DEGRADED)
    since = now if counted.unhealthy_since is None else counted.unhealthy_since
    return replace(counted, state=FeedState.UNHEALTHY, unhealthy_since=since)


def _is_unhealthy(health: FeedHealth, check: Check, now: int) -> bool:
    """Return True after 8 failures in a row over 3 days or more, or a second 410 at least a day after the first.

    An unhealthy feed stays unhealthy until a success.
    """
    if health.state is FeedState.UNHEALTHY:
        return True
    if check.outcome is Outcome.GONE and _lasted(health.first_gone_at, GONE_CONFIRMED_AFTER_S, now):
        return True
    return health.consecutive_failures >= UNHEALTHY_FAILURES and _lasted(
        health.first_failure_at, UNHEALTHY_AFTER_S, now
    )


def _lasted(since: int | None, at_least_s: int, now: int) -> bool:
    return since is not None and now - since >= at_least_s


def _is_stale(latest_item_at: int | None, median_gap_s: int | None, now: int) -> bool:
    return freshness(latest_item_at, median_gap_s, now) is Freshness.STALE
