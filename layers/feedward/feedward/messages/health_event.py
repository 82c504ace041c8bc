"""What wakes the health check: a schedule, which says what to do, or a batch of messages, of which each may be bad."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from feedward.errors import InvalidInput
from feedward.health.messages import HealthMessage
from feedward.http.fields import choice


class Task(StrEnum):
    """What a schedule asks for, in `do`."""

    SWEEP = "sweep"
    REPAIR = "repair"
    RECONCILE = "reconcile"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """A batch's messages in order, each decoded, or the error that says why it cannot be."""

    messages: tuple[HealthMessage | InvalidInput, ...]

    @property
    def readable(self) -> list[HealthMessage]:
        """Those that can be worked on."""
        return [each for each in self.messages if isinstance(each, HealthMessage)]

    def failures(self, of_readable: Sequence[Exception | None]) -> list[Exception | None]:
        """Return why each message failed, given that of each readable one."""
        theirs = iter(of_readable)
        return [next(theirs) if isinstance(each, HealthMessage) else each for each in self.messages]


def decode_task(event: object) -> Task:
    """Read a schedule's input, such as {"do": "sweep"}. Raises InvalidInput (`do`)."""
    asked = event.get("do") if isinstance(event, Mapping) else None
    return Task(choice(asked, "do", of=tuple(Task)))


def decode_batch(bodies: Sequence[Any]) -> Decoded:
    """Read the texts of a batch's messages."""
    return Decoded(messages=tuple(map(_decode, bodies)))


def _decode(body: object) -> HealthMessage | InvalidInput:
    try:
        return HealthMessage.from_text(body)
    except InvalidInput as error:
        return error
