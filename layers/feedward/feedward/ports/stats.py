"""Ports of the stats: counters of checks, counts of failed pages, depths of queues."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from feedward.deadline import Bounded as InTime

if TYPE_CHECKING:  # used in annotations only: a port does not load the types that it names
    from collections.abc import Mapping, Sequence

    from feedward.stats.counts import Bounded, Checked, QueueDepth
    from feedward.stats.dead_letters import DeadLetter


class CheckCounts(InTime, Protocol):
    """Checks of shared feeds by hour. All methods raise Throttled or StoreUnavailable."""

    def add(self, counts: Mapping[Checked, int], *, now: int) -> None:
        """Add the checks of one call to the hour of `now`, with one write."""
        ...

    def by_hour(self, hours: Sequence[int]) -> Mapping[int, Mapping[Checked, int]]:
        """Return the counts of these hours (epoch seconds of their start). Hours without checks are left out."""
        ...


class RowCounts(InTime, Protocol):
    """Shared rows of the frontier that failed, by reason. Raises Throttled or StoreUnavailable."""

    def by_reason(self, reasons: Sequence[str], *, now: int) -> Mapping[str, Bounded]:
        """Return the counts of the reasons that have rows. Counts older than 5 minutes are renewed."""
        ...


class DeadLetters(InTime, Protocol):
    """Messages in dead-letter queues. Raises Throttled or QueueUnavailable."""

    def letters(self, name: str, *, at_most: int) -> Sequence[DeadLetter]:
        """Return some dead letters of a queue, in no order; none if it is not deployed. They stay in their queue."""
        ...


class QueueDepths(InTime, Protocol):
    """The queues of the deployment. Raises Throttled or QueueUnavailable."""

    def read(self) -> Sequence[QueueDepth]:
        """Return the approximate depth of each queue."""
        ...
