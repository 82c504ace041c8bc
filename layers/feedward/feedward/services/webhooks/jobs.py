"""The jobs of a webhook: send waiting deliveries, publish that it was disabled, replay deliveries (rules K8 to K10).

A job is a due row that its worker claims. If the worker dies, the sweep sends the job again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final

from feedward.deadline import Deadline
from feedward.errors import BusUnavailable
from feedward.events.envelope import WEBHOOK_DISABLED, webhook_disabled
from feedward.model import OutboxEntry
from feedward.scheduling.lateness import LONGEST_DELAY_S
from feedward.services.webhooks.attempt_leases import OF_WEBHOOK
from feedward.services.webhooks.deliver import ATTEMPT_S, Deliverer, Result
from feedward.services.webhooks.ports import WebhookPorts, send_tasks
from feedward.services.work.tasks import HostBusy
from feedward.ulid import derived_ulid
from feedward.webhooks.delivery import (
    LEASE_S,
    SENT_AGAIN_WITHIN_S,
    Delivery,
    DeliveryStatus,
    DueJob,
    Job,
    WebhookTask,
)
from feedward.webhooks.webhook import Webhook, WebhookStatus

RESERVE_S: Final = ATTEMPT_S + 5.0
SLICE_S: Final = 5.0
"""A worker sends the waiting deliveries of one receiver for this long, then yields to others."""
SOON_S: Final = 60
REPLAYED_AT_ONCE: Final = 100


@dataclass(slots=True)
class Jobs:
    """Runs jobs within a deadline. An unfinished job is due again immediately."""

    ports: WebhookPorts
    deliverer: Deliverer
    deadline: Deadline

    def run(self, task: WebhookTask) -> Result:
        """Run the job of a task, unless another worker has it. Raises the errors of the stores and the bus."""
        job = self.ports.deliveries.claim_job(task, until=self.ports.clock.now() + LEASE_S)
        if job is None:
            return Result.STALE
        webhook = self.ports.webhooks.get(job.tenant_id, job.webhook_id)
        if webhook is not None and not self.deliverer.is_gone(job.tenant_id):
            work: Mapping[Job, Callable[[DueJob, Webhook], int | None]] = {
                Job.PROBE: self._wake, Job.TELL: self._tell, Job.REPLAY: self._replay,
            }  # fmt: skip
            again_at = work[job.job](job, webhook)
            if again_at is not None:
                self._again(job, again_at)
                return Result.JOB
        self.ports.deliveries.end_job(job)
        return Result.JOB

    def _again(self, job: DueJob, at: int, members: Mapping[str, str] | None = None) -> None:
        """Reschedule a job; if it is due now, send a message too."""
        own = dict(job.members) if members is None else dict(members)
        written = self.ports.deliveries.put_job(job.tenant_id, job.webhook_id, job.job, due_at=at, members=own)
        if at <= self.ports.clock.now():
            send_tasks([written.task], self.ports)

    # --- waiting deliveries -----------------------------------------------------------------------

    def _wake(self, job: DueJob, webhook: Webhook) -> int | None:
        """Send the waiting deliveries, oldest first, 5 at a time; the first alone if it is the probe.

        Returns when to continue, None if nothing waits.
        """
        ends_at = self.ports.clock.monotonic() + SLICE_S
        found: Webhook | None = webhook
        while found is not None and found.status is WebhookStatus.LIVE:
            now = self.ports.clock.now()
            later = self._not_before(found, now)
            if later is not None:
                return later
            is_probe = found.standing.held_until is not None
            waiting = self._waiting(found, 1 if is_probe else OF_WEBHOOK)
            if not waiting:
                return None
            if self.deadline.left_s() < RESERVE_S or self.ports.clock.monotonic() >= ends_at:
                return now
            if self._send(waiting) and not is_probe:
                return now + 1
            found = self.ports.webhooks.get(job.tenant_id, job.webhook_id)
        return self._forget_all(webhook)

    def _not_before(self, webhook: Webhook, now: int) -> int | None:
        """Return the time before which this call sends nothing: the receiver is on hold, or left to scheduled calls."""
        standing = webhook.standing
        if standing.is_held(now):
            return standing.held_until
        return now + SOON_S if standing.is_slow and not self.deliverer.is_patient else None

    def _waiting(self, webhook: Webhook, limit: int) -> Sequence[Delivery]:
        return self.ports.deliveries.waiting(webhook.tenant_id, webhook.webhook_id, limit=limit)

    def _send(self, waiting: Sequence[Delivery]) -> bool:
        """Send deliveries in parallel. Returns whether none was sent because other workers have them."""
        if len(waiting) == 1:
            return not self._send_one(waiting[0])
        with ThreadPoolExecutor(OF_WEBHOOK, thread_name_prefix="feedward-wake") as pool:
            return not any(list(pool.map(self._send_one, waiting)))

    def _send_one(self, delivery: Delivery) -> bool:
        """Send a delivery. Returns whether it no longer waits."""
        if delivery.status is not DeliveryStatus.PENDING or not delivery.is_waiting:
            self.ports.deliveries.waits_no_more(delivery)
            return True
        try:
            result = self.deliverer.take(delivery.task).result
        except HostBusy:
            return False
        return result not in (Result.STALE, Result.HELD)

    def _forget_all(self, webhook: Webhook) -> int | None:
        """End the waiting deliveries of a webhook that is not live: each is dropped at its own task.

        Returns when to continue if the time ends first, None if nothing waits.
        """
        while waiting := self.ports.deliveries.waiting(webhook.tenant_id, webhook.webhook_id, limit=25):
            for delivery in waiting:
                if self.deadline.left_s() < RESERVE_S:
                    return self.ports.clock.now()
                if delivery.status is DeliveryStatus.PENDING:
                    self.deliverer.take(delivery.task)
                self.ports.deliveries.waits_no_more(delivery)
        return None

    # --- a webhook that was disabled --------------------------------------------------------------

    def _tell(self, _job: DueJob, webhook: Webhook) -> int | None:
        """Publish that a webhook was disabled, once it is."""
        if webhook.status is not WebhookStatus.DISABLED or webhook.disabled_at is None:
            return None
        event_id = derived_ulid(webhook.disabled_at, WEBHOOK_DISABLED, webhook.webhook_id)
        detail = webhook_disabled(
            event_id=event_id,
            occurred_at=webhook.disabled_at,
            tenant_id=webhook.tenant_id,
            webhook_id=webhook.webhook_id,
            because=str(webhook.disabled_because),
        )
        event = OutboxEntry(feed_id="", entry_id=event_id, detail_type=WEBHOOK_DISABLED, detail=detail)
        if not self.ports.bus.publish([event]):
            raise BusUnavailable("the bus did not accept the event")
        return None

    # --- sending again ----------------------------------------------------------------------------

    def _replay(self, job: DueJob, webhook: Webhook) -> int | None:
        """Queue the undelivered events since a time, page by page; then send them (rule K9)."""
        after: str | None = str(job.members["after"])
        while after is not None and webhook.status is WebhookStatus.LIVE:
            if self.deadline.left_s() < RESERVE_S:
                self._again(job, self.ports.clock.now(), {"after": after})
                return None
            page = self.ports.deliveries.page(
                webhook.tenant_id, webhook.webhook_id, after=after, limit=REPLAYED_AT_ONCE
            )
            for delivery in page:
                self._let_wait(delivery)
            after = page[-1].delivery_id if len(page) == REPLAYED_AT_ONCE else None
        now = self.ports.clock.now()
        wake = self.ports.deliveries.put_job(job.tenant_id, job.webhook_id, Job.PROBE, due_at=now, members={})
        send_tasks([wake.task], self.ports)
        return None

    def _let_wait(self, delivery: Delivery) -> None:
        now = self.ports.clock.now()
        is_lost = delivery.status in (DeliveryStatus.FAILED, DeliveryStatus.DROPPED)
        is_held = delivery.attempts == 0 and (delivery.due_at or now) - now > LONGEST_DELAY_S  # by a quota
        if (is_lost or (is_held and not delivery.is_waiting)) and now - delivery.created_at <= SENT_AGAIN_WITHIN_S:
            begun = replace(delivery, status=DeliveryStatus.PENDING, attempts=0, holder="")
            self.ports.deliveries.wait(begun, until=now + LEASE_S * 60)
