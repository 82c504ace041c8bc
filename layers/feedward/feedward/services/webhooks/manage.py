"""Manages a tenant's webhooks: create, change, rotate the secret, test, delete (rules K5, K9, K12, K13, K21).

A webhook is live only after a signed test event was delivered, because its URL may belong to a stranger.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Final

from feedward.access.caller import Caller
from feedward.errors import Conflict, NotFound, WrongState
from feedward.services.webhooks.deliver import secret_place
from feedward.services.webhooks.ports import WebhookPorts, send_tasks
from feedward.subscriptions.labels import clean_tags
from feedward.ulid import new_ulid
from feedward.urls.safety import host_of_url
from feedward.webhooks.body import body_of
from feedward.webhooks.circuit_breaker import DisabledBecause
from feedward.webhooks.delivery import UNTOLD_S, Delivery, delivery_id_of
from feedward.webhooks.events import TEST, chosen_types
from feedward.webhooks.receiver_url import receiver_url
from feedward.webhooks.signing import new_secret, written_secret
from feedward.webhooks.webhook import (
    WEBHOOKS_AT_MOST,
    SealedSecrets,
    Webhook,
    WebhookStatus,
    changed,
    disabled,
    rotated,
)

TEST_PAUSE_S: Final = 10
"""A webhook is sent a test event at most this often, on request or after a change."""
HOST_PAUSE_S: Final = 1
"""The minimum interval of a host's test events from all webhooks: it may belong to a stranger (rule K12)."""
HOST_WAIT_S: Final = 60
_ROUNDS: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class WithSecret:
    """A webhook and its secret, shown only at its creation and at a rotation. None: the webhook existed before."""

    webhook: Webhook
    secret: str | None = field(default=None, repr=False)


def create_webhook(
    caller: Caller,
    url: str,
    *,
    events: Sequence[str],
    ports: WebhookPorts,
    tags: Sequence[str] = (),
    own_host: str = "",
) -> WithSecret:
    """Create a webhook and send it a test event (POST /v1/webhooks), or return an existing one with the same settings.

    `own_host` is the host under which the caller reached the API. Raises InvalidInput (`url`, `events`, `tags[3]`),
    WrongState for too many webhooks, and the errors of the stores.
    """
    now, secret = ports.clock.now(), new_secret()
    webhook = Webhook(
        tenant_id=caller.tenant_id,
        webhook_id=new_ulid(now),
        url=receiver_url(url, (*ports.own_hosts, own_host)),
        events=chosen_types(events),
        tags=clean_tags(tags),
        secrets=SealedSecrets(current=""),
        created_at=now,
        updated_at=now,
    )
    sealed = ports.secrets.seal(secret, place=secret_place(webhook))
    webhook = replace(webhook, secrets=SealedSecrets(current=sealed))
    delay_s = _slot_of_host(webhook, ports)
    stored = ports.webhooks.create(webhook, at_most=WEBHOOKS_AT_MOST)
    if stored is None:
        raise WrongState(f"a tenant has at most {WEBHOOKS_AT_MOST} webhooks")
    if stored.webhook_id != webhook.webhook_id:
        return WithSecret(webhook=stored)
    _send_test(stored, ports, delay_s)
    return WithSecret(webhook=stored, secret=written_secret(secret))


def list_webhooks(caller: Caller, *, ports: WebhookPorts) -> Sequence[Webhook]:
    """Return the tenant's webhooks, oldest first (GET /v1/webhooks)."""
    return ports.webhooks.of_tenant(caller.tenant_id)


def find_webhook(caller: Caller, webhook_id: str, *, ports: WebhookPorts) -> Webhook:
    """Return the tenant's webhook (GET /v1/webhooks/{id}). Raises NotFound, also for another tenant's (rule I8)."""
    found = ports.webhooks.get(caller.tenant_id, webhook_id)
    if found is None:
        raise NotFound("there is no webhook with this id")
    return found


def change_webhook(
    caller: Caller,
    webhook_id: str,
    *,
    ports: WebhookPorts,
    url: str | None = None,
    events: Sequence[str] | None = None,
    tags: Sequence[str] | None = None,
    enabled: bool | None = None,
    own_host: str = "",
) -> Webhook:
    """Change a webhook (PATCH /v1/webhooks/{id}). With another URL, or enabled again, it is tested before it is live.

    Raises as `create_webhook` and `find_webhook` do, and WrongState if another webhook has the URL and events.
    """
    now = ports.clock.now()
    receiver = receiver_url(url, (*ports.own_hosts, own_host)) if url is not None else None
    types = chosen_types(events) if events is not None else None
    labels = clean_tags(tags) if tags is not None else None

    def change(before: Webhook) -> Webhook:
        after = changed(before, now, url=receiver, events=types, tags=labels)
        if enabled is False and after.status is not WebhookStatus.DISABLED:
            return disabled(after, DisabledBecause.OWNER, now)
        return after

    before, after = _saved(caller, webhook_id, change, ports)
    is_enabled = enabled is True and after.status is WebhookStatus.DISABLED
    if is_enabled or (after.url != before.url and after.status is not WebhookStatus.DISABLED):
        with suppress(WrongState):  # a test can be requested later
            delay_s = _slot_of_webhook(after, ports, wait_s=HOST_WAIT_S, since=after.created_at + TEST_PAUSE_S)
            _send_test(after, ports, max(delay_s, _slot_of_host(after, ports)))
    return after


