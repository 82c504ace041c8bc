"""Dead letters as an operator sees them: the kind of work, and the ids that it is about (rule G9). Pure.

A message may hold URLs with tokens of any tenant, so only ids are shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

IDS_SHOWN: Final = 10
_KIND_CHARS: Final = 40
_ID_CHARS: Final = 120
# The entry lists of a message, and the names of ids in an entry, a job, or an event's detail.
_LISTS: Final = ("feeds", "rows", "tasks")
_IDS: Final = ("feed_id", "row_id", "job_id", "subscription_id", "webhook_id", "id")


class QueueName(StrEnum):
    """The queues that have dead letters."""

    DISCOVER = "discover"
    FRONTIER = "frontier"
    HEALTH = "health"
    WEBHOOKS = "webhooks"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadLetter:
    """A dead letter: its own id, when it was sent (epoch seconds), and how often it was received.

    `kind` is the type of the message or of its event, None if it cannot be read; `ids` are those of its subject.
    """

    message_id: str
    sent_at: int
    receives: int
    kind: str | None
    ids: tuple[str, ...] = ()


def read_letter(message_id: str, body: str, *, sent_at: int, receives: int) -> DeadLetter:
    """Return a message for display, whatever its body contains."""
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        message = None
    known: Mapping[str, Any] = message if isinstance(message, Mapping) else {}
    kind = known.get("detail-type") or known.get("type")
    return DeadLetter(
        message_id=message_id,
        sent_at=sent_at,
        receives=receives,
        kind=kind[:_KIND_CHARS] if isinstance(kind, str) else None,
        ids=tuple(dict.fromkeys(_ids(known)))[:IDS_SHOWN],
    )


def _ids(message: Mapping[str, Any]) -> Iterator[str]:
    """Yield the ids of a message's entries, or of its event's subject: the first id of each."""
    detail = message.get("detail")
    about = [detail if isinstance(detail, Mapping) else message]
    about += [each for name in _LISTS if isinstance(message.get(name), list) for each in message[name]]
    for each in about:
        found = each if isinstance(each, Mapping) else {}
        named = (found.get(name) for name in _IDS if each is not message or name != "id")
        yield from [value[:_ID_CHARS] for value in named if isinstance(value, str) and value][:1]
