"""Dead letters as JSON (rule G9)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from feedward.api.event import Event, query_values
from feedward.api.fields import choice
from feedward.errors import InvalidInput
from feedward.stats.dead_letters import DeadLetter, QueueName


def decode_queue(event: Event) -> dict[str, Any]:
    """Return the requested `queue`. Raises InvalidInput."""
    found = query_values(event, {"queue": _queue})
    if not found:
        raise InvalidInput("queue", f"expected one of {', '.join(QueueName)}")
    return found


def _queue(value: str, name: str) -> QueueName:
    return QueueName(choice(value, name, of=tuple(QueueName)))


def encode_letters(letters: Sequence[DeadLetter]) -> dict[str, Any]:
    """Return the document."""
    return {"dead_letters": [_letter(letter) for letter in letters]}


def _letter(letter: DeadLetter) -> dict[str, Any]:
    return {
        "message_id": letter.message_id,
        "sent_at": letter.sent_at,
        "receives": letter.receives,
        "kind": letter.kind,
        "ids": list(letter.ids),
    }
