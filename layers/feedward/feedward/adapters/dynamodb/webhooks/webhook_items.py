"""Converts webhooks and deliveries to items of WebhooksTable and back.

| `pk` | `sk` | item |
|---|---|---|
| tenant | `HOOK#id`, `HOOKS`, `CLAIM#hash` | a webhook; the ids of all; the claim on a URL for events |
| `tenant#HOOK#id` | `DELIVERY#id`, `WAIT#id`, `JOB#name` | a delivery; the mark of a waiting one; a job |
| `tenant#HOOK#id` | `OK#...`, `FAIL#...` | entries of the attempt log |
| `tenant#BODIES#day` | event id | the body of an event |
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from feedward.access import tenant_named
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import tenant_key
from feedward.model import Outcome
from feedward.scheduling.shards import due_shard
from feedward.webhooks.attempt import Attempt
from feedward.webhooks.circuit_breaker import DisabledBecause, Standing
from feedward.webhooks.delivery import DAY_S, KEPT_S, Delivery, DeliveryStatus, DueJob, Job, WebhookTask
from feedward.webhooks.webhook import SealedSecrets, Webhook, WebhookStatus

HOOK: Final = "HOOK#"
HOOKS: Final = "HOOKS"
DELIVERY: Final = "DELIVERY#"
WAIT: Final = "WAIT#"
JOB: Final = "JOB#"
LOG: Final = {True: "OK#", False: "FAIL#"}
_STANDING: Final = tuple(each.name for each in fields(Standing))
_DELIVERY: Final = tuple(
    each.name for each in fields(Delivery) if each.name not in ("tenant_id", "webhook_id", "delivery_id")
)
_ATTEMPT: Final = tuple(each.name for each in fields(Attempt))
_JOB_KEYS: Final = frozenset({"pk", "sk", "due_at", "due_shard", "due_id", "rev"})


def pk_of(tenant_id: str | None) -> str:
    """Return the partition of a tenant."""
    return tenant_key(tenant_id, "")["tenant_id"]


def tenant_of(pk: str) -> str | None:
    """Return the tenant of a partition."""
    return tenant_named(pk.partition("#")[0])


def webhook_key(tenant_id: str | None, webhook_id: str) -> dict[str, str]:
    """Return the key of a webhook."""
    return {"pk": pk_of(tenant_id), "sk": f"{HOOK}{webhook_id}"}


def hooks_key(tenant_id: str | None) -> dict[str, str]:
    """Return the key of the ids of a tenant's webhooks."""
    return {"pk": pk_of(tenant_id), "sk": HOOKS}


def claim_key(webhook: Webhook) -> dict[str, str]:
    """Return the key of the claim on a URL for events."""
    return {"pk": pk_of(webhook.tenant_id), "sk": f"CLAIM#{webhook.claim}"}


def part_key(tenant_id: str | None, webhook_id: str, sk: str) -> dict[str, str]:
    """Return the key of an item of a webhook's own partition."""
    return {"pk": f"{pk_of(tenant_id)}#{HOOK}{webhook_id}", "sk": sk}


def delivery_key(tenant_id: str | None, webhook_id: str, delivery_id: str) -> dict[str, str]:
    """Return the key of a delivery."""
    return part_key(tenant_id, webhook_id, f"{DELIVERY}{delivery_id}")


def wait_key(delivery: Delivery) -> dict[str, str]:
    """Return the key of the mark of a waiting delivery."""
    return part_key(delivery.tenant_id, delivery.webhook_id, f"{WAIT}{delivery.delivery_id}")


def body_key(delivery: Delivery) -> dict[str, str]:
    """Return the key of the body of an event. The webhooks of a tenant share it."""
    return {"pk": f"{pk_of(delivery.tenant_id)}#BODIES#{delivery.created_at // DAY_S:05d}", "sk": delivery.event_id}


def task_key(task: WebhookTask) -> dict[str, str]:
    """Return the key of the due item: a job or a delivery."""
    if task.what in tuple(Job):
        return part_key(task.tenant_id, task.webhook_id, f"{JOB}{task.what}")
    return delivery_key(task.tenant_id, task.webhook_id, task.what)


# --- webhooks --------------------------------------------------------------------------------------


