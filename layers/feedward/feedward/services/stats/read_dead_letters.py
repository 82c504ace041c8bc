"""Lists dead letters (GET /v1/dead-letters). They hold the work of all tenants, so this requires an operator."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from feedward.access.caller import Caller, Scope
from feedward.deadline import Deadline
from feedward.ports import Clock
from feedward.ports.stats import DeadLetters
from feedward.stats.dead_letters import DeadLetter, QueueName

ANSWER_S: Final = 10.0
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
