"""Messages of FrontierQueue: rows to fetch, or a job to take a step further. Pure.

A job is named by its id alone: what it has to do next is read where it is kept, so that a message may come twice, late
or never (rules I6, I7).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from feedward.errors import InvalidInput
from feedward.frontier.row import FrontierRow, read_row, stored_row
from feedward.scheduling.messages import VERSION, EntryFormat, WorkMessage, sent_at_of


class CollectMessage(WorkMessage[FrontierRow]):
    """Fetch these rows. Those of one host travel together and are asked one after the other."""

    format = EntryFormat(type="rows", member="rows", write=stored_row, read=read_row)


class Job(StrEnum):
    """What is done step by step: handing a run's URLs on, making an older run's items again, re-keying the registry."""

    RUN = "run"
    REPROCESS = "reprocess"
    REKEY = "rekey"


@dataclass(frozen=True, slots=True, kw_only=True)
class JobMessage:
    """Go on with this job. `sent_at` and `delay_s` are those of any message."""

    job: Job
    job_id: str
    sent_at: int
    delay_s: int = 0

    def to_text(self) -> str:
        """Return the message as JSON, in ASCII."""
        message = {"version": VERSION, "sent_at": self.sent_at, "type": self.job.value, "job_id": self.job_id}
        return json.dumps(message, separators=(",", ":"))

    @classmethod
    def from_object(cls, message: Mapping[str, Any]) -> JobMessage:
        """Read the JSON object of a message. Raises InvalidInput, which names the member."""
        sent_at, kind, job_id = sent_at_of(message), message.get("type"), message.get("job_id")
        if kind not in tuple(Job):
            raise InvalidInput("type", f"expected rows, {', '.join(Job)}")
        if not isinstance(job_id, str) or not job_id:
            raise InvalidInput("job_id", "expected a text")
        return cls(job=Job(kind), job_id=job_id, sent_at=sent_at)


def read_message(message: Mapping[str, Any]) -> CollectMessage | JobMessage:
    """Read the JSON object of a message of either kind. Raises InvalidInput, which names the member."""
    is_rows = message.get("type") == CollectMessage.format.type
    return CollectMessage.from_object(message) if is_rows else JobMessage.from_object(message)
