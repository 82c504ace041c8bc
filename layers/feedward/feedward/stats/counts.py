"""Counts of checks by hour, of failed pages by reason, and of queued messages (rule G9). Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from feedward.model import Outcome

HOUR_S: Final = 3600
HOURS_SHOWN: Final = 24
ROWS_COUNTED: Final = 1000
"""Failed pages of one reason are counted up to this number, which is enough for an operator."""


class StatsPart(StrEnum):
    """A part of the stats, which can be requested alone."""

    DIRECTORY = "directory"
    CHECKS = "checks"
    SUBSCRIPTIONS = "subscriptions"
    FRONTIER = "frontier"
    QUEUES = "queues"


class Checked(StrEnum):
    """The result of a check, as counted for people."""

    OK = "ok"
    UNCHANGED = "unchanged"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Bounded:
    """A count that ends at a limit: `more` if there are more."""

    count: int
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueDepth:
    """Approximate numbers of a queue's messages: waiting, in work, and failed for good."""

    name: str
    waiting: int
    in_work: int
    dead_letters: int


def hour_of(now: int) -> int:
    """Return the start of the hour of `now`; both are epoch seconds."""
    return now - now % HOUR_S


def hours_until(now: int) -> tuple[int, ...]:
    """Return the starts of the last 24 hours, including the present one, the oldest first."""
    last = hour_of(now)
    return tuple(range(last - (HOURS_SHOWN - 1) * HOUR_S, last + 1, HOUR_S))


def checked(outcome: Outcome) -> Checked:
    """Return the count that an outcome belongs to."""
    match outcome:
        case Outcome.OK:
            return Checked.OK
        case Outcome.NOT_MODIFIED:
            return Checked.UNCHANGED
        case _:
            return Checked.FAILED


def counted(outcomes: Iterable[Outcome]) -> Mapping[Checked, int]:
    """Return the number of each result."""
    return Counter(map(checked, outcomes))
