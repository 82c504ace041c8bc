"""What only some functions need, each with the imports of its adapters: a function pays for what it uses."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, cast

from feedward.adapters.dynamodb.feeds.feed_store import DynamoFeedStore
from feedward.adapters.dynamodb.store.keys import TableNames
from feedward.bootstrap.container import CollectUpkeep, DirectoryStores, Later
from feedward.config import Settings
from feedward.errors import InvalidSetting
from feedward.ports import (
    BegunTasks,
    Clock,
    DiscoverQueue,
    EventBus,
    HostLimiter,
    Outbox,
    PageFetcher,
    SiteStore,
    Subscriptions,
    WorkQueue,
)
from feedward.urls.safety import refuse_url

if TYPE_CHECKING:  # most functions check nothing, and few requests have a key
    from feedward.ports.idempotency import IdempotencyRecords
    from feedward.services.check.ports import HealthStores
    from feedward.services.collect.ports import CollectParts


def rsshub_base(settings: Settings) -> str | None:
    """The RSSHub to ask. Raises InvalidSetting where the guarded fetch would refuse each of its routes."""
    base = settings.rsshub_base_url
    refusal = refuse_url(base) if base else None
    if refusal is not None:
        raise InvalidSetting("RSSHUB_BASE_URL", f"cannot be asked: {refusal.detail}")
    return base or None


def with_rsshub_access(fetcher: PageFetcher, settings: Settings) -> PageFetcher:
    """A private RSSHub's key is read when its first route is asked."""
    if not (settings.rsshub_base_url and settings.rsshub_access_key_parameter):
        return fetcher
    from feedward.adapters.fetching.rsshub_access import RsshubAccess  # noqa: PLC0415
    from feedward.adapters.ssm import SsmParameter  # noqa: PLC0415

    parameter = SsmParameter(settings.rsshub_access_key_parameter)
    return RsshubAccess(fetcher, base_url=settings.rsshub_base_url, access_key=parameter.value)


def sites(client: Any, settings: Settings) -> SiteStore:
    from feedward.adapters.dynamodb.sites.site_store import DynamoSiteStore  # noqa: PLC0415

    settings.required("sites_table")
    return DynamoSiteStore(client, tables(settings))


def outbox(client: Any, settings: Settings) -> Outbox:
    from feedward.adapters.dynamodb.feeds.outbox import DynamoOutbox  # noqa: PLC0415

    return DynamoOutbox(client, tables(settings))


def subscriptions(client: Any, settings: Settings) -> Subscriptions:
    from feedward.adapters.dynamodb.tenants.subscriptions import DynamoSubscriptions  # noqa: PLC0415

    settings.required("tenants_table")
    return DynamoSubscriptions(client, tables(settings))


def queue(settings: Settings) -> DiscoverQueue:
    from feedward.adapters.calls import aws_client  # noqa: PLC0415
    from feedward.adapters.sqs import SqsDiscoverQueue  # noqa: PLC0415

    return SqsDiscoverQueue(aws_client("sqs"), settings.required("discover_queue_url"))


def health(client: Any, names: TableNames) -> HealthStores:
    from feedward.adapters.dynamodb.feeds.checks import DynamoCheckStore  # noqa: PLC0415
    from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves  # noqa: PLC0415
    from feedward.adapters.dynamodb.feeds.outbox import DynamoPending  # noqa: PLC0415
    from feedward.adapters.dynamodb.feeds.revivals import DynamoRevivals  # noqa: PLC0415
    from feedward.adapters.dynamodb.feeds.sweep_store import DynamoSweepStore  # noqa: PLC0415
    from feedward.adapters.dynamodb.state.begun_tasks import DynamoBegunTasks  # noqa: PLC0415
    from feedward.adapters.dynamodb.state.host_limiter import DynamoHostLimiter  # noqa: PLC0415
    from feedward.adapters.dynamodb.state.move_observations import DynamoSightings  # noqa: PLC0415
    from feedward.adapters.dynamodb.state.outages import DynamoOutages  # noqa: PLC0415
    from feedward.services.check.ports import HealthStores  # noqa: PLC0415

    return HealthStores(
        checks=DynamoCheckStore(client, names),
        moves=DynamoFeedMoves(client, names),
        revivals=DynamoRevivals(client, names),
        sightings=DynamoSightings(client, names),
        sweeps=DynamoSweepStore(client, names),
        outages=DynamoOutages(client, names),
        limiter=DynamoHostLimiter(client, names),
        begun=DynamoBegunTasks(client, names),
        pending=DynamoPending(client, names),
        feed_debts=DynamoFeedStore(client, names),
    )


