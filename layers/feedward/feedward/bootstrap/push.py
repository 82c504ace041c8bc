"""The ports of push for a deployment, loaded by the first request for one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from feedward.adapters.dynamodb.push.subscriptions import DynamoPush
from feedward.adapters.kms import KmsSecretBox
from feedward.config import Settings
from feedward.deadline import NO_DEADLINE, Deadline
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
        queue=cast("WorkQueue", _QueueOnFirstSend(services)),
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
        poster=cast("Poster", _PosterOnFirstPost(services, hosts)),
        limiter=services.limiter,
        base=base,
        own_hosts=hosts,
        sleep=services.sleep,
    )


class _PosterOnFirstPost:
    """Stands for the guarded POST, which checks do not need."""

    def __init__(self, services: Services, own_hosts: frozenset[str]) -> None:
        self._services, self._own_hosts = services, own_hosts

    def post(self, url: str, **request: Any) -> Any:
        from feedward.adapters.fetching.guarded_post import GuardedPoster  # noqa: PLC0415

        poster = GuardedPoster(self._services.guarded_fetcher, own_hosts=self._own_hosts, purpose="push")
        return poster.post(url, **request)


class _QueueOnFirstSend:
    """Stands for the queue of checks: most requests of hubs send nothing."""

    def __init__(self, services: Services, deadline: Deadline = NO_DEADLINE) -> None:
        self._services, self._deadline = services, deadline

    def within(self, deadline: Deadline) -> _QueueOnFirstSend:
        """Return the same port with a deadline."""
        return _QueueOnFirstSend(self._services, deadline)

    def send_batch(self, messages: Any) -> Any:
        return self._services.health_queue.within(self._deadline).send_batch(messages)
