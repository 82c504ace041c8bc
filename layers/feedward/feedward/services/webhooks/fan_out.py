"""Fans out an event of the bus: one delivery for each webhook that selects it (rules K1, K2, K18, K19).

Followers of a feed are read page by page. A killed fan-out is repeated without duplicates, because the ids of
deliveries are derived from the event.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from feedward.deadline import Deadline
from feedward.events.envelope import FEED_MOVED
from feedward.ports.webhooks import Follower
from feedward.services.webhooks.ports import WebhookPorts, send_tasks
from feedward.webhooks.body import body_of
from feedward.webhooks.delivery import SENT_AGAIN_WITHIN_S, UNTOLD_S, Delivery, DeliveryStatus, delivery_id_of
from feedward.webhooks.events import BusEvent
from feedward.webhooks.webhook import Webhook, WebhookStatus

FOLLOWERS_AT_ONCE: Final = 100
RESERVE_S: Final = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class FannedOut:
    """The number of deliveries of an event. `left` is the event with the cursor, if the time ran out."""

    deliveries: int = 0
    left: BusEvent | None = None


def fan_out(event: BusEvent, *, ports: WebhookPorts, deadline: Deadline) -> FannedOut:
    """Write the deliveries of an event and send them, unless its tenant was deleted (rule TN5).

    Raises the errors of the stores.
    """
    if event.tenant_id is not None and ports.tenants.is_gone(event.tenant_id):
        return FannedOut()
    if event.feed_id is None:
        follower = Follower(tenant_id=event.tenant_id, subscription_id=str(event.detail.get("subscription_id")))
        return FannedOut(deliveries=_for_tenants(event, [follower], ports))
    return _of_feed(event, event.feed_id, ports, deadline)


def _of_feed(event: BusEvent, feed_id: str, ports: WebhookPorts, deadline: Deadline) -> FannedOut:
    """Process the followers of a feed, and of the feed that it was merged into."""
    into = event.detail.get("merged_into") if event.detail_type == FEED_MOVED else None
    feeds = [feed_id, *([into] if isinstance(into, str) else [])]
    made, place, after = 0, event.place, event.after
    while place < len(feeds):
        page = ports.webhooks.followers(feeds[place], after=after, limit=FOLLOWERS_AT_ONCE)
        made += _for_tenants(event, _of_owner(event, page.followers), ports)
        after = page.after
        place += after is None
        if place < len(feeds) and deadline.left_s() < RESERVE_S:
            return FannedOut(deliveries=made, left=event.going_on(place, after))
    return FannedOut(deliveries=made)


def _of_owner(event: BusEvent, followers: Iterable[Follower]) -> list[Follower]:
    """The followers that may get the event: for a private feed its owner only (rule K19)."""
    return [each for each in followers if event.tenant_id is None or each.tenant_id == event.tenant_id]


def _for_tenants(event: BusEvent, followers: Sequence[Follower], ports: WebhookPorts) -> int:
    with_webhooks = ports.webhooks.with_webhooks({each.tenant_id for each in followers}) if followers else frozenset()
    concerned = [each for each in followers if each.tenant_id in with_webhooks]
    of_tenant = {tenant_id: ports.webhooks.of_tenant(tenant_id) for tenant_id in with_webhooks}
    tags = _tags(concerned, of_tenant, ports)
    made = 0
    for tenant_id, webhooks in of_tenant.items():
        wanted = [each for each in webhooks if each.wants(event.type, tags.get(tenant_id))]
        made += _deliver(event, [each for each in wanted if each.status is not WebhookStatus.UNTESTED], ports)
    return made


def _tags(
    followers: Sequence[Follower],
    of_tenant: Mapping[str | None, Sequence[Webhook]],
    ports: WebhookPorts,
) -> dict[str | None, frozenset[str]]:
    """The tags under which each tenant follows the feed, for tenants with a webhook that selects tags."""
    asking = [each for each in followers if any(webhook.tags for webhook in of_tenant[each.tenant_id])]
    found: dict[str | None, frozenset[str]] = {each.tenant_id: frozenset() for each in asking}
    for follower, tags in ports.webhooks.tags(asking).items() if asking else ():
        found[follower.tenant_id] |= frozenset(tags)
    return found


def _deliver(event: BusEvent, webhooks: Sequence[Webhook], ports: WebhookPorts) -> int:
    """Write the deliveries of one tenant and send them. Those of a disabled webhook are kept for a replay."""
    if not webhooks:
        return 0
    now = ports.clock.now()
    new = [_delivery(event, webhook, now) for webhook in webhooks if _is_kept(webhook, now)]
    if not new:
        return 0
    opened = ports.deliveries.open(body_of(event.type, event.detail), new)
    send_tasks([each.task for each in opened], ports)
    return len(new)


def _is_kept(webhook: Webhook, now: int) -> bool:
    """Return whether a delivery can be sent, now or by a replay."""
    return webhook.disabled_at is None or now - webhook.disabled_at <= SENT_AGAIN_WITHIN_S


def _delivery(event: BusEvent, webhook: Webhook, now: int) -> Delivery:
    is_live = webhook.status is WebhookStatus.LIVE
    return Delivery(
        tenant_id=webhook.tenant_id,
        webhook_id=webhook.webhook_id,
        delivery_id=delivery_id_of(event.event_id, webhook.webhook_id, event.occurred_at),
        event_id=event.event_id,
        type=event.type,
        happened_at=event.occurred_at,
        created_at=now,
        status=DeliveryStatus.PENDING if is_live else DeliveryStatus.DROPPED,
        due_at=now + UNTOLD_S if is_live else None,
    )
