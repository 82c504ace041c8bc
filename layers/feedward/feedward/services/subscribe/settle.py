"""A pending subscription becomes ready or failed, once, and the bus hears of it (design section 3).

The same end may be asked for again, late, or by two at once: the first one counts, and what it left untold is told.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from feedward.errors import Conflict
from feedward.services.subscribe.news import tell
from feedward.services.subscribe.subscribe import SubscriptionParts
from feedward.subscriptions.subscription import Failure, Subscription, failed

_ROUNDS: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A subscription as it is in the end. `left_owed` holds the codes of errors that left the news to be told later."""

    subscription: Subscription
    left_owed: tuple[str, ...] = ()


def make_ready(
    tenant_id: str | None, subscription_id: str, feed_id: str, *, parts: SubscriptionParts, within_s: float = math.inf
) -> Settled | None:
    """Give a pending subscription its feed, through all merges; or make it the duplicate of the one that has it.

    One that is over stays as it is. None: it was deleted. Raises what the store raises.
    """
    ends_at = parts.clock.monotonic() + within_s

    def end(before: Subscription) -> Subscription | None:
        left_s = ends_at - parts.clock.monotonic()
        return parts.subscriptions.make_ready(before, feed_id=feed_id, now=parts.clock.now(), within_s=left_s)

    return _settle(tenant_id, subscription_id, end, parts, ends_at)


def fail(
    tenant_id: str | None,
    subscription_id: str,
    failure: Failure,
    reason: str,
    *,
    parts: SubscriptionParts,
    within_s: float = math.inf,
) -> Settled | None:
    """Say of a pending subscription why there is no feed, by name and in words. Otherwise as `make_ready`."""
    ends_at = parts.clock.monotonic() + within_s

    def end(before: Subscription) -> Subscription | None:
        after = failed(before, failure=failure, reason=reason, now=parts.clock.now())
        is_saved = parts.subscriptions.save(after, within_s=ends_at - parts.clock.monotonic())
        return replace(after, rev=after.rev + 1) if is_saved else None

    return _settle(tenant_id, subscription_id, end, parts, ends_at)


def _settle(
    tenant_id: str | None,
    subscription_id: str,
    end: Callable[[Subscription], Subscription | None],
    parts: SubscriptionParts,
    ends_at: float,
) -> Settled | None:
    for _ in range(_ROUNDS):
        left_s = ends_at - parts.clock.monotonic()
        before = parts.subscriptions.get(tenant_id, subscription_id, within_s=left_s)
        if before is None:
            return None
        after = end(before) if before.is_pending else before
        if after is not None:
            return told_of(after, parts, ends_at)
    raise Conflict("the subscription kept changing")


def told_of(subscription: Subscription, parts: SubscriptionParts, ends_at: float) -> Settled:
    """Tell the bus what a subscription that is over owes."""
    code = tell(subscription, subscriptions=parts.subscriptions, bus=parts.bus, clock=parts.clock, ends_at=ends_at)
    return Settled(subscription=subscription, left_owed=(code,) if code else ())
