"""Reads the stats: of the shared directory, and of the caller's own data (rules G9, TN9)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from feedward.access.caller import Caller, Scope
from feedward.deadline import Deadline
from feedward.errors import SearchUnavailable
from feedward.frontier.decide import REASONS
from feedward.ports import Clock, Subscriptions
from feedward.ports.search import DirectoryIndex
from feedward.ports.stats import CheckCounts, DeadLetters, QueueDepths, RowCounts
from feedward.search.state_counts import StateCounts
from feedward.stats.counts import Bounded, Checked, QueueDepth, StatsPart, hours_until
from feedward.stats.dead_letters import DeadLetter, QueueName

ANSWER_S: Final = 10.0
SUBSCRIPTIONS_COUNTED: Final = 1000


class StatsPorts(Protocol):
    """Ports of the stats. bootstrap.Services implements them; tests bring their own."""

    @property
    def search_index(self) -> DirectoryIndex: ...
    @property
    def check_counts(self) -> CheckCounts: ...
    @property
    def row_counts(self) -> RowCounts: ...
    @property
    def queue_depths(self) -> QueueDepths: ...
    @property
    def subscriptions(self) -> Subscriptions: ...
    @property
    def clock(self) -> Clock: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """The requested parts; the others are None.

    `directory` comes from the search index and is None without one. `queues` is None for a caller without the scope
    `operator`: they hold the work of all tenants.
    """

    directory: StateCounts | None = None
    checks: Sequence[tuple[int, Mapping[Checked, int]]] | None = None
    subscriptions: Bounded | None = None
    frontier: Mapping[str, Bounded] | None = None
    queues: Sequence[QueueDepth] | None = None


def read_stats(caller: Caller, parts: Collection[StatsPart], *, ports: StatsPorts) -> Stats:
    """Return these parts of the stats. Raises the errors of the stores and the queues.

    The index comes last: a new environment loads it first, which has its own time and must not cost the other parts.
    """
    now, deadline = ports.clock.now(), Deadline.after(ANSWER_S, ports.clock.monotonic)
    return Stats(
        checks=_checks(ports, now, deadline) if StatsPart.CHECKS in parts else None,
        subscriptions=_subscriptions(caller, ports, deadline) if StatsPart.SUBSCRIPTIONS in parts else None,
        frontier=(
            ports.row_counts.within(deadline).by_reason(sorted(REASONS), now=now)
            if StatsPart.FRONTIER in parts
            else None
        ),
        queues=(
            ports.queue_depths.within(deadline).read()
            if StatsPart.QUEUES in parts and caller.scope.includes(Scope.OPERATOR)
            else None
        ),
        directory=_directory(ports) if StatsPart.DIRECTORY in parts else None,
    )


def _directory(ports: StatsPorts) -> StateCounts | None:
    try:
        return ports.search_index.counts_by_state()
    except SearchUnavailable:
        return None


def _checks(ports: StatsPorts, now: int, deadline: Deadline) -> list[tuple[int, Mapping[Checked, int]]]:
    hours = hours_until(now)
    found = ports.check_counts.within(deadline).by_hour(hours)
    return [(hour, found.get(hour, {})) for hour in hours]


def _subscriptions(caller: Caller, ports: StatsPorts, deadline: Deadline) -> Bounded:
    count = ports.subscriptions.within(deadline).count(caller.tenant_id, at_most=SUBSCRIPTIONS_COUNTED + 1)
    return Bounded(min(count, SUBSCRIPTIONS_COUNTED), count > SUBSCRIPTIONS_COUNTED)


AT_MOST: Final = 50


class DeadLetterPorts(Protocol):
    """The queues, and the time."""

    @property
    def dead_letters(self) -> DeadLetters: ...
    @property
    def clock(self) -> Clock: ...


def read_dead_letters(caller: Caller, queue: QueueName, *, ports: DeadLetterPorts) -> Sequence[DeadLetter]:
    """Return some of a queue's dead letters, oldest first: at most 50. They stay in the queue.

    Raises ScopeMissing, and the errors of the queues.
    """
    caller.require(Scope.OPERATOR)
    deadline = Deadline.after(ANSWER_S, ports.clock.monotonic)
    found = ports.dead_letters.within(deadline).letters(queue.value, at_most=AT_MOST)
    return sorted(found, key=lambda letter: (letter.sent_at, letter.message_id))
