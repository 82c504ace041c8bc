"""The next check of a feed, by its state (rules H3, I4). Pure.

A healthy feed is due in its slot. Due by exception are feeds that fail, that were resumed or relocated, or whose host
asked to wait. Their interval, within the state's cap, is raised to the server's Retry-After; jitter is added last.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from feedward.health.check_class import wanted_class
from feedward.health.decision import Check
from feedward.health.feed_health import FeedHealth
from feedward.health.phase import MinuteLoads, wanted_slot
from feedward.model import LONGEST_RETRY_AFTER_S, FeedState, Outcome
from feedward.scheduling.backoff import (
    degraded_interval_s,
    unhealthy_interval_s,
)
from feedward.scheduling.cooldown import rate_limit_s
from feedward.scheduling.jitter import jitter_s
from feedward.scheduling.lateness import LEAST_AHEAD_S
from feedward.scheduling.slots import CLASSES, LONG_CLASS, Place, place_after

# After our own outage feeds are checked soon, but not all at the same time.
AFTER_OUTAGE_S = 5 * 60
AFTER_OUTAGE_SPREAD_S = 10 * 60
# A message that was dropped as late was one of many: all their feeds are due within the hour.
AFTER_LATE_SPREAD_S = 60 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """The inputs of a place in addition to the health.

    - current: the place at which the feed was due; None for a new feed
    - times: when its last items could first be seen, newest first (see phase.py); None without a document
    - loads: the number of feeds due at each minute of the day; None spreads feeds by their ids alone
    - is_pushed: a push caused the check, which then moves no slot (rule W20)
    - slot_time: the earliest time that counts for a slot: that of the check's minute (DueFeed.slot_time)
    """

    current: Place | None = None
    times: Sequence[int] | None = None
    loads: MinuteLoads | None = None
    is_pushed: bool = False
    slot_time: int = 0


def place_by_state(health: FeedHealth, now: int) -> Place | None:
    """Return the place of a feed by its state alone: by exception, or None for a paused feed."""
    if health.state is FeedState.PAUSED:
        return None
    return _exception(health, now, interval_s(health, now))


def slot_place(health: FeedHealth, now: int, schedule: Schedule) -> Place:
    """Return the place of a healthy feed that was checked at `now`: its slot, unless that is too near."""
    place, now = schedule.current, max(now, schedule.slot_time)
    if place is None or place.slot is None:
        current, every = None, wanted_class(health, now, current=None)
    else:
        current, every = place.slot, wanted_class(health, now, current=place.slot.every, since=place.since)
        if schedule.is_pushed and current.every == every:
            return place
    slot = wanted_slot(health.feed_id, every, now, times=schedule.times, current=current, loads=schedule.loads)
    return place_after(slot, now, current=place)


def place_after_check(health: FeedHealth, check: Check, now: int, schedule: Schedule) -> Place:
    """Return the place of a feed that is not paused after `check`, not before the server's Retry-After.

    If a healthy feed is refused with 429 and a Retry-After, even of 0, it waits for that, or for the shortest class if
    that is longer.
    """
    is_healthy, asked_s = health.state is FeedState.HEALTHY, _asked_s(check)
    is_told = check.outcome is Outcome.RATE_LIMITED and check.retry_after_s is not None
    if is_healthy and not (asked_s or is_told):
        return slot_place(health, now, schedule)
    own_s = max(CLASSES[0] * 60, health.hint_s or 0) if is_told and is_healthy else interval_s(health, now)
    return _exception(health, now, max(own_s, asked_s))


def place_after_outage(health: FeedHealth, now: int) -> Place:
    """Return the place of a feed whose check failed in our own outage: in 5 to 15 minutes, with jitter (rule H5)."""
    return Place(from_s=now + AFTER_OUTAGE_S + jitter_s(health.feed_id, now, AFTER_OUTAGE_SPREAD_S * 10))


def place_after_pause(health: FeedHealth, place: Place, until: int, now: int) -> Place:
    """Return the place of a feed that was skipped because its host is in cooldown until `until`.

    The feed was not checked, so its health does not change. A frequent slot stays, if the cooldown ends before its next
    minute; any other feed is due by exception at the end of the cooldown, plus jitter.
    """
    slot = place.slot
    if slot is not None and slot.every < LONG_CLASS and until <= slot.next_at(now + 1):
        return place
    return _exception(health, now, min(until - now, LONGEST_RETRY_AFTER_S))


def place_after_late(health: FeedHealth, place: Place, now: int) -> Place:
    """Return the place of a feed whose message was dropped as late: in a frequent slot it waits for the next minute.

    A feed that is due by exception keeps its place: the repair pass finds it.
    """
    if place.slot is None or place.slot.every < LONG_CLASS:
        return place
    soon = now + LEAST_AHEAD_S
    return Place(from_s=soon + jitter_s(health.feed_id, soon, AFTER_LATE_SPREAD_S * 10))


def interval_s(health: FeedHealth, now: int) -> int:
    """Return the interval of the feed's state in seconds, within the state's cap, before Retry-After and jitter."""
    if health.state is FeedState.DEGRADED:
        return degraded_interval_s(health.consecutive_failures)
    if health.state is FeedState.UNHEALTHY:
        return unhealthy_interval_s(0 if health.unhealthy_since is None else now - health.unhealthy_since)
    return wanted_class(health, now, current=None) * 60


def _asked_s(check: Check) -> int:
    return rate_limit_s(check.outcome, check.status, check.retry_after_s)


def _exception(health: FeedHealth, now: int, wait_s: int) -> Place:
    due_at = now + max(wait_s, LEAST_AHEAD_S)
    return Place(from_s=due_at + jitter_s(health.feed_id, due_at, due_at - now))
