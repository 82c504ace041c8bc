"""Events of the health check: the task of a schedule, or a batch of messages, each of which may be invalid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

from feedward.api.fields import choice
from feedward.health.due_feed import HealthMessage
from feedward.messages.partial_batch import Decoded, Received, decode_all


class Task(StrEnum):
    """The task of a schedule, in `do`."""

    SWEEP = "sweep"
    REPAIR = "repair"
    RECONCILE = "reconcile"
    PUSH = "push"


def decode_task(event: object) -> Task:
    """Decode the input of a schedule, such as {"do": "sweep"}. Raises InvalidInput (`do`)."""
    asked = event.get("do") if isinstance(event, Mapping) else None
    return Task(choice(asked, "do", of=tuple(Task)))


def decode_batch(records: Sequence[Received]) -> Decoded[HealthMessage]:
    """Decode the messages of a batch."""
    return decode_all(records, lambda each: replace(HealthMessage.from_text(each.body), receives=each.receives))
