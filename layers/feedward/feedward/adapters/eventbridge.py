"""Publishes events: ports.EventBus over EventBridge (rule B1)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from feedward.adapters.aws_calls import Backoff, Calls, ServicePort
from feedward.errors import BusUnavailable, Throttled
from feedward.events.envelope import SOURCE
from feedward.model import OutboxEntry

if TYPE_CHECKING:
    from mypy_boto3_events import EventBridgeClient

ENTRIES_AT_ONCE: Final = 10
# Limit of a call: the sum of source, type and detail of its entries.
CALL_BYTES: Final = 256 * 1024


class BusPublisher(ServicePort):
    """ports.EventBus. Thread-safe."""

    def __init__(self, client: EventBridgeClient, bus_name: str, backoff: Backoff | None = None) -> None:
        super().__init__(Calls(BusUnavailable, backoff))
        self._client = client
        self._bus_name = bus_name

    def publish(self, events: Sequence[OutboxEntry]) -> Sequence[OutboxEntry]:
        """Publish the events. Returns those that the bus accepted, in order.

        Events that it refuses, and events larger than a call, are omitted and stay in the outbox. Raises Throttled or
        BusUnavailable if the bus accepted none and did not respond.
        """
        taken: list[OutboxEntry] = []
        for batch in _batches(events):
            try:
                taken += self._put(batch)
            except (Throttled, BusUnavailable):
                if not taken:
                    raise
                break
        return taken

    def _put(self, batch: Sequence[OutboxEntry]) -> list[OutboxEntry]:
        """Put one batch. Single failed entries are retried as often as a call."""
        left, taken = list(batch), list[OutboxEntry]()
        for _ in self._calls.backoff.tries():
            try:
                answer = self._calls.ask(self._client.put_events, Entries=[self._entry(event) for event in left])
            except (Throttled, BusUnavailable):
                if not taken:
                    raise
                break
            results = list(zip(left, answer["Entries"], strict=True))
            taken += [event for event, result in results if not result.get("ErrorCode")]
            left = [event for event, result in results if result.get("ErrorCode")]
            if not left:
                break
        return [event for event in batch if event in taken]

    def _entry(self, event: OutboxEntry) -> Any:
        return {
            "EventBusName": self._bus_name,
            "Source": SOURCE,
            "DetailType": event.detail_type,
            "Detail": _detail(event),
        }


def _batches(events: Sequence[OutboxEntry]) -> Iterator[list[OutboxEntry]]:
    """Yield the events in batches for one call each. Events larger than a call are left out."""
    batch: list[OutboxEntry] = []
    size = 0
    for event in events:
        bytes_more = _entry_bytes(event)
        if bytes_more > CALL_BYTES:
            continue
        if len(batch) == ENTRIES_AT_ONCE or size + bytes_more > CALL_BYTES:
            yield batch
            batch, size = [], 0
        batch.append(event)
        size += bytes_more
    if batch:
        yield batch


def _entry_bytes(event: OutboxEntry) -> int:
    return len(SOURCE) + len(event.detail_type) + len(_detail(event))  # ASCII: a character is a byte


def _detail(event: OutboxEntry) -> str:
    return json.dumps(event.detail, separators=(",", ":"))
