"""The ports of webhooks: for their owners, for the fan-out of events, and for deliveries; and the sending of tasks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from feedward.deadline import Deadline
from feedward.errors import FeedwardError
from feedward.ports import Clock, EventBus, HostLimiter, WorkQueue
from feedward.ports.quotas import Charges
from feedward.ports.webhooks import DeliveryStore, Poster, SecretBox, WebhookStore
from feedward.webhooks.delivery import TaskMessage, WebhookTask

if TYPE_CHECKING:  # used in annotations only
    from feedward.ports.keys import Tenants


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookPorts:
    """Ports of webhooks. `own_hosts` are the hosts of this deployment, which receive no webhook (rule K13)."""

    webhooks: WebhookStore
    deliveries: DeliveryStore
    secrets: SecretBox
    poster: Poster
    queue: WorkQueue
    limiter: HostLimiter
    bus: EventBus
    charges: Charges
    tenants: Tenants
    clock: Clock
    own_hosts: tuple[str, ...] = ()
    sleep: Callable[[float], None] = time.sleep

    def within(self, deadline: Deadline) -> WebhookPorts:
        """Return ports that keep to the deadline."""
        return replace(
            self,
            webhooks=self.webhooks.within(deadline),
            tenants=self.tenants.within(deadline),
            deliveries=self.deliveries.within(deadline),
            secrets=self.secrets.within(deadline),
            queue=self.queue.within(deadline),
            limiter=self.limiter.within(deadline),
            bus=self.bus.within(deadline),
        )


def send_tasks(tasks: Iterable[WebhookTask], ports: WebhookPorts, *, delay_s: int = 0) -> None:
    """Send each task in its own message. Errors of the queue are not raised: the sweep sends due tasks."""
    at = ports.clock.now() + delay_s
    messages = [TaskMessage(entries=(task,), sent_at=at, delay_s=delay_s) for task in tasks]
    if messages:
        with suppress(FeedwardError):
            ports.queue.send_batch(messages)
