"""A whole directory in memory, with all parts of a discovery (services.site_run.Directory)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from feedward import bootstrap
from feedward.adapters.dynamodb.access.key_store import DynamoKeyStore
from feedward.adapters.dynamodb.state.host_limiter import DynamoHostLimiter
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.config import Settings
from feedward.ports import PageFetcher
from feedward.ports.quotas import Charges
from tests.fakes.discover_queue import FakeDiscoverQueue
from tests.fakes.event_bus import FakeEventBus
from tests.fakes.feed_store import FakeFeedStore
from tests.fakes.fetcher import FakeFetcher
from tests.fakes.health_queue import FakeHealthQueue
from tests.fakes.lifespan import Lifespan, Mortal
from tests.fakes.site_store import FakeSiteStore, fake_outbox
from tests.fakes.subscriptions import fake_subscriptions
from tests.fakes.uncharged import Uncharged

NOW = 1_790_000_000
SETTINGS = Settings(urls_table="urls", feeds_table="feeds", state_table="state")


class FakeClock:
    """A clock that a test moves: `now` and `monotonic` move together."""

    def __init__(self, now: float = NOW) -> None:
        self.time = float(now)

    def now(self) -> int:
        return int(self.time)

    def now_ms(self) -> int:
        return int(self.time * 1000)

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
        self.is_open = False
        self.rsshub_base = rsshub_base
        self.charges: Charges = Uncharged()
        self.faults = self.store.faults
        self.contents = self.store.contents
        self.limiter = DynamoHostLimiter(self.store.tables)
        self.keys = DynamoKeyStore(self.store.tables)
        self.lifespan = Lifespan()
        holders: tuple[Any, ...] = (self.faults, self.queue, self.health_queue, self.bus)
        for holder in holders:
            holder._client = Mortal(holder._client, self.lifespan)

    def services(self) -> bootstrap.Services:
        """The same in the form of the functions."""
        return bootstrap.Services(
            SETTINGS,
            tables=self.tables,
            fetcher=self.fetcher,
            store=self.store,
            pending_feed_merges=self.store,
            clock=self.clock,
            sleep=self.clock.advance,
            sites=self.sites,
            outbox=self.outbox,
            queue=self.queue,
            bus=self.bus,
            subscriptions=self.subscriptions,
            health_queue=self.health_queue,
            rsshub_base=self.rsshub_base,
            limiter=self.limiter,
            keys=self.keys,
        )

    @property
    def tables(self) -> Tables:
        """The tables, with their knobs."""
        return self.store.tables
