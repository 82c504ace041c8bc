"""The parts of the directory function, for tests: the real adapters on a fake directory's tables and bus."""

from __future__ import annotations

from typing import Any

from feedward.adapters.dynamodb.access.key_store import DynamoKeyStore
from feedward.adapters.dynamodb.access.tenant_data import DynamoTenantData
from feedward.adapters.dynamodb.feeds.actions import DynamoFeedActions
from feedward.adapters.dynamodb.feeds.checks import DynamoCheckStore
from feedward.adapters.dynamodb.feeds.feed_reader import DynamoExportedFeeds, DynamoFeedReader
from feedward.adapters.dynamodb.feeds.feed_store import DynamoFeedStore
from feedward.adapters.dynamodb.feeds.indexed_feeds import DynamoIndexedFeeds
from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves
from feedward.adapters.dynamodb.feeds.revivals import DynamoRevivals
from feedward.adapters.dynamodb.frontier.frontier_store import DynamoFrontierStore
from feedward.adapters.dynamodb.frontier.row_counts import DynamoRowCounts
from feedward.adapters.dynamodb.lineage.lineage_store import DynamoLineageStore
from feedward.adapters.dynamodb.state.begun_tasks import DynamoBegunTasks
from feedward.adapters.dynamodb.state.check_counts import DynamoCheckCounts
from feedward.adapters.dynamodb.state.export_jobs import DynamoExportJobs
from feedward.adapters.dynamodb.state.host_limiter import DynamoHostLimiter
from feedward.adapters.dynamodb.state.idempotency import DynamoIdempotencyRecords
from feedward.adapters.dynamodb.state.quota_counters import DynamoQuotaCounters
from feedward.adapters.dynamodb.state.robots import DynamoRobotsStore
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.tenants.imports import DynamoImports
from feedward.adapters.s3.files import TenantObjects
from feedward.adapters.sqs_depths import SqsDepths
from feedward.ports.exports import ExportSigner
from feedward.services.collect.ports import CollectPorts
from feedward.services.quotas.meter import Meter
from tests.fakes.bodies import BUCKET, FakeBodies
from tests.fakes.collecting import UNHURRIED
from tests.fakes.directory import FakeDirectory
from tests.fakes.export_files import FakeExportFiles
from tests.fakes.feed_store import PATIENT
from tests.fakes.frontier_queue import FakeFrontierQueue
from tests.fakes.health_queue import FakeHealthQueue
from tests.fakes.import_files import FakeImportFiles
from tests.fakes.queue_depths import QUEUES, FakeDepths
from tests.fakes.search_bucket import FakeSearch
from tests.fakes.webhooks import FakeWebhooks


class FakeDirectoryParts:
    """The ports of the services behind the directory function, over this directory, with its knobs.

    `client` calls the tables, where it is another one.
    """

    def __init__(self, directory: FakeDirectory, client: Any = None) -> None:
        tables = directory.tables if client is None else Tables(client, directory.contents.names, PATIENT)
        self.store = directory.store if client is None else DynamoFeedStore(tables)
        self.feed_reader = DynamoFeedReader(tables)
        self.indexed_feeds = DynamoIndexedFeeds(tables)
        self.search = FakeSearch(directory.clock)
        self.search_feed, self.search_index = self.search.feed, self.search.index
        self.feed_actions = DynamoFeedActions(tables)
        self.checks = DynamoCheckStore(tables)
        self.moves = DynamoFeedMoves(tables)
        self.audit = self.moves
        self.keys = DynamoKeyStore(tables)
        self.revivals = DynamoRevivals(tables)
        self.idempotency = DynamoIdempotencyRecords(tables)
        self.outbox = directory.outbox
        self.subscriptions = directory.subscriptions
        self.bus = directory.bus
        self.store = directory.store
        self.clock = directory.clock
        self.is_open = False
        self.exported_feeds = DynamoExportedFeeds(tables)
        self.export_jobs = DynamoExportJobs(tables)
        self.export_files = FakeExportFiles()
        self.export_signer: ExportSigner | None = None
        self.exports = self
        self.refreshes = True
        self.quota_counters = DynamoQuotaCounters(tables)
        self.charges = self.meter = Meter(self.quota_counters, directory.clock, default={}, places=2)
        self.health_queue = FakeHealthQueue()
        self.frontier_queue = FakeFrontierQueue()
        self.check_counts = DynamoCheckCounts(tables)
        self.row_counts = DynamoRowCounts(tables)
        self.depths = FakeDepths()
        sqs: Any = self.depths
        self.queue_depths = self.dead_letters = SqsDepths(
            sqs, {"frontier": f"{QUEUES}/frontier", "health": f"{QUEUES}/health"}
        )
        self.searches_at_once = 2
        self.imports = DynamoImports(tables)
        self.import_files = FakeImportFiles()
        self.webhooks = FakeWebhooks(directory, client)
        self.webhook_ports = self.webhooks.ports
        self.collect = CollectPorts(
            fetcher=directory.fetcher,
            frontier=DynamoFrontierStore(tables),
            lineage=DynamoLineageStore(tables),
            bodies=FakeBodies(),
            queue=self.frontier_queue,
            robots=DynamoRobotsStore(tables),
            limiter=DynamoHostLimiter(tables),
            begun=DynamoBegunTasks(tables),
            charges=self.charges,
            tenants=self.keys,
            clock=directory.clock,
            settings=UNHURRIED,
            sleep=directory.clock.advance,
        )
        bodies: Any = self.collect.bodies
        self.tenant_data = DynamoTenantData(tables, TenantObjects(BUCKET, lambda: bodies.s3, backoff=PATIENT))
