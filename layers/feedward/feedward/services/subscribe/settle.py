"""A pending subscription becomes ready or failed, once, and the bus hears of it (rule R14).

The same end may be asked for again, late, or by two at once: the first one counts, and what it left untold is told.
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
    """A subscription as it ended. `undelivered` holds the codes of errors that left its event to be sent later."""

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
    """Give a pending subscription its feed, through all merges; or make it the duplicate of the one that has it.

    One that is over stays as it is. None: it was deleted. Raises what the store raises.
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
    """Say of a pending subscription why there is no feed, by name and in words. Otherwise as `make_ready`."""

    def end(before: Subscription) -> Subscription | None:
        after = failed(before, failure=failure, reason=reason, now=ports.clock.now())
        is_saved = ports.subscriptions.within(deadline).save(after)
        return replace(after, rev=after.rev + 1) if is_saved else None

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
    """Tell the bus what a subscription that is over owes."""
    code = tell(subscription, subscriptions=ports.subscriptions, bus=ports.bus, deadline=deadline)
    return Settled(subscription=subscription, undelivered=(code,) if code else ())
