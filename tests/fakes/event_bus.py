"""The event bus for tests of everything above it: the real adapter, over EventBridge in memory, with knobs.

`FakeEventBus()` implements ports.EventBus. `bus.events` has the knobs and the received events.
"""
# ruff: noqa: N803 - the arguments have botocore's names

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from feedward.adapters.eventbridge import BusPublisher
from tests.fakes.dynamodb_table import client_error
from tests.fakes.feed_store import PATIENT

BUS = "feedward"


class InMemoryEventBridge:
    """Stands in for botocore's client of EventBridge.

    throttles, fails: calls answered so. refuses: entries that fail by themselves, of the next calls. calls: how many
    entries each call had.
    """

    def __init__(self) -> None:
        self.entries: list[dict[str, Any]] = []
        self.calls: list[int] = []
        self.throttles = 0
        self.fails = 0
        self.refuses = 0

    def put_events(self, *, Entries: Sequence[dict[str, Any]]) -> dict[str, Any]:
        self.calls.append(len(Entries))
        if not 1 <= len(Entries) <= 10 or sum(map(_bytes, Entries)) > 256 * 1024:
            raise _error("ValidationException", 400)
        if self.throttles:
            self.throttles -= 1
            raise _error("ThrottlingException", 400)
        if self.fails:
            self.fails -= 1
            raise _error("InternalException", 500)
        results = [self._put(entry) for entry in Entries]
        return {"Entries": results, "FailedEntryCount": sum("ErrorCode" in result for result in results)}

    def _put(self, entry: dict[str, Any]) -> dict[str, str]:
        if entry["EventBusName"] != BUS:
            return {"ErrorCode": "ResourceNotFoundException", "ErrorMessage": "no such bus"}
        if self.refuses:
            self.refuses -= 1
            return {"ErrorCode": "InternalFailure", "ErrorMessage": "try again"}
        self.entries.append(entry)
        return {"EventId": str(len(self.entries))}


class FakeEventBus(BusPublisher):
    """A bus in memory."""

    def __init__(self) -> None:
        self.events = InMemoryEventBridge()
        super().__init__(self.events, BUS, PATIENT)  # type: ignore[arg-type]

    @property
    def details(self) -> list[dict[str, Any]]:
        """The details of the arrived events, in order."""
        return [json.loads(entry["Detail"]) for entry in self.events.entries]


def _bytes(entry: dict[str, Any]) -> int:
    return sum(len(entry[part].encode()) for part in ("Source", "DetailType", "Detail"))


def _error(code: str, status: int) -> Exception:
    return client_error(code, "PutEvents", ResponseMetadata={"HTTPStatusCode": status})
