"""The ports of push."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from feedward.deadline import NO_DEADLINE, Deadline
from feedward.ports import CheckStore, Clock, HostLimiter, WorkQueue
from feedward.ports.push import HubStore, PushStore
from feedward.ports.webhooks import Poster, SecretBox


@dataclass(frozen=True, slots=True, kw_only=True)
class CallbackPorts:
    """Ports of the callback: a separate function with few permissions."""

    store: PushStore
    checks: CheckStore
    secrets: SecretBox
    queue: WorkQueue
    clock: Clock


@dataclass(frozen=True, slots=True, kw_only=True)
class PushPorts(CallbackPorts):
    """Ports of subscribing and of trust.

    `base` is the public base URL of the callback: a subscription gets a changed one at its renewal (rule W25).
    `own_hosts` are hosts of this deployment, which cannot be hubs.
    """

    hubs: HubStore
    poster: Poster
    limiter: HostLimiter
    base: str
    own_hosts: frozenset[str] = frozenset()
    sleep: Callable[[float], None] = time.sleep
    deadline: Deadline = NO_DEADLINE

    def within(self, deadline: Deadline) -> PushPorts:
        """Return ports that keep to the deadline."""
        return replace(
            self,
            deadline=deadline,
            store=self.store.within(deadline),
            checks=self.checks.within(deadline),
            secrets=self.secrets.within(deadline),
            queue=self.queue.within(deadline),
            hubs=self.hubs.within(deadline),
            limiter=self.limiter.within(deadline),
        )


def secret_place(feed_id: str) -> Mapping[str, str]:
    """Return the encryption context that binds a subscription's secret to its feed."""
    return {"push": feed_id}
