"""Messages of FrontierQueue: rows to fetch, or a job whose next step is to run. Pure.

A job message carries only the job's id. The next step is read from the store, so a message may arrive twice, late or
never (rules I6, I7).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from feedward.errors import InvalidInput
from feedward.frontier.row import FrontierRow, read_row, stored_row
from feedward.frontier.settings import FrontierSettings
from feedward.scheduling.message_plan import Pace
from feedward.scheduling.messages import VERSION, EntryFormat, WorkMessage, sent_at_of


class CollectMessage(WorkMessage[FrontierRow]):
    """A message with rows to fetch. Rows of one host are in one message and are fetched one after the other."""

    format = EntryFormat(type="rows", member="rows", write=stored_row, read=read_row)


class Job(StrEnum):
    """The jobs that run in steps: submitting a run's URLs, reprocessing an older run's items, re-keying the
    registry, an import, whose id names the step, and an export.
    """

    RUN = "run"
    REPROCESS = "reprocess"
    REKEY = "rekey"
    IMPORT = "import"
    EXPORT = "export"


@dataclass(frozen=True, slots=True, kw_only=True)
class JobMessage:
    """A message that runs the next step of a job. `sent_at` and `delay_s` are those of every message.

    `group` is the tenant of the job, the message group of the fair queue (rule QT7). It is part of the text, so that
    the messages of later steps have it too.
    """

    job: Job
    job_id: str
    sent_at: int
    delay_s: int = 0
    group: str | None = None

    def to_text(self) -> str:
        """Return the message as JSON, in ASCII."""
        message = {"version": VERSION, "sent_at": self.sent_at, "type": self.job.value, "job_id": self.job_id}
        group = {"group": self.group} if self.group else {}
        return json.dumps({**message, **group}, separators=(",", ":"))

    @classmethod
    def from_object(cls, message: Mapping[str, Any]) -> JobMessage:
        """Read the JSON object of a message. Raises InvalidInput, which names the member."""
        sent_at, kind, job_id = sent_at_of(message), message.get("type"), message.get("job_id")
        if kind not in tuple(Job):
            raise InvalidInput("type", f"expected rows, {', '.join(Job)}")
        if not isinstance(job_id, str) or not job_id:
            raise InvalidInput("job_id", "expected a text")
        group = message.get("group")
        return cls(job=Job(kind), job_id=job_id, sent_at=sent_at, group=group if isinstance(group, str) else None)


def read_message(message: Mapping[str, Any]) -> CollectMessage | JobMessage:
    """Read the JSON object of a message of either kind. Raises InvalidInput, which names the member."""
    is_rows = message.get("type") == CollectMessage.format.type
    return CollectMessage.from_object(message) if is_rows else JobMessage.from_object(message)


def row_pace(settings: FrontierSettings) -> Pace[FrontierRow]:
    """Return the pace at which the rows of a host are sent: the frontier's pause between two requests."""
    return Pace(message=CollectMessage, entry_s=settings.host_pause_s)