def webhook_item(webhook: Webhook) -> Item:
    """Return HOOK."""
    return {
        **webhook_key(webhook.tenant_id, webhook.webhook_id),
        "url": webhook.url,
        "events": list(webhook.events),
        "tags": list(webhook.tags),
        "status": webhook.status.value,
        "disabled_because": webhook.disabled_because.value if webhook.disabled_because else None,
        "disabled_at": webhook.disabled_at,
        "secret": webhook.secrets.current,
        "old_secret": webhook.secrets.old,
        "old_secret_until": webhook.secrets.old_until,
        "created_at": webhook.created_at,
        "updated_at": webhook.updated_at,
        "standing": standing_map(webhook.standing),
        "standing_rev": webhook.standing.rev,
        "rev": webhook.rev,
    }


def read_webhook(item: Item) -> Webhook:
    """Return the webhook of HOOK."""
    because = item.get("disabled_because")
    return Webhook(
        tenant_id=tenant_of(item["pk"]),
        webhook_id=item["sk"].removeprefix(HOOK),
        url=item["url"],
        events=tuple(item["events"]),
        tags=tuple(item.get("tags", ())),
        status=WebhookStatus(item["status"]),
        disabled_because=DisabledBecause(because) if because else None,
        disabled_at=item.get("disabled_at"),
        secrets=SealedSecrets(
            current=item["secret"], old=item.get("old_secret"), old_until=item.get("old_secret_until")
        ),
        created_at=item["created_at"],
        updated_at=item["updated_at"],
        standing=Standing(**{**item.get("standing", {}), "rev": item["standing_rev"]}),
        rev=item["rev"],
    )


def standing_map(standing: Standing) -> dict[str, Any]:
    """Return a standing without its rev, which is an attribute of its own."""
    said = {name: getattr(standing, name) for name in _STANDING if name != "rev"}
    return {name: value for name, value in said.items() if value is not None and value is not False}


# --- deliveries ------------------------------------------------------------------------------------


def delivery_attributes(delivery: Delivery) -> Item:
    """Return the attributes of DELIVERY except its key. It is in the due index while it is pending."""
    stored = {name: getattr(delivery, name) for name in _DELIVERY}
    return {
        **stored,
        "status": delivery.status.value,
        "is_waiting": delivery.is_waiting or None,
        "is_charged": delivery.is_charged or None,
        "holder": delivery.holder or None,
        "expires_at": delivery.created_at + KEPT_S,
        **due_attributes(delivery.task, delivery.due_at),
    }


def due_attributes(task: WebhookTask, due_at: int | None) -> Item:
    """Return the attributes that put an item into the due index, or keep it out."""
    if due_at is None:
        return {"due_at": None, "due_shard": None, "due_id": None}
    return {"due_at": due_at, "due_shard": due_shard(task.entry_id), "due_id": task.entry_id}


def read_delivery(item: Item) -> Delivery:
    """Return the delivery of DELIVERY."""
    members: dict[str, Any] = {name: item[name] for name in _DELIVERY if item.get(name) is not None}
    members["status"] = DeliveryStatus(members["status"])
    owner, _, webhook_id = item["pk"].partition(f"#{HOOK}")
    delivery_id = item["sk"].removeprefix(DELIVERY)
    return Delivery(tenant_id=tenant_of(owner), webhook_id=webhook_id, delivery_id=delivery_id, **members)


def read_job(task: WebhookTask, item: Item) -> DueJob:
    """Return the job of JOB."""
    return DueJob(
        tenant_id=task.tenant_id,
        webhook_id=task.webhook_id,
        job=Job(task.what),
        due_at=item["due_at"],
        rev=item["rev"],
        members={name: value for name, value in item.items() if name not in _JOB_KEYS},
    )


# --- the log ---------------------------------------------------------------------------------------


def log_sk(attempt: Attempt) -> str:
    """Return the sort key of a log entry: the time, then a unique part."""
    return f"{LOG[attempt.has_arrived]}{attempt.at_ms:015d}#{attempt.delivery_id}#{attempt.number:02d}"


def attempt_attributes(attempt: Attempt, *, expires_at: int) -> Item:
    """Return the attributes of a log entry except its key."""
    return {**{name: getattr(attempt, name) for name in _ATTEMPT}, "expires_at": expires_at}


def read_attempt(item: Item) -> Attempt:
    """Return the attempt of a log entry."""
    members = {name: item[name] for name in _ATTEMPT if name in item}
    return Attempt(**{**members, "outcome": Outcome(members["outcome"])})
