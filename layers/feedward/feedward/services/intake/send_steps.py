"""Sends steps of imports as jobs of FrontierQueue (rule M9)."""

from __future__ import annotations

from collections.abc import Sequence

from feedward.errors import QueueUnavailable
from feedward.frontier.messages import Job, JobMessage
from feedward.intake.job import ImportStep
from feedward.ports import WorkQueue


def send_steps(steps: Sequence[ImportStep], *, queue: WorkQueue, now: int) -> None:
    """Send the steps. Raises QueueUnavailable if the queue did not accept all of them, and the errors of the queue."""
    messages = [JobMessage(sent_at=now, job=Job.IMPORT, job_id=step.job_id, group=step.tenant_id) for step in steps]
    if len(queue.send_batch(messages)) < len(messages):
        raise QueueUnavailable("the queue did not accept all steps of the import")
