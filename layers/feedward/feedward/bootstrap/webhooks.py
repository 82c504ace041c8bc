"""The ports of webhooks for a deployment, loaded by the first request for one."""

from __future__ import annotations

import functools
from functools import partial
from typing import TYPE_CHECKING, cast

from feedward.adapters.aws_calls import Later
from feedward.adapters.dynamodb.webhooks.deliveries import DynamoDeliveries
from feedward.adapters.dynamodb.webhooks.webhooks import DynamoWebhooks
from feedward.adapters.kms import KmsSecretBox
from feedward.config import Settings
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
        poster=cast("Poster", Later(lambda: _poster(services, settings))),
        queue=cast("WorkQueue", Later(functools.cache(partial(_queue, settings)))),
        limiter=services.limiter,
        bus=cast("EventBus", Later(lambda: services.bus)),
        charges=cast("Charges", Later(lambda: services.charges)),
        tenants=cast("Tenants", Later(lambda: services.keys)),
        clock=services.clock,
        own_hosts=settings.own_hosts,
        sleep=services.sleep,
    )


def _queue(settings: Settings) -> WorkQueue:
    from feedward.adapters.aws_calls import aws_client  # noqa: PLC0415
    from feedward.adapters.sqs import SqsWorkQueue  # noqa: PLC0415

    return SqsWorkQueue(aws_client("sqs"), settings.required("webhook_queue_url"))


def _poster(services: Services, settings: Settings) -> Poster:
    from feedward.adapters.fetching.guarded_post import GuardedPoster  # noqa: PLC0415 - requests of the API post nothing

    return GuardedPoster(services.guarded_fetcher, own_hosts=settings.own_hosts)
