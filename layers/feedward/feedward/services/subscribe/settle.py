"""Settles a pending subscription as ready or failed, exactly once, and publishes the event (rule R14).

The call is idempotent: the first result counts. A later or concurrent call publishes an event that is still
undelivered.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from feedward.deadline import NO_DEADLINE, Deadline
from feedward.errors import Conflict
from feedward.services.subscribe.subscribe import SubscriptionPorts
from feedward.services.subscribe.subscription_events import tell
from feedward.subscriptions.subscription import Failure, Subscription, failed

_ROUNDS: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A settled subscription. `undelivered` holds the codes of errors that left its event to be delivered later."""

    subscription: Subscription
    undelivered: tuple[str, ...] = ()


def make_ready(
    tenant_id: str | None,
    subscription_id: str,
    feed_id: str,
    *,
    ports: SubscriptionPorts,
    deadline: Deadline = NO_DEADLINE,
) -> Settled | None:
    """Make a pending subscription ready with its feed, with merges resolved, or a duplicate of the one that has it.

    A settled subscription does not change. Returns None if it was deleted. Raises the errors of the store.
    """

    def end(before: Subscription) -> Subscription | None:
        return ports.subscriptions.within(deadline).make_ready(before, feed_id=feed_id, now=ports.clock.now())

    return _settle(tenant_id, subscription_id, end, ports, deadline)


def fail(
    tenant_id: str | None,
    subscription_id: str,
    failure: Failure,
    reason: str,
    *,
    ports: SubscriptionPorts,
    deadline: Deadline = NO_DEADLINE,
) -> Settled | None:
    """Make a pending subscription failed, with a code and a text for people. Otherwise as `make_ready`."""

    def end(before: Subscription) -> Subscription | None:
        after = failed(before, failure=failure, reason=reason, now=ports.clock.now())
        is_saved = ports.subscriptions.within(deadline).save(after)
        # The waiting import entry is completed with it.
        return replace(after, rev=after.rev + 1, import_entry=None) if is_saved else None

    return _settle(tenant_id, subscription_id, end, ports, deadline)


def _settle(
    tenant_id: str | None,
    subscription_id: str,
    end: Callable[[Subscription], Subscription | None],
    ports: SubscriptionPorts,
    deadline: Deadline,
) -> Settled | None:
    for _ in range(_ROUNDS):
        before = ports.subscriptions.within(deadline).get(tenant_id, subscription_id)
        if before is None:
            return None
        after = end(before) if before.is_pending else before
        if after is not None:
            return told_of(after, ports, deadline)
    raise Conflict("the subscription kept changing")


def told_of(subscription: Subscription, ports: SubscriptionPorts, deadline: Deadline) -> Settled:
    """Publish the event of a settled subscription if it is undelivered."""
    code = tell(subscription, subscriptions=ports.subscriptions, bus=ports.bus, deadline=deadline)
    return Settled(subscription=subscription, undelivered=(code,) if code else ())
