"""Reconcile pass of subscriptions: requests abandoned searches again, and publishes undelivered events (rule I7)."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from feedward.deadline import Deadline
from feedward.errors import FeedwardError
from feedward.services.subscribe.settle import fail
from feedward.services.subscribe.subscribe import SubscriptionPorts
from feedward.services.subscribe.subscription_events import ask_for_search, tell
from feedward.subscriptions.subscription import GIVEN_UP, TRIES_AT_MOST, Failure, Subscription, tried_again

PENDING_S: Final = 5 * 60
AT_ONCE: Final = 5000


class _Done(StrEnum):
    SENT = "sent"
    FAILED = "failed"
    TOLD = "told"
    LEFT = "left"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resent:
    """The result of one pass: searches requested again, subscriptions failed, events published, and the rest."""

    sent: int
    failed: int
    told: int
    left: int

    @property
    def resumed(self) -> int:
        """The number of subscriptions that made progress."""
        return self.sent + self.failed + self.told


def resend_pending(*, ports: SubscriptionPorts, limit: int = AT_ONCE, within_s: float = math.inf) -> Resent:
    """Process subscriptions that have been pending for 5 minutes: up to `limit`, oldest first in each shard.

    A search that was requested 5 times has failed. Two concurrent passes count one try. A failure does not stop the
    other subscriptions. Raises the errors of the store if the pending ones cannot be listed.
    """
    deadline = Deadline.after(within_s, ports.clock.monotonic)
    before = ports.clock.now() - PENDING_S
    done: Counter[_Done] = Counter()
    for tenant_id, subscription_id in ports.subscriptions.within(deadline).pending(before=before, limit=limit):
        if deadline.left_s() <= 0:
            break
        try:
            done[_attend(tenant_id, subscription_id, before, ports, deadline)] += 1
        except FeedwardError:
            done[_Done.LEFT] += 1
    return Resent(sent=done[_Done.SENT], failed=done[_Done.FAILED], told=done[_Done.TOLD], left=done[_Done.LEFT])


def _attend(
    tenant_id: str | None, subscription_id: str, before: int, ports: SubscriptionPorts, deadline: Deadline
) -> _Done:
    """Process one subscription. The index lags: the subscription may be settled, or tried again a moment ago."""
    found = ports.subscriptions.within(deadline).get(tenant_id, subscription_id)
    if found is None or found.pending_since is None or found.pending_since > before:
        return _Done.NOTHING
    if found.has_news_to_publish:
        return _tell(found, ports, deadline)
    return _ask(found, ports, deadline) if found.tries < TRIES_AT_MOST else _give_up(found, ports, deadline)


def _tell(found: Subscription, ports: SubscriptionPorts, deadline: Deadline) -> _Done:
    """Publish the event. If the bus does not accept it, move it to the end of the index, so that it blocks no other."""
    code = tell(found, subscriptions=ports.subscriptions, bus=ports.bus, deadline=deadline)
    if code is None:
        return _Done.TOLD
    ports.subscriptions.within(deadline).save(replace(found, pending_since=ports.clock.now()))
    return _Done.LEFT


def _ask(found: Subscription, ports: SubscriptionPorts, deadline: Deadline) -> _Done:
    """Count the try first: if this process dies then, another pass sends the request."""
    again = tried_again(found, now=ports.clock.now())
    if not ports.subscriptions.within(deadline).save(again):
        return _Done.NOTHING
    code = ask_for_search(again, bus=ports.bus, deadline=deadline)
    return _Done.LEFT if code else _Done.SENT


def _give_up(found: Subscription, ports: SubscriptionPorts, deadline: Deadline) -> _Done:
    settled = fail(found.tenant_id, found.subscription_id, Failure.GIVEN_UP, GIVEN_UP, ports=ports, deadline=deadline)
    return _Done.FAILED if settled else _Done.NOTHING
