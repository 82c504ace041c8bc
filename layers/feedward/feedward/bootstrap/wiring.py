"""Services of a process: the ports of the directory, of checks and of collecting."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, cast

from feedward.adapters.aws_calls import Later
from feedward.bootstrap.directory import DirectoryServices
from feedward.ports import (
    BegunTasks,
    CheckStore,
    DueStore,
    MoveObservations,
    Outages,
    RekeyStore,
    RowSweepStore,
    SlotLoads,
    SlotStore,
    SweepStore,
    WorkQueue,
)

if TYPE_CHECKING:  # most functions neither check nor collect nor import
    from feedward.adapters.sqs_depths import SqsDepths
    from feedward.bootstrap.exports import ExportServices
    from feedward.ports import EventBus, Subscriptions
    from feedward.ports.imports import ImportFiles, ImportStore
    from feedward.ports.keys import Tenants
    from feedward.ports.push import PushTrusts
    from feedward.ports.quotas import Charges
    from feedward.ports.stats import CheckCounts, DeadLetters, RowCounts
    from feedward.services.check.ports import CheckBatchPorts
    from feedward.services.collect.ports import CollectPorts
    from feedward.services.push.ports import CallbackPorts, PushPorts
    from feedward.services.webhooks.ports import WebhookPorts
    from feedward.webhooks.delivery import WebhookTask


class Services(DirectoryServices):
    """All ports, each made at its first use. Arguments and errors are those of DirectoryServices."""

    @cached_property
    def begun(self) -> BegunTasks:
        """Tasks that have started and not ended: their workers may have died."""
        from feedward.adapters.dynamodb.state.begun_tasks import DynamoBegunTasks  # noqa: PLC0415

        return DynamoBegunTasks(self.tables)

    # --- checks ----------------------------------------------------------------------------------------

    @cached_property
    def checks(self) -> CheckStore:
        """The items that checks read and write."""
        from feedward.adapters.dynamodb.feeds.checks import DynamoCheckStore  # noqa: PLC0415

        return DynamoCheckStore(self.tables)

    @cached_property
    def observations(self) -> MoveObservations:
        """Move observations: a feed moves only after a second one."""
        from feedward.adapters.dynamodb.state.move_observations import DynamoMoveObservations  # noqa: PLC0415

        return DynamoMoveObservations(self.tables)

    @cached_property
    def slots(self) -> SlotStore:
        """The feeds that are due in their slots."""
        from feedward.adapters.dynamodb.feeds.sweep_store import DynamoSlotStore  # noqa: PLC0415

        return DynamoSlotStore(self.tables)

    @cached_property
    def slot_loads(self) -> SlotLoads:
        """The number of feeds that are due at each minute of the day."""
        from feedward.adapters.dynamodb.state.slot_loads import DynamoSlotLoads  # noqa: PLC0415

        return DynamoSlotLoads(self.tables)

    @cached_property
    def sweeps(self) -> SweepStore:
        """The feeds that are due by exception."""
        from feedward.adapters.dynamodb.feeds.sweep_store import DynamoSweepStore  # noqa: PLC0415

        return DynamoSweepStore(self.tables)

    @cached_property
    def outages(self) -> Outages:
        """Outages of our own network."""
        from feedward.adapters.dynamodb.state.outages import DynamoOutages  # noqa: PLC0415

        return DynamoOutages(self.tables)

    @cached_property
    def check_counts(self) -> CheckCounts:
        """Checks by hour."""
        from feedward.adapters.dynamodb.state.check_counts import DynamoCheckCounts  # noqa: PLC0415

        return DynamoCheckCounts(self.tables)

    @cached_property
    def row_counts(self) -> RowCounts:
        """Failed rows by reason."""
        from feedward.adapters.dynamodb.frontier.row_counts import DynamoRowCounts  # noqa: PLC0415

        return DynamoRowCounts(self.tables)

    @property
    def dead_letters(self) -> DeadLetters:
        """Messages that could not be processed."""
        return self.queue_depths

    @cached_property
    def queue_depths(self) -> SqsDepths:
        """The approximate number of messages in the queues."""
        from feedward.adapters.aws_calls import aws_client  # noqa: PLC0415
        from feedward.adapters.sqs_depths import SqsDepths  # noqa: PLC0415

        names = {"discover": "discover", "frontier": "frontier", "health": "health", "webhooks": "webhook"}
        urls = {name: getattr(self._settings, f"{setting}_queue_url") for name, setting in names.items()}
        return SqsDepths(aws_client("sqs"), {name: url for name, url in urls.items() if url})

    @cached_property
    def health_queue(self) -> WorkQueue:
        """The queue of checks."""
        if not self.refreshes:
            return undeployed_queue()
        from feedward.adapters.aws_calls import aws_client  # noqa: PLC0415
        from feedward.adapters.sqs import SqsWorkQueue  # noqa: PLC0415

        return SqsWorkQueue(aws_client("sqs"), self._settings.required("health_queue_url"))

    @cached_property
    def check_batch_ports(self) -> CheckBatchPorts:
        """The ports of batches of checks. Clients that a batch seldom needs are made at their first use."""
        from feedward.services.check.ports import CheckBatchPorts, CheckPorts  # noqa: PLC0415

        check = CheckPorts(
            fetcher=self.fetcher,
            store=self.checks,
            observations=self.observations,
            moves=self.moves,
            outbox=self.outbox,
            bus=cast("EventBus", Later(lambda: self.bus)),
            subscriptions=cast("Subscriptions", Later(lambda: self.subscriptions)),
            clock=self.clock,
            loads=cast("SlotLoads", Later(lambda: self.slot_loads)),
            push=self.pushes,
        )
        return CheckBatchPorts(
            check=check,
            sweeps=self.sweeps,
            slots=cast("SlotStore", Later(lambda: self.slots)),
            outages=self.outages,
            limiter=self.limiter,
            begun=self.begun,
            counts=self.check_counts,
            tenants=cast("Tenants", Later(lambda: self.keys)),
            queue=cast("WorkQueue", Later(lambda: self.health_queue)),
            sleep=self.sleep,
        )

    # --- collecting ------------------------------------------------------------------------------------

    @cached_property
    def collect(self) -> CollectPorts:
        """The ports of collecting: rows, items, bodies and the fetch."""
        from feedward.adapters.dynamodb.frontier.frontier_store import DynamoFrontierStore  # noqa: PLC0415
        from feedward.adapters.dynamodb.lineage.lineage_store import DynamoLineageStore  # noqa: PLC0415
        from feedward.adapters.dynamodb.state.robots import DynamoRobotsStore  # noqa: PLC0415
        from feedward.adapters.s3.bodies import S3Bodies  # noqa: PLC0415
        from feedward.services.collect.ports import CollectPorts  # noqa: PLC0415

        for name in ("frontier_table", "lineage_table", "bodies_bucket"):
            self._settings.required(name)
        return CollectPorts(
            fetcher=self.fetcher,
            frontier=DynamoFrontierStore(self.tables),
            lineage=DynamoLineageStore(self.tables),
            bodies=S3Bodies(self._settings.bodies_bucket),
            queue=cast("WorkQueue", Later(lambda: self.frontier_queue)),
            robots=DynamoRobotsStore(self.tables),
            limiter=self.limiter,
            begun=self.begun,
            charges=cast("Charges", Later(lambda: self.charges)),
            tenants=cast("Tenants", Later(lambda: self.keys)),
            clock=self.clock,
            settings=self._settings.frontier,
        )

    @cached_property
    def frontier_queue(self) -> WorkQueue:
        """The queue of frontier rows and collect jobs."""
        if not self.refreshes:
            return undeployed_queue()
        from feedward.adapters.aws_calls import aws_client  # noqa: PLC0415
        from feedward.adapters.sqs import SqsWorkQueue  # noqa: PLC0415

        return SqsWorkQueue(aws_client("sqs"), self._settings.required("frontier_queue_url"))

    @cached_property
    def imports(self) -> ImportStore:
        """Imports and their entries."""
        from feedward.adapters.dynamodb.tenants.imports import DynamoImports  # noqa: PLC0415

        self._settings.required("tenants_table")
        return DynamoImports(self.tables)

    @property
    def searches_at_once(self) -> int:
        """The number of concurrent discovery jobs."""
        return self._settings.discover_at_once

    @cached_property
    def import_files(self) -> ImportFiles:
        """The files of imports."""
        from feedward.adapters.s3.files import S3ImportFiles  # noqa: PLC0415

        return S3ImportFiles(self._settings.required("bodies_bucket"))

    @cached_property
    def exports(self) -> ExportServices:
        """The ports of exports."""
        from feedward.bootstrap.exports import ExportServices  # noqa: PLC0415

        return ExportServices(self, self._settings)

    @cached_property
    def webhook_ports(self) -> WebhookPorts:
        """The ports of webhooks."""
        from feedward.bootstrap.webhooks import webhook_ports  # noqa: PLC0415

        return webhook_ports(self, self._settings)

    @cached_property
    def callback_ports(self) -> CallbackPorts:
        """The ports of the callback of hubs."""
        from feedward.bootstrap.push import callback_ports  # noqa: PLC0415

        return callback_ports(self, self._settings)

    @cached_property
    def push_ports(self) -> PushPorts:
        """The ports of subscribing to hubs."""
        from feedward.bootstrap.push import push_ports  # noqa: PLC0415

        return push_ports(self, self._settings)

    @cached_property
    def pushes(self) -> PushTrusts:
        """The trust in pushes, which checks update; a stub without a public base URL."""
        if not self._settings.public_base_url:
            from feedward.ports.push import NO_PUSH  # noqa: PLC0415

            return NO_PUSH
        from feedward.services.push.after_check import CheckTrusts  # noqa: PLC0415

        return CheckTrusts(lambda: self.push_ports)

    @cached_property
    def task_sweeps(self) -> DueStore[WebhookTask]:
        """The due index of deliveries."""
        from feedward.adapters.dynamodb.webhooks.sweep_store import DynamoTaskSweepStore  # noqa: PLC0415

        self._settings.required("webhooks_table")
        return DynamoTaskSweepStore(self.tables)

    @cached_property
    def row_sweeps(self) -> RowSweepStore:
        """The due index of frontier rows."""
        from feedward.adapters.dynamodb.frontier.sweep_store import DynamoRowSweepStore  # noqa: PLC0415

        self._settings.required("frontier_table")
        return DynamoRowSweepStore(self.tables)

    @cached_property
    def rekeys(self) -> RekeyStore:
        """Registry rows with a URL key of an older version."""
        from feedward.adapters.dynamodb.registry.rekey import DynamoRekeyStore  # noqa: PLC0415

        self._settings.required("frontier_table")
        return DynamoRekeyStore(self.tables)


def undeployed_queue() -> WorkQueue:
    """Return the queue of a function that is not deployed."""
    from feedward.adapters.sqs import UndeployedQueue  # noqa: PLC0415 - few deployments lack one

    return UndeployedQueue()