def rotate_secret(caller: Caller, webhook_id: str, *, ports: WebhookPorts) -> WithSecret:
    """Give a webhook a new secret (POST /v1/webhooks/{id}/rotate). The old one also signs for another day."""
    found, secret = find_webhook(caller, webhook_id, ports=ports), new_secret()
    sealed = ports.secrets.seal(secret, place=secret_place(found))
    _, after = _saved(caller, webhook_id, lambda before: rotated(before, sealed, ports.clock.now()), ports)
    return WithSecret(webhook=after, secret=written_secret(secret))


def delete_webhook(caller: Caller, webhook_id: str, *, ports: WebhookPorts) -> None:
    """Delete a webhook (DELETE /v1/webhooks/{id}). Pending deliveries end at their next task (rule K19)."""
    for _ in range(_ROUNDS):
        if ports.webhooks.delete(find_webhook(caller, webhook_id, ports=ports)):
            return
    raise Conflict("the webhook kept changing")


def send_test_event(caller: Caller, webhook_id: str, *, ports: WebhookPorts) -> Delivery:
    """Send a test event, which makes the webhook live if delivered (POST /v1/webhooks/{id}/test).

    Raises WrongState if one was sent in the last 10 seconds.
    """
    webhook = find_webhook(caller, webhook_id, ports=ports)
    _slot_of_webhook(webhook, ports)
    return _send_test(webhook, ports, _slot_of_host(webhook, ports))


def _send_test(webhook: Webhook, ports: WebhookPorts, delay_s: int) -> Delivery:
    now = ports.clock.now()
    event_id = new_ulid(now)
    detail = {"id": event_id, "occurred_at": now, "webhook_id": webhook.webhook_id}
    delivery = Delivery(
        tenant_id=webhook.tenant_id,
        webhook_id=webhook.webhook_id,
        delivery_id=delivery_id_of(event_id, webhook.webhook_id, now),
        event_id=event_id,
        type=TEST,
        happened_at=now,
        created_at=webhook.time_of_test(now),
        due_at=now + UNTOLD_S + delay_s,
    )
    opened = ports.deliveries.open(body_of(TEST, detail), [delivery])
    send_tasks([each.task for each in opened], ports, delay_s=delay_s)
    return delivery


def _slot_of_webhook(webhook: Webhook, ports: WebhookPorts, *, wait_s: int = 0, since: int = 0) -> int:
    """Return the seconds until the webhook may get another test event, the earliest at `since`.

    Raises WrongState for more than `wait_s` seconds after that: any number of changes sends no more events.
    """
    now_ms = ports.clock.now_ms()
    from_ms = max(now_ms, since * 1000)
    wait_ms = ports.limiter.take_slot(
        f"webhook test {webhook.webhook_id}", now_ms=from_ms, pause_ms=TEST_PAUSE_S * 1000, wait_ms=wait_s * 1000
    )
    if wait_ms > wait_s * 1000:
        raise WrongState(f"a test event was sent less than {TEST_PAUSE_S} seconds ago")
    return math.ceil((from_ms - now_ms + wait_ms) / 1000)


def _slot_of_host(webhook: Webhook, ports: WebhookPorts) -> int:
    """Return the seconds until the host may get another test event. Raises WrongState if too many wait for it."""
    wait_ms = ports.limiter.take_slot(
        f"webhook tests at {host_of_url(webhook.url)}",
        now_ms=ports.clock.now_ms(),
        pause_ms=HOST_PAUSE_S * 1000,
        wait_ms=HOST_WAIT_S * 1000,
    )
    if wait_ms > HOST_WAIT_S * 1000:
        raise WrongState("this host gets too many test events; send another one in a minute")
    return math.ceil(wait_ms / 1000)


def _saved(
    caller: Caller, webhook_id: str, change: Callable[[Webhook], Webhook], ports: WebhookPorts
) -> tuple[Webhook, Webhook]:
    """Read, change and write a webhook, with retries after concurrent writes. Returns it before and after."""
    for _ in range(_ROUNDS):
        before = find_webhook(caller, webhook_id, ports=ports)
        after = change(before)
        if ports.webhooks.save(before, after):
            return before, after
    raise Conflict("the webhook kept changing")
