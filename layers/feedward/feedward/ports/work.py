"""What the workers of all queues share: the limits of hosts (rule I9), and which tasks were begun and never ended."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from feedward.deadline import Bounded

if TYPE_CHECKING:  # annotations only: whoever needs a port does not load what it speaks of
    from collections.abc import Iterable, Sequence

    from feedward.health.host_events import Stops


class Sendable(Protocol):
    """A message of any kind of work."""

    @property
    def delay_s(self) -> int:
        """The seconds after which it can be read first."""
        ...

    def to_text(self) -> str:
        """The message as JSON, in ASCII."""
        ...


Message = TypeVar("Message", bound=Sendable)


class WorkQueue(Bounded, Protocol):
    """Where messages wait for a worker."""

    def send_batch(self, messages: Sequence[Message]) -> Sequence[Message]:
        """Send the messages, each with its delay; return those that the queue took, in their order.

        Raises Throttled or QueueUnavailable where it took none and did not answer.
        """
        ...


class HostLimiter(Bounded, Protocol):
    """Limits of hosts, over all workers. All raise Throttled or StoreUnavailable; `take_slot` raises Conflict, too.

    Times are epoch seconds, and milliseconds where the name says so.
    """

    def stops(self, hosts: Iterable[str], *, now: int) -> Stops:
        """Which of the hosts cool down, and which feeds were paused while their checks were under way."""
        ...

    def cooldown_until(self, host: str, *, now: int) -> int:
        """Until when one host cools down; 0 if it does not."""
        ...

    def cool_down(self, host: str, *, until: int, now: int) -> None:
        """Have no schedule ask the host before then. A later end that is stored stays: cooldowns do not add up."""
        ...

    def take_slot(self, host: str, *, now_ms: int, pause_ms: int, wait_ms: int) -> int:
        """Take the host's next slot, and return in how many milliseconds it is; 0: at once.

        A slot that is farther away than `wait_ms` is not taken: then what is returned is when to ask again.
        """
        ...

    def hold(self, host: str, *, holder: str, until: int, now: int) -> int:
        """Take the host's messages for `holder` until then, and return 0; else until when another has them."""
        ...

    def release(self, host: str, *, holder: str) -> None:
        """Give the host's messages back, if `holder` has them."""
        ...


class BegunTasks(Bounded, Protocol):
    """Tasks that a worker may have died of. All raise Throttled or StoreUnavailable."""

    def begin(self, entry_id: str, *, now: int) -> int:
        """Count one more beginning of a task, and return how many there were without an end, this one included."""
        ...

    def end(self, entry_id: str) -> None:
        """Forget the beginnings."""
        ...
