"""Records an attempt outside its delivery: the receiver's standing, the webhook's status, and the log.

No failure here turns a 2xx into a failure or loses a retry: the delivery is written before (rule K16).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from feedward.errors import FeedwardError
from feedward.scheduling.lateness import LEAST_AHEAD_S
from feedward.services.webhooks.ports import WebhookPorts, send_tasks
from feedward.webhooks.attempt import Attempt, Posted
from feedward.webhooks.circuit_breaker import DisabledBecause, Standing, after_failure, after_success, disabled_because
from feedward.webhooks.delivery import Delivery, DueJob, Job
from feedward.webhooks.events import TEST
from feedward.webhooks.webhook import Webhook, WebhookStatus, disabled, tested

_ROUNDS: Final = 10


@dataclass(slots=True)
class Recorder:
    """Records attempts. One object serves all threads."""

    ports: WebhookPorts

    def record(self, webhook: Webhook, delivery: Delivery, posted: Posted, attempt: Attempt) -> None:
        """Write the effects of an attempt. Errors of the stores are not raised."""
        with suppress(FeedwardError):
            if delivery.type != TEST:
                self._stand(webhook, posted, attempt)
        with suppress(FeedwardError):
            self.ports.deliveries.log(delivery, attempt)

    def make_live(self, webhook: Webhook, test: Delivery) -> None:
        """Make a webhook live after its test event was delivered. Raises the errors of the store.

        Not if its owner has switched it off since the test event was sent (rule K9).
        """
        for _ in range(_ROUNDS):
            found = self.ports.webhooks.get(webhook.tenant_id, webhook.webhook_id)
            if found is None or found.status is WebhookStatus.LIVE or found.url != webhook.url:
                return
            if found.is_switched_off_since(test.created_at):
                return
            if self.ports.webhooks.save(found, tested(found, self.ports.clock.now())):
                return

    # --- standing ---------------------------------------------------------------------------------

    def _stand(self, webhook: Webhook, posted: Posted, attempt: Attempt) -> None:
        """Write the standing after an attempt, with retries after concurrent writes."""
        before, now = webhook.standing, self.ports.clock.now()
        for _ in range(_ROUNDS):
            after = _after(before, posted, attempt, now)
            if after is before:
                return
            stored = self.ports.webhooks.save_standing(webhook, after)
            if stored is None:
                self._follow(webhook, before, after, posted, now)
                return
            before = stored

    def _follow(self, webhook: Webhook, before: Standing, after: Standing, posted: Posted, now: int) -> None:
        """Act on a new standing: end a hold, begin one, disable the webhook."""
        if posted.has_arrived:
            if before.held_until is not None or before.is_slow:
                self._wake(webhook, now)
            return
        because = disabled_because(after, posted.status, now)
        if because is not None:
            self._disable(webhook, because)
        elif after.held_until is not None and after.held_until != before.held_until:
            self._put(webhook, Job.PROBE, due_at=after.held_until)
        elif after.is_slow and not before.is_slow:
            self._put(webhook, Job.PROBE, due_at=now)

    def _wake(self, webhook: Webhook, now: int) -> None:
        """Send the deliveries that wait for the recovered receiver."""
        job = self._put(webhook, Job.PROBE, due_at=now)
        send_tasks([job.task], self.ports)

    def _disable(self, webhook: Webhook, because: DisabledBecause) -> None:
        now = self.ports.clock.now()
        for _ in range(_ROUNDS):
            found = self.ports.webhooks.get(webhook.tenant_id, webhook.webhook_id)
            if found is None or found.status is not WebhookStatus.LIVE or found.url != webhook.url:
                return
            job = self._put(webhook, Job.TELL, due_at=now + LEAST_AHEAD_S)  # before: the job ignores a live webhook
            if self.ports.webhooks.save(found, disabled(found, because, now)):
                send_tasks([job.task], self.ports)
                return

    def _put(self, webhook: Webhook, job: Job, *, due_at: int) -> DueJob:
        return self.ports.deliveries.put_job(webhook.tenant_id, webhook.webhook_id, job, due_at=due_at, members={})


def _after(before: Standing, posted: Posted, attempt: Attempt, now: int) -> Standing:
    if posted.has_arrived:
        return after_success(before, now)
    took_s = attempt.took_ms / 1000
    return after_failure(before, now, retry_after_s=posted.retry_after_s or 0, took_s=took_s)
