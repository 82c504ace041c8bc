"""The services of a process: the ports that its functions work with, each made when it is first asked for.

Each port is a cached property that imports its adapter: a function pays for what it uses.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from feedward.adapters.clock import SystemClock
from feedward.adapters.dynamodb.feeds.feed_store import DynamoFeedStore
from feedward.adapters.dynamodb.store.client import dynamodb_client
from feedward.adapters.dynamodb.store.keys import TableNames
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.fetching.guarded_fetch import GuardedFetcher
from feedward.bootstrap.fetching import fetch_settings, rsshub_base, with_rsshub_access
from feedward.config import Settings
from feedward.ports import (
    Audit,
    BegunTasks,
    CheckStore,
    Clock,
    DiscoverQueue,
    EventBus,
    FeedActions,
    FeedMoves,
    FeedReader,
    FeedStore,
    HostLimiter,
    MoveObservations,
    Outages,
    Outbox,
    PageFetcher,
    Pending,
    PendingMerges,
    RekeyStore,
    Revivals,
    RowSweepStore,
    SiteStore,
    Subscriptions,
    SweepStore,
    WorkQueue,
)

if TYPE_CHECKING:  # most functions check nothing, and few requests have a key
    from feedward.ports.idempotency import IdempotencyRecords
    from feedward.services.check.ports import CheckBatchPorts
    from feedward.services.collect.ports import CollectPorts


class Services:
    """What the functions work with, for `settings`. Raises InvalidSetting, also where a port lacks its own setting.

    `guard` is what GuardedFetcher takes beside its settings. `given` are ports by name, in the place of those that
    would be made. Both are for the demo and for tests: no setting of a deployment reaches them.
    """

    def __init__(self, settings: Settings, *, guard: Mapping[str, Any] | None = None, **given: Any) -> None:
        self._settings = settings
        self._guard = guard or {}
        self.rsshub_base = rsshub_base(settings)
        self.clock: Clock = SystemClock()
        self.sleep: Callable[[float], None] = time.sleep
        for name, port in given.items():
            if not hasattr(type(self), name) and name not in vars(self):
                raise TypeError(f"services have no {name}")
            vars(self)[name] = port

    @cached_property
    def tables(self) -> Tables:
        """The tables, which all stores share."""
        settings = self._settings
        names = TableNames(
            urls=settings.urls_table,
            feeds=settings.feeds_table,
            state=settings.state_table,
            sites=settings.sites_table,
            tenants=settings.tenants_table,
            frontier=settings.frontier_table,
            lineage=settings.lineage_table,
            history_days=settings.history_days,
        )
        return Tables(dynamodb_client(), names)

    @cached_property
    def fetcher(self) -> PageFetcher:
        """The way to the web."""
        return with_rsshub_access(GuardedFetcher(fetch_settings(self._settings), **self._guard), self._settings)

    # --- feeds ------------------------------------------------------------------------------------------

    @cached_property
    def store(self) -> FeedStore:
        """The directory's feeds by their URLs."""
        return DynamoFeedStore(self.tables)

    @cached_property
    def feed_reader(self) -> FeedReader:
        """What people read of feeds."""
        from feedward.adapters.dynamodb.feeds.reader import DynamoFeedReader  # noqa: PLC0415

        return DynamoFeedReader(self.tables)

    @cached_property
    def feed_actions(self) -> FeedActions:
        """What people do to feeds."""
        from feedward.adapters.dynamodb.feeds.actions import DynamoFeedActions  # noqa: PLC0415

        return DynamoFeedActions(self.tables)

    @cached_property
    def moves(self) -> FeedMoves:
        """How feeds get other URLs."""
        from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves  # noqa: PLC0415

        return DynamoFeedMoves(self.tables)

    @cached_property
    def audit(self) -> Audit:
        """The history of feeds."""
        from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves  # noqa: PLC0415

        return DynamoFeedMoves(self.tables)

    @cached_property
    def revivals(self) -> Revivals:
        """Lost feeds."""
        from feedward.adapters.dynamodb.feeds.revivals import DynamoRevivals  # noqa: PLC0415

        return DynamoRevivals(self.tables)

    @cached_property
    def outbox(self) -> Outbox:
        """The events that feeds have still to tell the bus."""
        from feedward.adapters.dynamodb.feeds.outbox import DynamoOutbox  # noqa: PLC0415

        return DynamoOutbox(self.tables)

    @cached_property
    def bus(self) -> EventBus:
        """Where events go."""
        from feedward.adapters.calls import aws_client  # noqa: PLC0415
        from feedward.adapters.eventbridge import BusPublisher  # noqa: PLC0415

        return BusPublisher(aws_client("events"), self._settings.required("event_bus_name"))

    @cached_property
    def pending(self) -> Pending:
        """What has been left undone for long."""
        from feedward.adapters.dynamodb.feeds.outbox import DynamoPending  # noqa: PLC0415

        return DynamoPending(self.tables)

    @cached_property
    def pending_feed_merges(self) -> PendingMerges:
        """What merges leave to do in the registry."""
        return DynamoFeedStore(self.tables)

    @property
    def pending_merges(self) -> Sequence[PendingMerges]:
        """What merges leave to do: of subscriptions first, for a feed's own mark goes only when all is done."""
        return (self.subscriptions, self.pending_feed_merges)

    # --- checks -----------------------------------------------------------------------------------------

    @cached_property
    def checks(self) -> CheckStore:
        """What checks read and write."""
        from feedward.adapters.dynamodb.feeds.checks import DynamoCheckStore  # noqa: PLC0415

        return DynamoCheckStore(self.tables)

    @cached_property
    def observations(self) -> MoveObservations:
        """What waits to be seen again before a feed moves."""
        from feedward.adapters.dynamodb.state.move_observations import DynamoMoveObservations  # noqa: PLC0415

        return DynamoMoveObservations(self.tables)

    @cached_property
    def sweeps(self) -> SweepStore:
        """The feeds that are due."""
        from feedward.adapters.dynamodb.feeds.sweep_store import DynamoSweepStore  # noqa: PLC0415

        return DynamoSweepStore(self.tables)

    @cached_property
    def outages(self) -> Outages:
        """Our own outages."""
        from feedward.adapters.dynamodb.state.outages import DynamoOutages  # noqa: PLC0415

        return DynamoOutages(self.tables)

    @cached_property
    def limiter(self) -> HostLimiter:
        """The limits of hosts."""
        from feedward.adapters.dynamodb.state.host_limiter import DynamoHostLimiter  # noqa: PLC0415

        return DynamoHostLimiter(self.tables)

    @cached_property
    def begun(self) -> BegunTasks:
        """Tasks that workers may have died of."""
        from feedward.adapters.dynamodb.state.begun_tasks import DynamoBegunTasks  # noqa: PLC0415

        return DynamoBegunTasks(self.tables)

    @property
    def awaited_fetcher(self) -> PageFetcher:
        """The fetch of one request that a person waits for."""
        from feedward.services.work.polite_fetch import polite_fetcher  # noqa: PLC0415 - no start pays for it

        return polite_fetcher(self.fetcher, self.limiter, self.clock, is_awaited=True)

    @cached_property
    def health_queue(self) -> WorkQueue:
        """Where checks wait."""
        from feedward.adapters.calls import aws_client  # noqa: PLC0415
        from feedward.adapters.sqs import SqsWorkQueue  # noqa: PLC0415

        return SqsWorkQueue(aws_client("sqs"), self._settings.required("health_queue_url"))

    @property
    def check_batch_ports(self) -> CheckBatchPorts:
        """What the checks of a batch work with."""
        from feedward.services.check.ports import CheckBatchPorts, CheckPorts  # noqa: PLC0415

        check = CheckPorts(
            fetcher=self.fetcher,
            store=self.checks,
            observations=self.observations,
            moves=self.moves,
            outbox=self.outbox,
            bus=cast("EventBus", _Later(self, "bus")),
            subscriptions=cast("Subscriptions", _Later(self, "subscriptions")),
            clock=self.clock,
        )
        return CheckBatchPorts(
            check=check,
            sweeps=self.sweeps,
            outages=self.outages,
            limiter=self.limiter,
            begun=self.begun,
            queue=cast("WorkQueue", _Later(self, "health_queue")),
            sleep=self.sleep,
        )

    # --- discovery and subscriptions --------------------------------------------------------------------

    @cached_property
    def sites(self) -> SiteStore:
        """The directory's sites and their jobs."""
        from feedward.adapters.dynamodb.sites.site_store import DynamoSiteStore  # noqa: PLC0415

        self._settings.required("sites_table")
        return DynamoSiteStore(self.tables)

    @cached_property
    def queue(self) -> DiscoverQueue:
        """Where discovery jobs wait."""
        from feedward.adapters.calls import aws_client  # noqa: PLC0415
        from feedward.adapters.sqs import SqsDiscoverQueue  # noqa: PLC0415

        return SqsDiscoverQueue(aws_client("sqs"), self._settings.required("discover_queue_url"))

    @cached_property
    def subscriptions(self) -> Subscriptions:
        """The tenants' subscriptions."""
        from feedward.adapters.dynamodb.tenants.subscriptions import DynamoSubscriptions  # noqa: PLC0415

        self._settings.required("tenants_table")
        return DynamoSubscriptions(self.tables)

    @cached_property
    def idempotency(self) -> IdempotencyRecords:
        """How requests with a key were answered."""
        from feedward.adapters.dynamodb.state.idempotency import DynamoIdempotencyRecords  # noqa: PLC0415

        return DynamoIdempotencyRecords(self.tables)

    # --- collecting -------------------------------------------------------------------------------------

    @cached_property
    def collect(self) -> CollectPorts:
        """What collecting works with: rows, items, bodies, and the fetch."""
        from feedward.adapters.dynamodb.frontier.frontier_store import DynamoFrontierStore  # noqa: PLC0415
        from feedward.adapters.dynamodb.lineage.lineage_store import DynamoLineageStore  # noqa: PLC0415
        from feedward.adapters.dynamodb.state.robots import DynamoRobotsStore  # noqa: PLC0415
        from feedward.adapters.s3 import S3Bodies  # noqa: PLC0415
        from feedward.services.collect.ports import CollectPorts  # noqa: PLC0415

        settings = self._settings
        for name in ("frontier_table", "lineage_table", "bodies_bucket", "frontier_queue_url"):
            settings.required(name)
        return CollectPorts(
            fetcher=self.fetcher,
            frontier=DynamoFrontierStore(self.tables),
            lineage=DynamoLineageStore(self.tables),
            bodies=S3Bodies(settings.bodies_bucket),
            queue=cast("WorkQueue", _Later(self, "frontier_queue")),
            robots=DynamoRobotsStore(self.tables),
            limiter=self.limiter,
            begun=self.begun,
            clock=self.clock,
            settings=settings.frontier,
        )

    @cached_property
    def frontier_queue(self) -> WorkQueue:
        """Where rows and the jobs of collecting wait."""
        from feedward.adapters.calls import aws_client  # noqa: PLC0415
        from feedward.adapters.sqs import SqsWorkQueue  # noqa: PLC0415

        return SqsWorkQueue(aws_client("sqs"), self._settings.required("frontier_queue_url"))

    @cached_property
    def row_sweeps(self) -> RowSweepStore:
        """The rows of the frontier that are due."""
        from feedward.adapters.dynamodb.frontier.sweep_store import DynamoRowSweepStore  # noqa: PLC0415

        self._settings.required("frontier_table")
        return DynamoRowSweepStore(self.tables)

    @cached_property
    def rekeys(self) -> RekeyStore:
        """The registry's rows of older versions of the key."""
        from feedward.adapters.dynamodb.registry.rekey import DynamoRekeyStore  # noqa: PLC0415

        self._settings.required("frontier_table")
        return DynamoRekeyStore(self.tables)


class _Later:
    """A port of services that is asked for when it is first used: many checks tell nobody, most batches leave nothing.

    It stands where ports are handed on in a dataclass, which would make them all.
    """

    def __init__(self, services: Services, port: str) -> None:
        self._services = services
        self._port = port

    def __getattr__(self, name: str) -> Any:
        return getattr(getattr(self._services, self._port), name)
