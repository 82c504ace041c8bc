"""Deliveries beyond a tenant's quota: they are held until it resets, and one event is published (rule K21)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Final

from feedward.access import name_of
from feedward.errors import FeedwardError, QuotaExceeded
from feedward.events.envelope import DELIVERIES_HELD, deliveries_held
from feedward.model import OutboxEntry
from feedward.scheduling.jitter import stable_hash
from feedward.services.webhooks.ports import WebhookPorts
from feedward.ulid import derived_ulid, new_ulid
from feedward.webhooks.delivery import DAY_S, LEASE_S, Delivery

SPREAD_S: Final = 3600
"""Deliveries held by a quota are sent within this time once it resets."""


def hold(delivery: Delivery, exceeded: QuotaExceeded, ports: WebhookPorts) -> None:
    """Make a delivery due when the quota resets, and publish an event. Raises the errors of the store."""
    now = ports.clock.now()
    opens_at = exceeded.opens_at or now - now % DAY_S + DAY_S
    due_at = opens_at + stable_hash(delivery.delivery_id) % SPREAD_S
    ports.deliveries.save(replace(delivery, due_at=due_at, is_waiting=False, holder=""))
    with suppress(FeedwardError):  # the next held delivery publishes it
        _tell(delivery.tenant_id, exceeded.limit, opens_at, ports)


def _tell(tenant_id: str | None, limit: int, opens_at: int, ports: WebhookPorts) -> None:
    """Publish DeliveriesHeld once. If a worker dies here, another one publishes it."""
    now = ports.clock.now()
    told, holder = f"deliveries held of {name_of(tenant_id)}", new_ulid(now)
    if ports.limiter.hold(told, holder=holder, until=min(now + LEASE_S, opens_at), now=now):
        return
    event_id = derived_ulid(opens_at, DELIVERIES_HELD, name_of(tenant_id))
    detail = deliveries_held(event_id=event_id, occurred_at=now, tenant_id=tenant_id, limit=limit, opens_at=opens_at)
    event = OutboxEntry(feed_id="", entry_id=event_id, detail_type=DELIVERIES_HELD, detail=detail)
    if ports.bus.publish([event]):
        ports.limiter.hold(told, holder=holder, until=opens_at, now=now)
