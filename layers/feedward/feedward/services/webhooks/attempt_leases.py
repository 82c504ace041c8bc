"""Slots of attempts in flight: 5 for a webhook, 20 for a tenant, 10 for a receiving host (rule K11).

A slot is a lease of the rate limiter, so it becomes free if its worker dies.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import Final

from feedward.access import name_of
from feedward.errors import FeedwardError
from feedward.scheduling.jitter import stable_hash
from feedward.services.webhooks.ports import WebhookPorts
from feedward.services.work.tasks import HostBusy
from feedward.ulid import new_ulid
from feedward.urls.safety import host_of_url
from feedward.webhooks.webhook import Webhook

OF_WEBHOOK: Final = 5
OF_TENANT: Final = 20
OF_HOST: Final = 10
HELD_S: Final = 40
"""The expiry of a slot that was not released: longer than an attempt and its writes."""
_LOOKS: Final = 5
"""The number of slots of one kind that are tried together."""
_WAIT_S: Final = 3.0
_PAUSE_S: Final = 0.25
_AGAIN_S: Final = 2.0


@dataclass(slots=True)
class Places:
    """Takes the slots of an attempt, and waits a little for a taken one."""

    ports: WebhookPorts
    _holder: str = field(init=False)

    def __post_init__(self) -> None:
        self._holder = new_ulid(self.ports.clock.now())

    @contextmanager
    def taken(self, webhook: Webhook, delivery_id: str) -> Iterator[None]:
        """Hold a slot of each kind during the block. Raises HostBusy, and the errors of the limiter."""
        kinds = (
            (f"webhook {webhook.webhook_id}", OF_WEBHOOK),
            (f"webhooks of {name_of(webhook.tenant_id)}", OF_TENANT),
            (f"webhooks at {host_of_url(webhook.url)}", OF_HOST),
        )
        holder = f"{self._holder} {delivery_id}"
        ends_at = self.ports.clock.monotonic() + _WAIT_S
        with ExitStack() as places:
            for name, number in kinds:
                place = self._wait_for(name, number, holder, ends_at)
                if place is None:
                    raise HostBusy(webhook.webhook_id, _AGAIN_S)
                places.callback(self._give_back, place, holder)
            yield

    def _wait_for(self, name: str, number: int, holder: str, ends_at: float) -> str | None:
        while True:
            place = self._take(name, number, holder)
            if place is not None or self.ports.clock.monotonic() >= ends_at:
                return place
            self.ports.sleep(_PAUSE_S)

    def _take(self, name: str, number: int, holder: str) -> str | None:
        first, now = stable_hash(holder), self.ports.clock.now()
        for look in range(min(number, _LOOKS)):
            place = f"{name} {(first + look) % number}"
            if not self.ports.limiter.hold(place, holder=holder, until=now + HELD_S, now=now):
                return place
        return None

    def _give_back(self, place: str, holder: str) -> None:
        with suppress(FeedwardError):  # the lease expires
            self.ports.limiter.release(place, holder=holder)
