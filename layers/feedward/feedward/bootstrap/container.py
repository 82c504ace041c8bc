"""The services of a process: the ports that its functions work with, each made when it is first asked for."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from feedward.errors import FeedwardError
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
    MergeDebts,
    Outbox,
    PageFetcher,
    Pending,
    Revivals,
    SiteStore,
    Subscriptions,
    WorkQueue,
)

if TYPE_CHECKING:  # most functions check nothing, and few requests have a key
    from feedward.ports.collecting import RekeyStore
    from feedward.ports.idempotency import IdempotencyRecords
    from feedward.ports.sweeping import RowSweepStore
    from feedward.services.check.ports import BatchParts, HealthStores
    from feedward.services.collect.ports import CollectParts


def _not_given() -> Any:
    raise FeedwardError("these services were put together without what this needs")


class Later:
    """A port whose client is made when it is first used: many checks tell nobody, and most batches leave nothing."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    def __getattr__(self, name: str) -> Any:
        return getattr(self._make(), name)


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectoryStores:
    """What people read of feeds, and do to them. Made together: none has a client of its own."""

    reader: FeedReader
    actions: FeedActions
    audit: Audit


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectUpkeep:
    """What comes around by the clock: rows that are due, and the registry's rows of older keys."""

    sweeps: RowSweepStore
    rekeys: RekeyStore


@dataclass(frozen=True, kw_only=True)
class Services:
    """What the functions work with. What only some of them need is made when it is first asked for."""

    fetcher: PageFetcher
    store: FeedStore
    clock: Clock
    sleep: Callable[[float], None] = time.sleep
    make_sites: Callable[[], SiteStore] = _not_given
    make_outbox: Callable[[], Outbox] = _not_given
    make_queue: Callable[[], DiscoverQueue] = _not_given
    make_bus: Callable[[], EventBus] = _not_given
    make_subscriptions: Callable[[], Subscriptions] = _not_given
    make_health: Callable[[], HealthStores] = _not_given
    make_health_queue: Callable[[], WorkQueue] = _not_given
    rsshub_base: str | None = None
    make_directory: Callable[[], DirectoryStores] = _not_given
    make_idempotency: Callable[[], IdempotencyRecords] = _not_given
    make_collect: Callable[[PageFetcher, Clock], CollectParts] = lambda *_: _not_given()
    make_collect_upkeep: Callable[[], CollectUpkeep] = _not_given
    make_begun: Callable[[], BegunTasks] = _not_given
    make_limiter: Callable[[], HostLimiter] = _not_given

    @functools.cached_property
    def limiter(self) -> HostLimiter:
        """The limits of hosts."""
        return self.make_limiter()

    @functools.cached_property
    def begun(self) -> BegunTasks:
        """Tasks that workers may have died of."""
        return self.make_begun()

    @property
    def awaited_fetcher(self) -> PageFetcher:
        """The fetch of one request that a person waits for."""
        from feedward.services.work.polite_fetch import polite_fetcher  # noqa: PLC0415 - no start pays for it

        return polite_fetcher(self.fetcher, self.limiter, self.clock, is_awaited=True)

    @functools.cached_property
    def directory(self) -> DirectoryStores:
        """The feeds as people see them."""
        return self.make_directory()

    @functools.cached_property
    def collect(self) -> CollectParts:
        """What collecting works with: rows, items, bodies, and the fetch."""
        return self.make_collect(self.fetcher, self.clock)

    @functools.cached_property
    def collect_upkeep(self) -> CollectUpkeep:
        """What the schedules of collecting work with."""
        return self.make_collect_upkeep()

    @property
    def feed_reader(self) -> FeedReader:
        """What people read of feeds."""
        return self.directory.reader

    @property
    def feed_actions(self) -> FeedActions:
        """What people do to feeds."""
        return self.directory.actions

    @property
    def audit(self) -> Audit:
        """The history of feeds."""
        return self.directory.audit

    @functools.cached_property
    def idempotency(self) -> IdempotencyRecords:
        """How requests with a key were answered."""
        return self.make_idempotency()

    @functools.cached_property
    def sites(self) -> SiteStore:
        """The directory's sites and their jobs."""
        return self.make_sites()

    @functools.cached_property
    def outbox(self) -> Outbox:
        """What feeds owe to the bus."""
        return self.make_outbox()

    @functools.cached_property
    def queue(self) -> DiscoverQueue:
        """Where discovery jobs wait."""
        return self.make_queue()

    @functools.cached_property
    def bus(self) -> EventBus:
        """Where events go."""
        return self.make_bus()

    @functools.cached_property
    def subscriptions(self) -> Subscriptions:
        """The tenants' subscriptions."""
        return self.make_subscriptions()

    @functools.cached_property
    def health(self) -> HealthStores:
        """What is stored of the feeds' health."""
        return self.make_health()

    @functools.cached_property
    def health_queue(self) -> WorkQueue:
        """Where checks wait."""
        return self.make_health_queue()

    @property
    def checks(self) -> CheckStore:
        """What checks read and write."""
        return self.health.checks

    @property
    def moves(self) -> FeedMoves:
        """How feeds get other URLs."""
        return self.health.moves

    @property
    def revivals(self) -> Revivals:
        """Lost feeds."""
        return self.health.revivals

    @property
    def pending(self) -> Pending:
        """What is owed for long."""
        return self.health.pending

    @property
    def batch_parts(self) -> BatchParts:
        """What the checks of a batch work with."""
        from feedward.services.check.ports import BatchParts, CheckParts  # noqa: PLC0415

        health = self.health
        check = CheckParts(
            fetcher=self.fetcher,
            store=health.checks,
            sightings=health.sightings,
            moves=health.moves,
            outbox=self.outbox,
            bus=cast("EventBus", Later(lambda: self.bus)),
            subscriptions=cast("Subscriptions", Later(lambda: self.subscriptions)),
            clock=self.clock,
        )
        return BatchParts(
            check=check,
            sweeps=health.sweeps,
            outages=health.outages,
            limiter=health.limiter,
            begun=health.begun,
            queue=cast("WorkQueue", Later(lambda: self.health_queue)),
            sleep=self.sleep,
        )

    @property
    def debts(self) -> Sequence[MergeDebts]:
        """What merges leave to do: of subscriptions first, for a feed's own mark goes only when all is paid."""
        return (self.subscriptions, self.health.feed_debts)
