"""The events of a subscription: its discovery is requested, it is ready, or it failed (rule B3).

The id of an event is derived from its content, so it is an idempotency key: receivers recognize a duplicate.
"""

from __future__ import annotations

from typing import Final

from feedward.deadline import NO_DEADLINE, Deadline
from feedward.errors import BusUnavailable, FeedwardError
from feedward.events.envelope import (
    SUBSCRIPTION_CREATED,
    SUBSCRIPTION_FAILED,
    SUBSCRIPTION_READY,
    subscription_created,
    subscription_failed,
    subscription_ready,
)
from feedward.model import OutboxEntry
from feedward.ports import EventBus, Subscriptions
from feedward.subscriptions.subscription import Subscription, SubscriptionStatus, told
from feedward.ulid import derived_ulid

_ROUNDS: Final = 3
_NEWS: Final = {
    SubscriptionStatus.PENDING: (SUBSCRIPTION_CREATED, subscription_created),
    SubscriptionStatus.READY: (SUBSCRIPTION_READY, subscription_ready),
    SubscriptionStatus.FAILED: (SUBSCRIPTION_FAILED, subscription_failed),
}


def ask_for_search(subscription: Subscription, *, bus: EventBus, deadline: Deadline = NO_DEADLINE) -> str | None:
    """Publish the event that requests the discovery of a pending subscription. Its mark stays until it is settled.

    Returns None, or the code of the error that left the event undelivered. Does not raise errors of the bus.
    """
    return _publish(news_of(subscription), bus, deadline)


def tell(
    subscription: Subscription, *, subscriptions: Subscriptions, bus: EventBus, deadline: Deadline = NO_DEADLINE
) -> str | None:
    """Publish the event of a settled subscription if it is undelivered, and then mark it as delivered.

    Returns None, or the code of the error that left it undelivered. Does not raise errors of the store or the bus.
    """
    if not subscription.has_news_to_publish:
        return None
    code = _publish(news_of(subscription), bus, deadline)
    if code is not None:
        return code
    try:
        _cross_out(subscription, subscriptions.within(deadline))
    except FeedwardError as error:
        return error.code
    return None


def news_of(subscription: Subscription) -> OutboxEntry:
    """Return the event for the subscription's status."""
    detail_type, make = _NEWS[subscription.status]
    happened_at = subscription.settled_at or subscription.asked_at
    event_id = derived_ulid(happened_at, detail_type, subscription.subscription_id)
    return OutboxEntry(
        feed_id="", entry_id=event_id, detail_type=detail_type, detail=make(subscription, event_id=event_id)
    )


def _publish(event: OutboxEntry, bus: EventBus, deadline: Deadline) -> str | None:
    try:
        taken = bus.within(deadline).publish([event])
    except FeedwardError as error:
        return error.code
    return None if taken else BusUnavailable.code


def _cross_out(subscription: Subscription, subscriptions: Subscriptions) -> None:
    """Mark the event as delivered, with retries if another request writes the subscription meanwhile."""
    current: Subscription | None = subscription
    for _ in range(_ROUNDS):
        if current is None or not current.has_news_to_publish or current.settled_at != subscription.settled_at:
            return
        if subscriptions.save(told(current)):
            return
        current = subscriptions.get(subscription.tenant_id, subscription.subscription_id)
