"""The delivery log, and re-delivery: of one delivery, or of all failed ones since a time (rules K9, K15, K17)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from feedward.access.caller import Caller
from feedward.errors import Conflict, InvalidInput, NotFound, WrongState
from feedward.services.webhooks.manage import find_webhook
from feedward.services.webhooks.ports import WebhookPorts, send_tasks
from feedward.ulid import derived_ulid
from feedward.webhooks.attempt import FAILURES, SUCCESSES, Attempt
from feedward.webhooks.delivery import (
    SENT_AGAIN_WITHIN_S,
    UNTOLD_S,
    Delivery,
    DeliveryStatus,
    DueJob,
    Job,
)
from feedward.webhooks.webhook import Webhook, WebhookStatus

_ROUNDS = 10


def list_attempts(
    caller: Caller, webhook_id: str, *, ports: WebhookPorts, outcome: str | None = None, limit: int = 50
) -> Sequence[Attempt]:
    """Return the last attempts, newest first (GET /v1/webhooks/{id}/deliveries): of 100 successes and 1,000 failures.

    `outcome` is `delivered` or `failed`; None is both. Raises NotFound, and the errors of the store.
    """
    find_webhook(caller, webhook_id, ports=ports)
    kinds = {True: SUCCESSES, False: FAILURES}
    wanted = [has for has in kinds if outcome in (None, "delivered" if has else "failed")]
    found = [
        attempt
        for has in wanted
        for attempt in ports.deliveries.logged(
            caller.tenant_id, webhook_id, has_arrived=has, limit=min(kinds[has], limit)
        )
    ]
    return sorted(found, key=lambda attempt: attempt.at_ms, reverse=True)[:limit]


def redeliver(caller: Caller, webhook_id: str, delivery_id: str, *, ports: WebhookPorts) -> Delivery:
    """Send one delivery again, with its webhook-id (POST /v1/webhooks/{id}/deliveries/{delivery_id}/redeliver).

    A pending one is sent now. Raises NotFound for one that is unknown or older than 7 days, WrongState if the webhook
    is not live, and the errors of the stores.
    """
    _live(find_webhook(caller, webhook_id, ports=ports))
    for _ in range(_ROUNDS):
        found, now = ports.deliveries.get(caller.tenant_id, webhook_id, delivery_id), ports.clock.now()
        if found is None or now - found.created_at > SENT_AGAIN_WITHIN_S:
            raise NotFound("there is no delivery of the last 7 days with this id")
        if found.status is DeliveryStatus.PENDING and found.is_waiting:
            return found  # its receiver is on hold: it is sent with the others
        begun = replace(
            found, status=DeliveryStatus.PENDING, attempts=0, due_at=now + UNTOLD_S, holder="", is_waiting=False
        )
        saved = ports.deliveries.save(begun)
        if saved is not None:
            send_tasks([saved.task], ports)
            return saved
    raise Conflict("the delivery kept changing")


def replay_since(caller: Caller, webhook_id: str, since: int, *, ports: WebhookPorts) -> DueJob:
    """Send the undelivered events since a time again, in epoch seconds (POST /v1/webhooks/{id}/replay).

    They are sent oldest first, 5 at a time. Raises InvalidInput (`since`), NotFound, WrongState if the webhook is not
    live, and the errors of the stores.
    """
    now = ports.clock.now()
    if not now - SENT_AGAIN_WITHIN_S <= since <= now:
        raise InvalidInput("since", "expected a time of the last 7 days, in epoch seconds")
    webhook = _live(find_webhook(caller, webhook_id, ports=ports))
    # No delivery has this id: those of earlier seconds sort below it, those of this second above.
    after = derived_ulid(since, "since")[:10] + "0" * 16
    members = {"after": after}
    job = ports.deliveries.put_job(webhook.tenant_id, webhook_id, Job.REPLAY, due_at=now, members=members)
    send_tasks([job.task], ports)
    return job


def _live(webhook: Webhook) -> Webhook:
    if webhook.status is not WebhookStatus.LIVE:
        raise WrongState("the webhook is not live; a test event that arrives makes it so")
    return webhook
