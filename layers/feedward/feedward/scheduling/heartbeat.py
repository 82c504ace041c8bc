"""The heartbeats of healthy feeds: the checks that are stored though nothing changed (rules S9, H7). Pure."""

from __future__ import annotations

from typing import Final

from feedward.scheduling.jitter import stable_hash
from feedward.scheduling.slots import DAY_MIN, Slot

HEARTBEATS_A_PLAIN_GET: Final = 7


def is_daily_check(feed_id: str, every: int, minute: int) -> bool:
    """Return whether a minute is one of the last `every` ones before the moment of the day that the feed's id selects.

    This selects one check of a slot a day, whatever its class; after a change of class, none for a while.
    """
    return (stable_hash(feed_id) - 1 - minute) % DAY_MIN < every


def is_heartbeat(feed_id: str, slot: Slot, at_s: int) -> bool:
    """Return whether the slot's check nearest before `at_s` is the feed's heartbeat.

    Its id selects one check a day; for a feed that is checked daily, the check of every second day.
    """
    minute = slot.last_at(at_s) // 60
    if slot.every == DAY_MIN:
        return (minute // DAY_MIN + stable_hash(feed_id)) % 2 == 0
    return is_daily_check(feed_id, slot.every, minute)


def is_plain_day(feed_id: str, slot: Slot, at_s: int) -> bool:
    """Return whether the slot's check nearest before `at_s` is a GET without validators (rules H7, S9).

    There is one a week: the heartbeat of a day that depends on the feed's id and the date.
    """
    day = slot.last_at(at_s) // 60 // DAY_MIN
    is_its_day = (day + stable_hash(feed_id)) % HEARTBEATS_A_PLAIN_GET == 0
    return is_its_day and (slot.every == DAY_MIN or is_heartbeat(feed_id, slot, at_s))
