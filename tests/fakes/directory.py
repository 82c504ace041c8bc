"""A whole directory in memory, with all that a discovery works with (services.site_run.Directory)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from feedward import bootstrap
from feedward.adapters.dynamodb.feeds.checks import DynamoCheckStore
from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves
from feedward.adapters.dynamodb.feeds.outbox import DynamoPending
from feedward.adapters.dynamodb.feeds.revivals import DynamoRevivals
from feedward.adapters.dynamodb.feeds.sweep_store import DynamoSweepStore
from feedward.adapters.dynamodb.state.begun_tasks import DynamoBegunTasks
from feedward.adapters.dynamodb.state.host_limiter import DynamoHostLimiter
from feedward.adapters.dynamodb.state.idempotency import DynamoIdempotencyRecords
from feedward.adapters.dynamodb.state.move_observations import DynamoSightings
from feedward.adapters.dynamodb.state.outages import DynamoOutages
from feedward.ports import PageFetcher
from feedward.services.check.ports import HealthStores
from tests.fakes.discover_queue import FakeDiscoverQueue
from tests.fakes.event_bus import FakeEventBus
from tests.fakes.feed_store import PATIENT, FakeFeedStore
from tests.fakes.fetcher import FakeFetcher
from tests.fakes.health_queue import FakeHealthQueue
from tests.fakes.lifespan import Lifespan, Mortal
from tests.fakes.site_store import FakeSiteStore, fake_outbox
from tests.fakes.subscriptions import fake_subscriptions

NOW = 1_790_000_000


class FakeClock:
    """Time that a test moves: `now` and `monotonic` go together."""

    def __init__(self, now: float = NOW) -> None:
        self.time = float(now)

    def now(self) -> int:
        return int(self.time)

    def monotonic(self) -> float:
        return self.time - NOW

    def advance(self, seconds: float) -> None:
        self.time += seconds


class FakeDirectory:
    """Feeds, sites, outbox, queue, bus and a clock that stands still, over a network (see FakeFetcher).

    `lifespan` can end the process at any call of the store, the queue or the bus.
    """

    def __init__(
        self,
        network: Mapping[str, Mapping[str, Any]],
        *,
        fetcher: PageFetcher | None = None,
        rsshub_base: str | None = None,
    ) -> None:
        self.clock = FakeClock()
        self.internet = FakeFetcher(network, clock=self.clock)
        self.fetcher = fetcher or self.internet
        self.store = FakeFeedStore()
        self.sites = FakeSiteStore(self.store)
        self.outbox = fake_outbox(self.store)
        self.subscriptions = fake_subscriptions(self.store)
        self.queue = FakeDiscoverQueue()
        self.health_queue = FakeHealthQueue()
        self.bus = FakeEventBus()
        self.rsshub_base = rsshub_base
        self.faults = self.store.faults
        self.contents = self.store.contents
        self.limiter = DynamoHostLimiter(self.faults, self.contents.names, PATIENT)  # type: ignore[arg-type]
        self.lifespan = Lifespan()
        holders: tuple[Any, ...] = (self.faults, self.queue, self.health_queue, self.bus)
        for holder in holders:
            holder._client = Mortal(holder._client, self.lifespan)

    def services(self) -> bootstrap.Services:
        """The same as the functions get it."""
        return bootstrap.Services(
            fetcher=self.fetcher,
            store=self.store,
            clock=self.clock,
            sleep=self.clock.advance,
            make_sites=lambda: self.sites,
            make_outbox=lambda: self.outbox,
            make_queue=lambda: self.queue,
            make_bus=lambda: self.bus,
            make_subscriptions=lambda: self.subscriptions,
            make_health=self._health_stores,
            make_health_queue=lambda: self.health_queue,
            rsshub_base=self.rsshub_base,
            make_idempotency=self._idempotency,
            make_limiter=lambda: self.limiter,
            make_begun=lambda: DynamoBegunTasks(self.faults, self.contents.names, PATIENT),  # type: ignore[arg-type]
        )

    def _idempotency(self) -> DynamoIdempotencyRecords:
        client: Any = self.faults
        return DynamoIdempotencyRecords(client, self.contents.names, PATIENT)

    def _health_stores(self) -> HealthStores:
        """As bootstrap makes them."""
        client: Any = self.faults
        names = self.contents.names
        return HealthStores(
            checks=DynamoCheckStore(client, names, PATIENT),
            moves=DynamoFeedMoves(client, names, PATIENT),
            revivals=DynamoRevivals(client, names, PATIENT),
            sightings=DynamoSightings(client, names, PATIENT),
            sweeps=DynamoSweepStore(client, names, PATIENT),
            outages=DynamoOutages(client, names, PATIENT),
            limiter=DynamoHostLimiter(client, names, PATIENT),
            begun=DynamoBegunTasks(client, names, PATIENT),
            pending=DynamoPending(client, names, PATIENT),
            feed_debts=self.store,
        )
