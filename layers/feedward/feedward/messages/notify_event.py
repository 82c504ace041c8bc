"""Events of the notify function: the task of a schedule, or messages of WebhookQueue, each of which may be invalid.

A message is an event from the bus, a fan-out to continue, or tasks of deliveries and jobs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

from feedward.api.fields import choice
from feedward.messages.partial_batch import Decoded, Received, decode_all
from feedward.scheduling.messages import json_object
from feedward.webhooks.delivery import TaskMessage
from feedward.webhooks.events import MESSAGE_TYPE, BusEvent, read_event, read_message


class Task(StrEnum):
    """The task of a schedule, in `do`: send due tasks, or reschedule overdue ones."""

    SWEEP = "sweep"
    REPAIR = "repair"


def decode_task(event: object) -> Task:
    """Decode the input of a schedule, such as {"do": "sweep"}. Raises InvalidInput (`do`)."""
    asked = event.get("do") if isinstance(event, Mapping) else None
    return Task(choice(asked, "do", of=tuple(Task)))


def decode_batch(records: Sequence[Received]) -> Decoded[TaskMessage | BusEvent]:
    """Decode the messages of a batch."""
    return decode_all(records, _received)


def _received(record: Received) -> TaskMessage | BusEvent:
    message = decode_message(record.body)
    return replace(message, receives=record.receives) if isinstance(message, TaskMessage) else message


def decode_message(body: object) -> TaskMessage | BusEvent:
    """Decode the text of one message. Raises InvalidInput, which names the member, if it cannot be used."""
    message = json_object(body)
    if "detail-type" in message:
        return read_event(message["detail-type"], message.get("detail"))
    return read_message(message) if message.get("type") == MESSAGE_TYPE else TaskMessage.from_object(message)
