"""Sends tasks to WebhookQueue. A task that the queue does not accept is due in the table a little later."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from feedward.errors import FeedwardError
from feedward.services.webhooks.ports import WebhookPorts
from feedward.webhooks.delivery import TaskMessage, WebhookTask


def send_tasks(tasks: Iterable[WebhookTask], ports: WebhookPorts, *, delay_s: int = 0) -> None:
    """Send each task in its own message. Errors of the queue are not raised: the sweep sends due tasks."""
    at = ports.clock.now() + delay_s
    messages = [TaskMessage(entries=(task,), sent_at=at, delay_s=delay_s) for task in tasks]
    if messages:
        with suppress(FeedwardError):
            ports.queue.send_batch(messages)
