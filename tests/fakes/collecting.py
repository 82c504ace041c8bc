"""All parts of collecting, in memory: the real adapters on a fake directory's tables, a bucket, a network."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from feedward.adapters.dynamodb.access.key_store import DynamoKeyStore
from feedward.adapters.dynamodb.frontier.frontier_store import DynamoFrontierStore
from feedward.adapters.dynamodb.frontier.row_items import row_item
from feedward.adapters.dynamodb.state.begun_tasks import DynamoBegunTasks
from feedward.adapters.dynamodb.state.host_limiter import DynamoHostLimiter
from feedward.adapters.dynamodb.state.robots import DynamoRobotsStore
from feedward.adapters.dynamodb.store.codec import encode
from feedward.frontier.row import FrontierRow, RowStatus, Submitted, read_row
from feedward.frontier.settings import FrontierSettings
from feedward.ports import PageFetcher
from feedward.services.collect.collect_batch import CollectReport, collect_batch
from feedward.services.collect.ports import CollectPorts
from feedward.services.collect.submit import submit
from feedward.ulid import derived_ulid
from feedward.urls.safety import DEFAULT_POLICY, UrlPolicy
from tests.fakes.bodies import FakeBodies
from tests.fakes.directory import NOW, FakeClock
from tests.fakes.feed_store import FakeFeedStore
from tests.fakes.fetcher import FakeFetcher
from tests.fakes.frontier_queue import FakeFrontierQueue
from tests.fakes.lineage import FakeLineageStore
from tests.fakes.uncharged import Uncharged

UNHURRIED = FrontierSettings(host_pause_s=0.0, respect_robots=False)
"""No robots.txt and no pauses, for tests of something else."""


class FakeCollecting:
    """A frontier over a network (see FakeFetcher), and a clock that only waiting and tests move.

    The services get `ports`. `slept` holds each wait for a slot, in seconds.
    """

    def __init__(
        self,
        network: Mapping[str, Mapping[str, Any]],
        *,
        settings: FrontierSettings = UNHURRIED,
        fetcher: PageFetcher | None = None,
        url_policy: UrlPolicy = DEFAULT_POLICY,
        **internet: Any,
    ) -> None:
        self.clock = FakeClock()
        self.internet = FakeFetcher(network, clock=self.clock, now=NOW, **internet)
        self.feeds = FakeFeedStore()
        self.lineage = FakeLineageStore(self.feeds)
        self.queue = FakeFrontierQueue()
        self.slept: list[float] = []
        tables = self.feeds.tables
        self.ports = CollectPorts(
            fetcher=fetcher or self.internet,
            frontier=DynamoFrontierStore(tables, url_policy=url_policy),
            lineage=self.lineage,
            bodies=FakeBodies(),
            queue=self.queue,
            robots=DynamoRobotsStore(tables),
            limiter=DynamoHostLimiter(tables),
            charges=Uncharged(),
            tenants=DynamoKeyStore(tables),
            begun=DynamoBegunTasks(tables),
            clock=self.clock,
            settings=replace(
                settings,
                follow_redirects=self.internet.follow_redirects,
                max_redirects=self.internet.max_redirects,
            ),
            url_policy=url_policy,
            sleep=self._sleep,
        )

    def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.clock.advance(seconds)

    def add(self, url: str, **members: Any) -> FrontierRow:
        """Store a row of this URL in the given state, and return it."""
        submitted = submit([url], tenant_id=None, ports=self.ports)[0]
        assert isinstance(submitted, Submitted), submitted
        self.queue.take()
        if not members:
            return submitted.row
        return self.change(submitted.row, **members)

    def change(self, row: FrontierRow, **members: Any) -> FrontierRow:
        """Write a row in the given state, past the store."""
        changed = replace(row, **members)
        item = encode({**row_item(changed), "runs": set(changed.runs)})
        self.feeds.faults.put_item(TableName=self.feeds.contents.names.frontier, Item=item)
        return self.row(row.row_id)

    def row(self, row_id: str) -> FrontierRow:
        """The current row."""
        found = self.ports.frontier.row(row_id)
        assert found is not None
        return found

    def rows(self) -> list[FrontierRow]:
        """All rows."""
        return [read_row(item) for item in self.feeds.contents.frontier()]

    def by_status(self) -> dict[RowStatus, int]:
        """The number of rows by status."""
        statuses = [row.status for row in self.rows()]
        return {status: statuses.count(status) for status in set(statuses)}

    def work(self, *, within_s: float = 600.0) -> CollectReport:
        """Have a worker process all messages of the queue, without waiting for their delay."""
        return collect_batch(self.queue.take(), ports=self.ports, do_job=lambda *_: None, within_s=within_s)


def run_id(name: str) -> str:
    """The id of a run by a name."""
    return derived_ulid(NOW, "run", name)
