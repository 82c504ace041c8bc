"""Events of the index function: a task, or a batch of records of FeedsTable's stream and its partial batch response."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from feedward.api.event import member
from feedward.api.fields import choice
from feedward.errors import FeedwardError


class Task(StrEnum):
    """The task, in `do`: the work that is due, or an immediate rebuild."""

    MAINTAIN = "maintain"
    REBUILD = "rebuild"


def decode_task(event: object) -> Task:
    """Decode the input of a schedule, such as {"do": "maintain"}. Raises InvalidInput (`do`)."""
    asked = event.get("do") if isinstance(event, Mapping) else None
    return Task(choice(asked, "do", of=tuple(Task)))


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamBatch:
    """The feeds of a batch, each once, in the order of their first records.

    `sequence_numbers` are those of these records. `oldest_at` is when the first record was written, None in an empty
    batch.
    """

    feed_ids: tuple[str, ...]
    sequence_numbers: tuple[str, ...]
    oldest_at: int | None


def decode_stream(event: Mapping[str, Any]) -> StreamBatch:
    """Return the feeds of a batch. A record without the key of a feed's item is skipped: it never gets one."""
    found: dict[str, str] = {}
    times: list[int] = []
    for record in event["Records"]:
        feed_id = member(record, "dynamodb", "Keys", "feed_id", "S")
        number = member(record, "dynamodb", "SequenceNumber")
        if isinstance(feed_id, str) and feed_id:
            found.setdefault(feed_id, str(number or ""))
            times.append(_epoch(member(record, "dynamodb", "ApproximateCreationDateTime")))
    return StreamBatch(
        feed_ids=tuple(found), sequence_numbers=tuple(found.values()), oldest_at=min(times) if times else None
    )


def answer_stream(batch: StreamBatch, done: int, error: FeedwardError | None) -> dict[str, Any]:
    """Return Lambda's partial batch response after the first `done` feeds.

    A batch without any progress raises its error, so that Lambda sends it again whole, and then in halves.
    """
    if error is None:
        return {"batchItemFailures": []}
    if done == 0:
        raise error
    return {"batchItemFailures": [{"itemIdentifier": batch.sequence_numbers[done]}]}


def _epoch(time: object) -> int:
    return int(time) if isinstance(time, int | float) else 0
