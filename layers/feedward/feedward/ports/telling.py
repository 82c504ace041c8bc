"""What is told to the bus, and what is owed until it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from feedward.deadline import Bounded

if TYPE_CHECKING:  # annotations only: whoever needs a port does not load what it speaks of
    from collections.abc import Sequence

    from feedward.model import OutboxEntry


class Outbox(Bounded, Protocol):
    """What feeds owe to the bus: events written together with what they tell of, until somebody sent them (rule I7)."""

    def outbox_entries(self, feed_id: str) -> Sequence[OutboxEntry]:
        """The events of a feed that nobody has sent yet (rule I7), oldest first. Raises Throttled or
        StoreUnavailable.
        """
        ...

    def events_sent(self, events: Sequence[OutboxEntry]) -> None:
        """Take these off what is owed; doing it again is harmless. Raises Throttled or StoreUnavailable."""
        ...


class EventBus(Bounded, Protocol):
    """The bus that feedward tells its events to (rule B1)."""

    def publish(self, events: Sequence[OutboxEntry]) -> Sequence[OutboxEntry]:
        """Put the events on the bus; return those that it took. Raises Throttled or BusUnavailable."""
        ...
