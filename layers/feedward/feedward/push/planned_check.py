"""Decides when a push causes a check: one a minute with a trailing edge, fewer without news (rules W18, W19).

Pure. A check that starts after a push covers it. A planned check covers all pushes before it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from feedward.push.push_record import PushRecord

LEAST_GAP_S: Final = 60
EMPTY_AT_MOST: Final = 3
"""This many pushes in a row without news double the gap."""
_DOUBLINGS_AT_MOST: Final = 10
_LONGEST_GAP_S: Final = 3600


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCheck:
    """A check to send: it starts after `delay_s`. `after` has the new times."""

    delay_s: int
    after: PushRecord


def gap_s(record: PushRecord) -> int:
    """Return the minimum time between two checks that pushes cause: up to the feed's own class."""
    doublings = min(record.empty_in_row // EMPTY_AT_MOST, _DOUBLINGS_AT_MOST)
    longest = record.every * 60 if record.every else _LONGEST_GAP_S
    return max(min(LEAST_GAP_S << doublings, longest), LEAST_GAP_S)


def planned_check(record: PushRecord, now: int) -> PlannedCheck | None:
    """Return the check that a push at `now` causes; None if a planned one covers it."""
    planned = record.push_check_at
    if planned is not None and planned > now:
        return None
    at = now if planned is None else max(now, planned + gap_s(record))
    return PlannedCheck(delay_s=at - now, after=replace(record, push_check_at=at, pushed_at=now))
