"""A message of FrontierQueue: rows to fetch, or a job to take a step further (design section 1, collect). Pure.

Rows of one host travel together and are asked one after the other. A job is named by its id alone: what it has to do
next is read where it is kept, so that a message may come twice, late or never (I6, I7).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from feedward.errors import InvalidInput
from feedward.frontier.row import FrontierRow
from feedward.frontier.stored_row import read_row, stored_row

ROWS_AT_MOST: Final = 10
DELAY_AT_MOST_S: Final = 900
BYTES_AT_MOST: Final = 256 * 1024
"""What a queue takes as one message."""
VERSION: Final = 1
_ROOM: Final = BYTES_AT_MOST - 200  # beside the rows: brackets, version and time


class Job(StrEnum):
    """What is done step by step: handing a run's URLs on, making an older run's items again, re-keying the registry."""

    RUN = "run"
    REPROCESS = "reprocess"
    REKEY = "rekey"


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectMessage:
    """Fetch these rows, or go on with this job (then there are no rows).

    `sent_at` (epoch seconds) is when the message could be read first: when it was sent, and its delay. `delay_s` is
    for the queue and is not part of the text. `unreadable` counts the entries that could not be read; nothing is lost
    with them, for what stays due is sent again.
    """

    sent_at: int
    rows: tuple[FrontierRow, ...] = ()
    job: Job | None = None
    job_id: str = ""
    delay_s: int = 0
    unreadable: int = 0

    def to_text(self) -> str:
        """Return the message as JSON, in ASCII."""
        what: dict[str, Any] = (
            {"type": "rows", "rows": [stored_row(replace(row, sent_at=None)) for row in self.rows]}
            if self.job is None
            else {"type": self.job.value, "job_id": self.job_id}
        )
        return _json({"version": VERSION, "sent_at": self.sent_at, **what})

    @classmethod
    def from_text(cls, body: object) -> CollectMessage:
        """Read the text of a message. Raises InvalidInput, which names the member, for what no version here can use."""
        return cls.from_object(json_object(body))

    @classmethod
    def from_object(cls, message: Mapping[str, Any]) -> CollectMessage:
        """Read the JSON object of a message; raises as `from_text` does."""
        if message.get("version") != VERSION:
            raise InvalidInput("version", f"expected {VERSION}")
        sent_at, kind = message.get("sent_at"), message.get("type")
        if not isinstance(sent_at, int) or isinstance(sent_at, bool):
            raise InvalidInput("sent_at", "expected a whole number")
        if kind == "rows":
            return _rows_message(message.get("rows"), sent_at)
        if kind not in tuple(Job):
            raise InvalidInput("type", f"expected rows, {', '.join(Job)}")
        job_id = message.get("job_id")
        if not isinstance(job_id, str) or not job_id:
            raise InvalidInput("job_id", "expected a text")
        return cls(sent_at=sent_at, job=Job(kind), job_id=job_id)


def fitting(rows: Sequence[FrontierRow]) -> Iterator[tuple[FrontierRow, ...]]:
    """Yield the rows, in order, in as few parts as messages can hold. What fits in none is in no part.

    A row as it is made here is so small that ten of them fit: what is larger must not keep others from being sent.
    """
    part: list[FrontierRow] = []
    size = 0
    for row, row_bytes in zip(rows, map(_bytes_of, rows), strict=True):
        if row_bytes > _ROOM:
            continue
        if part and size + row_bytes > _ROOM:
            yield tuple(part)
            part, size = [], 0
        part.append(row)
        size += row_bytes
    if part:
        yield tuple(part)


def _bytes_of(row: FrontierRow) -> int:
    return len(_json(stored_row(row))) + 1


def _rows_message(entries: object, sent_at: int) -> CollectMessage:
    if not isinstance(entries, list):
        raise InvalidInput("rows", "expected a list")
    rows = tuple(_readable(entries, sent_at))
    return CollectMessage(rows=rows, sent_at=sent_at, unreadable=len(entries) - len(rows))


def _readable(entries: Iterable[object], sent_at: int) -> Iterable[FrontierRow]:
    for entry in entries:
        try:
            row = read_row(entry) if isinstance(entry, Mapping) else None
        except InvalidInput:
            continue
        if row is not None:
            yield replace(row, sent_at=sent_at)


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def json_object(body: object) -> Mapping[str, Any]:
    """Read a text as a JSON object, or raise InvalidInput."""
    try:
        message = json.loads(body) if isinstance(body, str) else None
    except (ValueError, RecursionError):
        raise InvalidInput("", "the message is no JSON") from None
    if not isinstance(message, dict):
        raise InvalidInput("", "the message is no JSON object")
    return message
