"""Events of the collect function: the task of a schedule, or a batch of messages, each of which may be invalid.

A message of FrontierQueue is feedward's own, or an event from the bus.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

from feedward.api.fields import choice, kind_of
from feedward.errors import InvalidInput
from feedward.events.envelope import ITEMS_PUBLISHED
from feedward.frontier.item_links import ItemLinks, read_item_links
from feedward.frontier.messages import CollectMessage, JobMessage, read_message
from feedward.messages.partial_batch import Decoded, Received, decode_all
from feedward.scheduling.messages import json_object


class Task(StrEnum):
    """The task of a schedule, in `do`: sweep due rows, repair overdue rows, or resume abandoned jobs."""

    SWEEP = "sweep"
    REPAIR = "repair"
    RECONCILE = "reconcile"


def decode_task(event: object) -> Task:
    """Decode the input of a schedule, such as {"do": "sweep"}. Raises InvalidInput (`do`)."""
    asked = event.get("do") if isinstance(event, Mapping) else None
    return Task(choice(asked, "do", of=tuple(Task)))


def decode_batch(records: Sequence[Received]) -> Decoded[CollectMessage | JobMessage | ItemLinks]:
    """Decode the messages of a batch."""
    return decode_all(records, _received)


def _received(record: Received) -> CollectMessage | JobMessage | ItemLinks:
    message = decode_message(record.body)
    return replace(message, receives=record.receives) if isinstance(message, CollectMessage) else message


def decode_message(body: object) -> CollectMessage | JobMessage | ItemLinks:
    """Decode the text of one message. Raises InvalidInput, which names the member, if it cannot be used."""
    message = json_object(body)
    return _event(message) if "detail-type" in message else read_message(message)


def _event(event: Mapping[str, Any]) -> ItemLinks:
    choice(event["detail-type"], "detail-type", of=(ITEMS_PUBLISHED,))
    detail = event.get("detail")
    if not isinstance(detail, Mapping):
        raise InvalidInput("detail", f"expected an object, not {kind_of(detail)}")
    return read_item_links(detail)
