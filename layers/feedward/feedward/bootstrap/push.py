"""The ports of push for a deployment, loaded by the first request for one."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from feedward.adapters.aws_calls import Later
from feedward.adapters.dynamodb.push.subscriptions import DynamoPush
from feedward.adapters.kms import KmsSecretBox
from feedward.config import Settings
from feedward.ports import WorkQueue
from feedward.ports.webhooks import Poster
from feedward.services.push.ports import CallbackPorts, PushPorts

if TYPE_CHECKING:
    from feedward.bootstrap.wiring import Services


def callback_ports(services: Services, settings: Settings) -> CallbackPorts:
    """Return the ports of the callback. Raises InvalidSetting where one lacks its own setting."""
    return CallbackPorts(
        store=DynamoPush(services.tables),
        checks=services.checks,
        secrets=KmsSecretBox(settings.required("webhook_key_arn")),
        queue=cast("WorkQueue", Later(lambda: services.health_queue)),
        clock=services.clock,
    )


def push_ports(services: Services, settings: Settings) -> PushPorts:
    """Return the ports of subscribing. Raises InvalidSetting where one lacks its own setting."""
    # Callbacks need no hubs.
    from feedward.adapters.dynamodb.push.hub_rows import DynamoHubs  # noqa: PLC0415

    base = settings.required("public_base_url")
    hosts = frozenset(settings.own_hosts)
    callback = callback_ports(services, settings)
    return PushPorts(
        store=callback.store,
        checks=callback.checks,
        secrets=callback.secrets,
        queue=callback.queue,
        clock=callback.clock,
        hubs=DynamoHubs(services.tables),
        poster=cast("Poster", Later(lambda: _poster(services, hosts))),
        limiter=services.limiter,
        base=base,
        own_hosts=hosts,
        sleep=services.sleep,
    )


def _poster(services: Services, own_hosts: frozenset[str]) -> Poster:
    from feedward.adapters.fetching.guarded_post import GuardedPoster  # noqa: PLC0415 - most checks ask no hub

    return GuardedPoster(services.guarded_fetcher, own_hosts=own_hosts, purpose="push")
