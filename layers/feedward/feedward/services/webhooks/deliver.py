"""One task of a delivery: the decision to send, the attempt, and its effects (rules K3 to K10, K14, K16, K19).

The row is claimed before the POST and closed right after it. A receiver gets an event twice only if a worker dies
between a 2xx and the next write.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Final

from feedward.access import name_of
from feedward.errors import FeedwardError, QuotaExceeded
from feedward.scheduling.lateness import LEAST_AHEAD_S, LONGEST_DELAY_S
from feedward.services.webhooks.attempt_leases import Places
from feedward.services.webhooks.ports import WebhookPorts, send_tasks
from feedward.services.webhooks.record_attempt import Recorder
from feedward.ulid import new_ulid
from feedward.urls.safety import host_of_url
from feedward.webhooks.attempt import Attempt, Posted, answer_text, next_attempt_at
from feedward.webhooks.circuit_breaker import begin_probe
from feedward.webhooks.delivery import LEASE_S, Delivery, DeliveryStatus, WebhookTask
from feedward.webhooks.events import TEST
from feedward.webhooks.receiver_url import shown_hash
from feedward.webhooks.retry_schedule import ATTEMPTS
from feedward.webhooks.signing import signed_headers
from feedward.webhooks.webhook import Webhook, WebhookStatus

ATTEMPT_S: Final = 15.0
WAITS_AT_MOST_S: Final = 3600
"""A delivery that waits for its receiver is due again after this, even if its waiting mark was lost."""


class Result(StrEnum):
    """The result of a task.

    - delivered, failed (the attempt)
    - held: it waits for its receiver; dropped: its webhook is not live; stale: another worker had it
    - over_quota: it waits until its tenant's quota resets
    - job: a job of the webhook was done
    """

    DELIVERED = "delivered"
    FAILED = "failed"
    HELD = "held"
    DROPPED = "dropped"
    STALE = "stale"
    OVER_QUOTA = "over_quota"
    JOB = "job"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskAnswer:
    """The result of a task, with the attempt if there was one. `is_first`: the first attempt at its delivery.

    `waited_s` is the time from the event to the attempt.
    """

    task: WebhookTask
    result: Result
    attempt: Attempt | None = None
    is_first: bool = False
    waited_s: int = 0


class _Taken(Exception):
    """Another worker has the delivery, so nothing was done: the charge is refunded."""


@dataclass(slots=True)
class Deliverer:
    """Processes tasks of deliveries. One object serves all threads of a batch.

    `is_patient`: it also sends to receivers that fail slowly, which would delay the first attempts at others. Only
    scheduled calls are patient (rule K11). `is_gone` reads once for each tenant whether it was deleted (rule TN5).
    """

    ports: WebhookPorts
    places: Places
    recorder: Recorder
    is_gone: Callable[[str | None], bool]
    is_patient: bool = False

    @classmethod
    def over(cls, ports: WebhookPorts, *, is_patient: bool = False) -> Deliverer:
        """Return a deliverer with these ports."""
        is_gone = cache(lambda tenant_id: tenant_id is not None and ports.tenants.is_gone(tenant_id))
        return cls(ports, Places(ports), Recorder(ports), is_gone, is_patient)

    def take(self, task: WebhookTask) -> TaskAnswer:
        """Process the task of a delivery. Raises HostBusy, and the errors of the stores up to the claim."""
        webhook, delivery = self.ports.deliveries.task(task)
        if delivery is None or delivery.rev != task.rev or delivery.status is not DeliveryStatus.PENDING:
            return TaskAnswer(task=task, result=Result.STALE)
        if webhook is None or not _is_wanted(webhook, delivery) or self.is_gone(delivery.tenant_id):
            return self._drop(task, delivery)
        if delivery.attempts >= ATTEMPTS:  # workers died in the last ones
            return self._drop(task, delivery, DeliveryStatus.FAILED)
        now = self.ports.clock.now()
        if delivery.type != TEST and not self._may_ask(webhook, now):
            return self._wait(task, webhook, delivery)
        with self.places.taken(webhook, delivery.delivery_id):
            if delivery.type != TEST and webhook.standing.needs_probe(now) and not self._begin_probe(webhook, now):
                return self._wait(task, webhook, delivery)
            return self._attempt(task, webhook, delivery)

    def _may_ask(self, webhook: Webhook, now: int) -> bool:
        standing = webhook.standing
        return not standing.is_held(now) and (self.is_patient or not standing.is_slow)

    # --- not now ----------------------------------------------------------------------------------

    def _drop(
        self, task: WebhookTask, delivery: Delivery, status: DeliveryStatus = DeliveryStatus.DROPPED
    ) -> TaskAnswer:
        """End a delivery whose webhook or tenant was deleted, or whose webhook is not live (rules K19, TN5).

        A replay can send it later.
        """
        self.ports.deliveries.save(replace(delivery, status=status, due_at=None, is_waiting=False, holder=""))
        return TaskAnswer(task=task, result=Result.DROPPED)

    def _wait(self, task: WebhookTask, webhook: Webhook, delivery: Delivery) -> TaskAnswer:
        held_until = webhook.standing.held_until or 0
        now = self.ports.clock.now()
        self.ports.deliveries.wait(delivery, until=max(held_until, now) + WAITS_AT_MOST_S)
        return TaskAnswer(task=task, result=Result.HELD)

    def _begin_probe(self, webhook: Webhook, now: int) -> bool:
        """Return whether this delivery is the probe of the receiver."""
        return self.ports.webhooks.save_standing(webhook, begin_probe(webhook.standing, now)) is None

    def _hold(self, task: WebhookTask, delivery: Delivery, exceeded: QuotaExceeded) -> TaskAnswer:
        from feedward.services.webhooks.quota import hold  # noqa: PLC0415 - few deliveries are beyond a quota

        hold(delivery, exceeded, self.ports)
        self._forget_waiting(delivery)
        return TaskAnswer(task=task, result=Result.OVER_QUOTA)

    # --- the attempt ------------------------------------------------------------------------------

    def _attempt(self, task: WebhookTask, webhook: Webhook, delivery: Delivery) -> TaskAnswer:
        ports, at_ms = self.ports, self.ports.clock.now_ms()
        try:
            claimed = self._claim(delivery)
        except QuotaExceeded as exceeded:
            return self._hold(task, delivery, exceeded)
        if claimed is None:
            return TaskAnswer(task=task, result=Result.STALE)
        posted = self._post(webhook, claimed)
        if posted is None:
            return self._drop(task, claimed)
        attempt = _attempt_of(webhook, claimed, posted, at_ms=at_ms, took_ms=ports.clock.now_ms() - at_ms)
        if posted.has_arrived:
            self._close(webhook, claimed, posted)
        else:
            attempt = replace(attempt, next_at=self._again(claimed, posted))
        self.recorder.record(webhook, claimed, posted, attempt)
        return TaskAnswer(
            task=task,
            result=Result.DELIVERED if posted.has_arrived else Result.FAILED,
            attempt=attempt,
            is_first=claimed.attempts == 1,
            waited_s=max(at_ms // 1000 - delivery.created_at, 0),
        )

    def _claim(self, delivery: Delivery) -> Delivery | None:
        """Claim a delivery for an attempt. The first attempt is charged; tests and re-deliveries are free.

        Returns None if another worker has it. Raises QuotaExceeded, and the errors of the stores.
        """
        holder, until = new_ulid(self.ports.clock.now()), self.ports.clock.now() + LEASE_S
        if delivery.type == TEST or delivery.is_charged or delivery.attempts:
            return self.ports.deliveries.claim(delivery, holder=holder, until=until)
        with suppress(_Taken), self.ports.charges.charged_to(delivery.tenant_id, "deliveries"):
            claimed = self.ports.deliveries.claim(replace(delivery, is_charged=True), holder=holder, until=until)
            if claimed is not None:
                return claimed
            raise _Taken("another worker has the delivery")
        return None

    def _post(self, webhook: Webhook, delivery: Delivery) -> Posted | None:
        """Sign and send. None if the body has expired."""
        ports = self.ports
        body = ports.deliveries.body(delivery)
        if body is None:
            return None
        now = ports.clock.now()
        place = secret_place(webhook)
        signing = [ports.secrets.open(sealed, place=place) for sealed in webhook.secrets.signing(now)]
        headers = signed_headers(signing, message_id=delivery.delivery_id, timestamp=now, body=body)
        return ports.poster.post(webhook.url, body=body, headers=headers, within_s=ATTEMPT_S)

    def _close(self, webhook: Webhook, delivery: Delivery, posted: Posted) -> None:
        """Record a successful delivery. A delivered test first makes its webhook live (rule K12)."""
        if delivery.type == TEST:
            self.recorder.make_live(webhook, delivery)
        self._end(delivery, posted, DeliveryStatus.DELIVERED)

    def _again(self, delivery: Delivery, posted: Posted) -> int | None:
        """Record a failed attempt, and schedule the next one. Returns its time, None if there is none."""
        now = self.ports.clock.now()
        at = next_attempt_at(delivery, posted, now) if delivery.type != TEST else None
        if at is None:
            self._end(delivery, posted, DeliveryStatus.FAILED)
            return None
        is_sent = at - now <= LONGEST_DELAY_S
        due_at = at + LEAST_AHEAD_S if is_sent else at
        saved = self.ports.deliveries.save(_tried(delivery, posted, due_at))
        if saved is not None and is_sent:
            send_tasks([saved.task], self.ports, delay_s=at - now)
        self._forget_waiting(delivery)
        return at

    def _end(self, delivery: Delivery, posted: Posted, status: DeliveryStatus) -> None:
        self.ports.deliveries.save(replace(_tried(delivery, posted, None), status=status))
        self._forget_waiting(delivery)

    def _forget_waiting(self, delivery: Delivery) -> None:
        if delivery.is_waiting:
            with suppress(FeedwardError):  # a reader of the mark sees that nothing waits
                self.ports.deliveries.waits_no_more(delivery)


def secret_place(webhook: Webhook) -> dict[str, str]:
    """Return the encryption context that binds a secret to its webhook."""
    return {"tenant": name_of(webhook.tenant_id), "webhook": webhook.webhook_id}


def _is_wanted(webhook: Webhook, delivery: Delivery) -> bool:
    if delivery.type == TEST:
        return not webhook.is_switched_off_since(delivery.created_at)
    return webhook.status is WebhookStatus.LIVE


def _tried(delivery: Delivery, posted: Posted, due_at: int | None) -> Delivery:
    return replace(
        delivery,
        due_at=due_at,
        is_waiting=False,
        last_outcome=posted.outcome.value,
        last_status=posted.status,
    )


def _attempt_of(webhook: Webhook, delivery: Delivery, posted: Posted, *, at_ms: int, took_ms: int) -> Attempt:
    return Attempt(
        delivery_id=delivery.delivery_id,
        event_type=delivery.type,
        number=delivery.attempts,
        at_ms=at_ms,
        took_ms=took_ms,
        outcome=posted.outcome,
        status=posted.status,
        answer=answer_text(posted),
        host=host_of_url(webhook.url),
        url_hash=shown_hash(webhook.url),
    )