def begun(client: Any, names: TableNames) -> BegunTasks:
    from feedward.adapters.dynamodb.state.begun_tasks import DynamoBegunTasks  # noqa: PLC0415

    return DynamoBegunTasks(client, names)


def limiter(client: Any, names: TableNames) -> HostLimiter:
    from feedward.adapters.dynamodb.state.host_limiter import DynamoHostLimiter  # noqa: PLC0415

    return DynamoHostLimiter(client, names)


def health_queue(settings: Settings) -> WorkQueue:
    from feedward.adapters.calls import aws_client  # noqa: PLC0415
    from feedward.adapters.sqs import SqsWorkQueue  # noqa: PLC0415

    return SqsWorkQueue(aws_client("sqs"), settings.required("health_queue_url"))


def bus(settings: Settings) -> EventBus:
    from feedward.adapters.calls import aws_client  # noqa: PLC0415
    from feedward.adapters.eventbridge import BusPublisher  # noqa: PLC0415

    return BusPublisher(aws_client("events"), settings.required("event_bus_name"))


def directory(client: Any, names: TableNames) -> DirectoryStores:
    from feedward.adapters.dynamodb.feeds.actions import DynamoFeedActions  # noqa: PLC0415
    from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves  # noqa: PLC0415
    from feedward.adapters.dynamodb.feeds.reader import DynamoFeedReader  # noqa: PLC0415

    return DirectoryStores(
        reader=DynamoFeedReader(client, names),
        actions=DynamoFeedActions(client, names),
        audit=DynamoFeedMoves(client, names),
    )


def idempotency(client: Any, names: TableNames) -> IdempotencyRecords:
    from feedward.adapters.dynamodb.state.idempotency import DynamoIdempotencyRecords  # noqa: PLC0415

    return DynamoIdempotencyRecords(client, names)


def tables(settings: Settings) -> TableNames:
    return TableNames(
        urls=settings.urls_table,
        feeds=settings.feeds_table,
        state=settings.state_table,
        sites=settings.sites_table,
        tenants=settings.tenants_table,
        frontier=settings.frontier_table,
        lineage=settings.lineage_table,
        history_days=settings.history_days,
    )


def frontier_queue(settings: Settings) -> WorkQueue:
    from feedward.adapters.calls import aws_client  # noqa: PLC0415
    from feedward.adapters.sqs import SqsWorkQueue  # noqa: PLC0415

    return SqsWorkQueue(aws_client("sqs"), settings.required("frontier_queue_url"))


def collect(client: Any, settings: Settings, fetcher: PageFetcher, clock: Clock) -> CollectParts:
    """The frontier with all that makes items of its rows."""
    from feedward.adapters.dynamodb.frontier.frontier_store import DynamoFrontierStore  # noqa: PLC0415
    from feedward.adapters.dynamodb.lineage.lineage_store import DynamoLineageStore  # noqa: PLC0415
    from feedward.adapters.dynamodb.state.begun_tasks import DynamoBegunTasks  # noqa: PLC0415
    from feedward.adapters.dynamodb.state.host_limiter import DynamoHostLimiter  # noqa: PLC0415
    from feedward.adapters.dynamodb.state.robots import DynamoRobotsStore  # noqa: PLC0415
    from feedward.adapters.s3 import S3Bodies  # noqa: PLC0415
    from feedward.services.collect.ports import CollectParts  # noqa: PLC0415

    for name in ("frontier_table", "lineage_table", "bodies_bucket", "frontier_queue_url"):
        settings.required(name)
    make_queue = functools.cache(lambda: frontier_queue(settings))
    names = tables(settings)
    return CollectParts(
        fetcher=fetcher,
        frontier=DynamoFrontierStore(client, names),
        lineage=DynamoLineageStore(client, names),
        bodies=S3Bodies(settings.bodies_bucket),
        queue=cast("WorkQueue", Later(make_queue)),
        robots=DynamoRobotsStore(client, names),
        limiter=DynamoHostLimiter(client, names),
        begun=DynamoBegunTasks(client, names),
        clock=clock,
        settings=settings.frontier,
    )


def collect_upkeep(client: Any, settings: Settings) -> CollectUpkeep:
    """What the schedules of collecting work with."""
    from feedward.adapters.dynamodb.frontier.sweep_store import DynamoRowSweepStore  # noqa: PLC0415
    from feedward.adapters.dynamodb.registry.rekey import DynamoRekeyStore  # noqa: PLC0415

    settings.required("frontier_table")
    names = tables(settings)
    return CollectUpkeep(sweeps=DynamoRowSweepStore(client, names), rekeys=DynamoRekeyStore(client, names))
