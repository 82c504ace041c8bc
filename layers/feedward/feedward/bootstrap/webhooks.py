"""The ports of webhooks for a deployment, loaded by the first request for one."""

from __future__ import annotations

import functools
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from feedward.adapters.dynamodb.webhooks.deliveries import DynamoDeliveries
from feedward.adapters.dynamodb.webhooks.webhooks import DynamoWebhooks
from feedward.adapters.kms import KmsSecretBox
from feedward.config import Settings
from feedward.deadline import NO_DEADLINE, Deadline
from feedward.ports import EventBus, WorkQueue
from feedward.ports.quotas import Charges
from feedward.ports.webhooks import Poster
from feedward.services.webhooks.ports import WebhookPorts

if TYPE_CHECKING:
    from feedward.bootstrap.wiring import Services
    from feedward.ports.keys import Tenants


def webhook_ports(services: Services, settings: Settings) -> WebhookPorts:
    """Return the ports of webhooks. Raises InvalidSetting where one lacks its own setting."""
    for name in ("webhooks_table", "webhook_queue_url", "tenants_table"):
        settings.required(name)
    return WebhookPorts(
        webhooks=DynamoWebhooks(services.tables),
        deliveries=DynamoDeliveries(services.tables),
        secrets=KmsSecretBox(settings.required("webhook_key_arn")),
        poster=cast("Poster", _OnFirstPost(services, settings)),
        queue=cast("WorkQueue", _OnFirstCall(functools.cache(partial(_queue, settings)))),
        limiter=services.limiter,
        bus=cast("EventBus", _OnFirstCall(lambda: services.bus)),
        charges=cast("Charges", _OnFirstCharge(services)),
        tenants=cast("Tenants", _OnFirstCall(lambda: services.keys)),
        clock=services.clock,
        own_hosts=settings.own_hosts,
        sleep=services.sleep,
    )


def _queue(settings: Settings) -> WorkQueue:
    from feedward.adapters.calls import aws_client  # noqa: PLC0415
    from feedward.adapters.sqs import SqsWorkQueue  # noqa: PLC0415

    return SqsWorkQueue(aws_client("sqs"), settings.required("webhook_queue_url"))


class _OnFirstPost:
    """Stands for the guarded POST, which requests of the API do not need."""

    def __init__(self, services: Services, settings: Settings) -> None:
        self._services, self._settings = services, settings

    def post(self, url: str, **request: Any) -> Any:
        from feedward.adapters.fetching.guarded_post import GuardedPoster  # noqa: PLC0415

        poster = GuardedPoster(self._services.guarded_fetcher, own_hosts=self._settings.own_hosts)
        return poster.post(url, **request)


class _OnFirstCharge:
    """Stands for the meter, which requests of the API do not need."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def __getattr__(self, name: str) -> Any:
        return getattr(self._services.charges, name)


class _OnFirstCall:
    """Stands for the queue or the bus: most deliveries send no message, and few webhooks are disabled."""

    def __init__(self, make: Callable[[], Any], deadline: Deadline = NO_DEADLINE) -> None:
        self._make, self._deadline = make, deadline

    def within(self, deadline: Deadline) -> _OnFirstCall:
        """Return the same port with a deadline."""
        return _OnFirstCall(self._make, deadline)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._make().within(self._deadline), name)
