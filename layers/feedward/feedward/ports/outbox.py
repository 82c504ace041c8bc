"""Ports of the transactional outbox and of the event bus."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from feedward.deadline import Bounded

if TYPE_CHECKING:  # used in annotations only: a port does not load the types that it names
    from collections.abc import Sequence

    from feedward.model import OutboxEntry


class Outbox(Bounded, Protocol):
    """The transactional outbox: events are stored with the change they describe until they are sent (rule I7)."""

    def outbox_entries(self, feed_id: str) -> Sequence[OutboxEntry]:
        """Return the undelivered events of a feed, oldest first. Raises Throttled or StoreUnavailable."""
        ...

    def events_sent(self, events: Sequence[OutboxEntry]) -> None:
        """Delete delivered entries. The call is idempotent. Raises Throttled or StoreUnavailable."""
        ...


class EventBus(Bounded, Protocol):
    """The event bus (rule B1)."""

    def publish(self, events: Sequence[OutboxEntry]) -> Sequence[OutboxEntry]:
        """Publish the events. Returns those that the bus accepted. Raises Throttled or BusUnavailable."""
        ...
