"""Ports of all workers: work queues, the rate limiter of hosts (rule I9), and tasks that may have killed a worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from feedward.deadline import Bounded
from feedward.errors import QueueUnavailable

if TYPE_CHECKING:  # used in annotations only: a port does not load the types that it names
    from collections.abc import Iterable, Sequence

    from feedward.health.due_feed import Stops


class Sendable(Protocol):
    """A message of any kind of work."""

    @property
    def delay_s(self) -> int:
        """Return the seconds until a worker can receive it."""
        ...

    def to_text(self) -> str:
        """Return the message as JSON, in ASCII."""
        ...


Message = TypeVar("Message", bound=Sendable)


class WorkQueue(Bounded, Protocol):
    """A queue of messages with delays."""

    def send_batch(self, messages: Sequence[Message]) -> Sequence[Message]:
        """Send the messages, each with its delay. Returns those that the queue accepted, in order.

        Raises Throttled or QueueUnavailable if the queue accepted none and did not respond.
        """
        ...


def send_all(queue: WorkQueue, messages: Sequence[Message]) -> None:
    """Send the messages. Raises QueueUnavailable too if the queue did not accept all of them."""
    if messages and len(queue.send_batch(messages)) < len(messages):
        raise QueueUnavailable("the queue did not accept all messages")


class HostLimiter(Bounded, Protocol):
    """The rate limiter of hosts, shared by all workers. All raise Throttled or StoreUnavailable; `take_slot` also
    raises Conflict.

    Times are epoch seconds, or milliseconds if the name ends in `_ms`.
    """

    def stops(self, hosts: Iterable[str], *, now: int) -> Stops:
        """Return the cooldowns of the hosts, and the feeds that were paused while their messages were in flight."""
        ...

    def cooldown_until(self, host: str, *, now: int) -> int:
        """Return the end of the host's cooldown; 0 without one."""
        ...

    def cool_down(self, host: str, *, until: int, now: int) -> None:
        """Start or extend the host's cooldown. A stored later end stays: cooldowns do not add up."""
        ...

    def take_slot(self, host: str, *, now_ms: int, pause_ms: int, wait_ms: int) -> int:
        """Reserve the host's next rate limiter slot. Returns the milliseconds until the slot; 0 is now.

        A slot more than `wait_ms` away is not reserved; the result then says when to try again.
        """
        ...

    def hold(self, host: str, *, holder: str, until: int, now: int) -> int:
        """Take the lease on the host's messages and return 0, or return the end of another holder's lease."""
        ...

    def release(self, host: str, *, holder: str) -> None:
        """End the lease on the host's messages, if `holder` has it."""
        ...


class BegunTasks(Bounded, Protocol):
    """Tasks that may have killed a worker. All raise Throttled or StoreUnavailable."""

    def begin(self, entry_id: str, *, now: int) -> int:
        """Count an attempt at a task. Returns the attempts without an end, this one included."""
        ...

    def end(self, entry_id: str) -> None:
        """Reset the count of attempts."""
        ...
