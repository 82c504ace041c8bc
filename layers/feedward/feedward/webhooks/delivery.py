"""Deliveries of events to webhooks, their tasks and messages (rules K1, K2, K3). Pure.

The id of a delivery is derived from the event and the webhook, so that it is never created twice. It is the
`webhook-id` of all its attempts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from feedward.access import name_of, tenant_named
from feedward.errors import InvalidInput
from feedward.scheduling.message_plan import Pace
from feedward.scheduling.messages import EntryFormat, WorkMessage
from feedward.ulid import derived_ulid

DAY_S: Final = 24 * 3600
KEPT_S: Final = 12 * DAY_S
"""Deliveries and bodies expire after this, later than the last attempt of the last re-delivery."""
SENT_AGAIN_WITHIN_S: Final = 7 * DAY_S
"""The age up to which a delivery can be sent again."""
LEASE_S: Final = 60
"""A worker's lease on a delivery; if the worker dies, the sweep sends the delivery after that."""
UNTOLD_S: Final = 90
"""If its message was lost, a new delivery is due after this."""


class DeliveryStatus(StrEnum):
    """`pending` until it was delivered, all attempts have failed, or it was `dropped`: its webhook was not live."""

    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"
    DROPPED = "dropped"


class Job(StrEnum):
    """The work for a webhook other than deliveries: a probe of a receiver on hold, an event to publish, a replay."""

    PROBE = "probe"
    TELL = "tell"
    REPLAY = "replay"


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One event for one webhook. `rev` grows with each write; `is_waiting`: it is queued for a receiver on hold.

    `is_charged`: it counts in its tenant's quota, once, however often it is sent (rules K21, QT3). `happened_at` is the
    time of the event, `attempts` the number of started attempts. Times are epoch seconds.
    """

    tenant_id: str | None
    webhook_id: str
    delivery_id: str
    event_id: str
    type: str
    happened_at: int
    created_at: int
    status: DeliveryStatus = DeliveryStatus.PENDING
    attempts: int = 0
    due_at: int | None = None
    is_waiting: bool = False
    is_charged: bool = False
    holder: str = ""
    last_outcome: str | None = None
    last_status: int | None = None
    rev: int = 1

    @property
    def task(self) -> WebhookTask:
        """The content of its message."""
        return WebhookTask(
            tenant_id=self.tenant_id, webhook_id=self.webhook_id, what=self.delivery_id, rev=self.rev,
            is_retry=self.attempts > 0,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class DueJob:
    """A job of a webhook with the revision of its row. `members` are its data."""

    tenant_id: str | None
    webhook_id: str
    job: Job
    due_at: int
    rev: int
    members: Mapping[str, Any] = field(default_factory=dict)

    @property
    def task(self) -> WebhookTask:
        """The content of its message."""
        return WebhookTask(tenant_id=self.tenant_id, webhook_id=self.webhook_id, what=self.job.value, rev=self.rev)


def delivery_id_of(event_id: str, webhook_id: str, happened_at: int) -> str:
    """Return the id of the delivery of an event to a webhook (rule K1)."""
    return derived_ulid(happened_at, "delivery", event_id, webhook_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookTask:
    """An entry of a message and of the due index: `what` is a delivery's id or a job. `rev` is that of its row."""

    tenant_id: str | None
    webhook_id: str
    what: str
    rev: int
    is_retry: bool = False
    sent_at: int | None = None

    @property
    def entry_id(self) -> str:
        """The id in the due index: tenant, webhook, and the delivery or job."""
        return f"{name_of(self.tenant_id)}/{self.webhook_id}/{self.what}"

    @property
    def host(self) -> str:
        """Each task is its own group: slots limit a receiver's concurrency, not the engine."""
        return self.entry_id


def task_of(due_id: str, rev: int) -> WebhookTask:
    """Return the task with this id. Raises InvalidInput for a malformed id."""
    parts = due_id.split("/")
    if len(parts) != 3 or not all(parts):
        raise InvalidInput("due_id", "expected tenant/webhook/what")
    tenant, webhook_id, what = parts
    return WebhookTask(tenant_id=tenant_named(tenant), webhook_id=webhook_id, what=what, rev=rev)


def _write(task: WebhookTask) -> Mapping[str, Any]:
    return {"id": task.entry_id, "rev": task.rev, **({"retry": True} if task.is_retry else {})}


def _read(stored: Mapping[str, Any]) -> WebhookTask:
    due_id, rev = stored.get("id"), stored.get("rev")
    if not isinstance(due_id, str) or not isinstance(rev, int) or isinstance(rev, bool):
        raise InvalidInput("id", "expected an id and a revision")
    task = task_of(due_id, rev)
    return task if stored.get("retry") is not True else WebhookTask(
        tenant_id=task.tenant_id, webhook_id=task.webhook_id, what=task.what, rev=rev, is_retry=True
    )  # fmt: skip


class TaskMessage(WorkMessage[WebhookTask]):
    """A message with tasks. New deliveries have separate messages."""

    format = EntryFormat(type="tasks", member="tasks", write=_write, read=_read)

    @property
    def group(self) -> str | None:
        """The message group: a webhook's first attempts, or its retries; None for several webhooks (rule K11)."""
        groups = {f"{each.webhook_id}{'-retries' if each.is_retry else ''}" for each in self.entries}
        return groups.pop() if len(groups) == 1 else None


PACE: Final[Pace[WebhookTask]] = Pace(message=TaskMessage, entry_s=1.0)
