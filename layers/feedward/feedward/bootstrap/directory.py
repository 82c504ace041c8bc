"""Services of the directory: feeds, sites, subscriptions, and the ports that all functions share.

Each port is a cached property that imports its adapter, so a function loads only the ports that it uses.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from feedward.adapters.clock import SystemClock
from feedward.adapters.dynamodb.feeds.feed_store import DynamoFeedStore
from feedward.adapters.dynamodb.store.client import dynamodb_client
from feedward.adapters.dynamodb.store.keys import TableNames
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.fetching.guarded_fetch import GuardedFetcher
from feedward.bootstrap.fetching import fetch_settings, rsshub_base, with_rsshub_access
from feedward.config import Settings
from feedward.errors import InvalidInput, InvalidSetting
from feedward.ports import (
    Audit,
    Clock,
    DiscoverQueue,
    EventBus,
    FeedActions,
    FeedMoves,
    FeedReader,
    FeedStore,
    HostLimiter,
    Outbox,
    PageFetcher,
    Pending,
    PendingMerges,
    Revivals,
    SiteStore,
    Subscriptions,
)

if TYPE_CHECKING:  # few requests have an idempotency key, and few are searches
    from feedward.ports.idempotency import IdempotencyRecords
    from feedward.ports.keys import KeyStore, TenantData
    from feedward.ports.quotas import Charges, QuotaCounters
    from feedward.ports.search import DirectoryIndex, IndexedFeeds, SearchFeed
    from feedward.services.quotas.meter import Meter


class DirectoryServices:
    """Ports of the directory for `settings`. Raises InvalidSetting, also where a port lacks its own setting.

    `guard` are further arguments of GuardedFetcher. `given` are ports by name, which replace the ports of this
    class. Both are for the demo and for tests: no setting of a deployment reaches them.
    """

    def __init__(self, settings: Settings, *, guard: Mapping[str, Any] | None = None, **given: Any) -> None:
        self._settings = settings
        self._guard = guard or {}
        self.rsshub_base = rsshub_base(settings)
        self.is_open = settings.is_open
        self.refreshes = settings.refresh
        self.clock: Clock = SystemClock()
        self.sleep: Callable[[float], None] = time.sleep
        for name, port in given.items():
            if not hasattr(type(self), name) and name not in vars(self):
                raise TypeError(f"services have no {name}")
            vars(self)[name] = port

    @cached_property
    def tables(self) -> Tables:
        """The DynamoDB tables. All stores share them."""
        settings = self._settings
        names = TableNames(
            urls=settings.urls_table,
            feeds=settings.feeds_table,
            state=settings.state_table,
            sites=settings.sites_table,
            tenants=settings.tenants_table,
            frontier=settings.frontier_table,
            lineage=settings.lineage_table,
            webhooks=settings.webhooks_table,
            keys=settings.keys_table,
            history_days=settings.history_days,
        )
        return Tables(dynamodb_client(), names)

    @cached_property
    def keys(self) -> KeyStore:
        """Keys of tenants."""
        from feedward.adapters.dynamodb.access.key_store import DynamoKeyStore  # noqa: PLC0415

        self._settings.required("tenants_table")
        self._settings.required("keys_table")
        return DynamoKeyStore(self.tables)

    @cached_property
    def tenant_data(self) -> TenantData:
        """All stored data of tenants."""
        from feedward.adapters.dynamodb.access.tenant_data import DynamoTenantData  # noqa: PLC0415
        from feedward.adapters.s3.files import TenantObjects  # noqa: PLC0415

        return DynamoTenantData(self.tables, TenantObjects(self._settings.required("bodies_bucket")))

    @cached_property
    def fetcher(self) -> PageFetcher:
        """The guarded fetch, with the access key of a private RSSHub."""
        return with_rsshub_access(self.guarded_fetcher, self._settings)

    @cached_property
    def guarded_fetcher(self) -> GuardedFetcher:
        """The guard itself, which deliveries of webhooks share."""
        return GuardedFetcher(fetch_settings(self._settings), **self._guard)

    @cached_property
    def limiter(self) -> HostLimiter:
        """The rate limiter: cooldowns and slots of hosts."""
        from feedward.adapters.dynamodb.state.host_limiter import DynamoHostLimiter  # noqa: PLC0415

        return DynamoHostLimiter(self.tables)

    @property
    def awaited_fetcher(self) -> PageFetcher:
        """The fetch of a request that a person waits for. It may send one request to a host in its cooldown."""
        from feedward.services.work.polite_fetch import polite_fetcher  # noqa: PLC0415 - no start pays for it

        return polite_fetcher(self.fetcher, self.limiter, self.clock, is_awaited=True)

    # --- feeds -----------------------------------------------------------------------------------------

    @cached_property
    def store(self) -> FeedStore:
        """Feeds by URL: lookup, registration and the writes of discoveries."""
        return DynamoFeedStore(self.tables)

    @cached_property
    def feed_reader(self) -> FeedReader:
        """Feeds as the API reads them."""
        from feedward.adapters.dynamodb.feeds.feed_reader import DynamoFeedReader  # noqa: PLC0415

        return DynamoFeedReader(self.tables)

    @cached_property
    def feed_actions(self) -> FeedActions:
        """Actions of operators on feeds."""
        from feedward.adapters.dynamodb.feeds.actions import DynamoFeedActions  # noqa: PLC0415

        return DynamoFeedActions(self.tables)

    @cached_property
    def moves(self) -> FeedMoves:
        """Relocations and merges of feeds."""
        from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves  # noqa: PLC0415

        return DynamoFeedMoves(self.tables)

    @cached_property
    def audit(self) -> Audit:
        """The audit log of feeds."""
        from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves  # noqa: PLC0415

        return DynamoFeedMoves(self.tables)

    @cached_property
    def revivals(self) -> Revivals:
        """Lost feeds and their revivals."""
        from feedward.adapters.dynamodb.feeds.revivals import DynamoRevivals  # noqa: PLC0415

        return DynamoRevivals(self.tables)

    @cached_property
    def outbox(self) -> Outbox:
        """The outbox of the feeds table."""
        from feedward.adapters.dynamodb.feeds.outbox import DynamoOutbox  # noqa: PLC0415

        return DynamoOutbox(self.tables)

    @cached_property
    def bus(self) -> EventBus:
        """The event bus."""
        from feedward.adapters.aws_calls import aws_client  # noqa: PLC0415
        from feedward.adapters.eventbridge import BusPublisher  # noqa: PLC0415

        return BusPublisher(aws_client("events"), self._settings.required("event_bus_name"))

    @cached_property
    def pending(self) -> Pending:
        """Feeds with undelivered events, and unfinished jobs."""
        from feedward.adapters.dynamodb.feeds.outbox import DynamoPending  # noqa: PLC0415

        return DynamoPending(self.tables)

    @cached_property
    def pending_feed_merges(self) -> PendingMerges:
        """The URLs of merged feeds, which the registry still names."""
        return DynamoFeedStore(self.tables)

    @property
    def pending_merges(self) -> Sequence[PendingMerges]:
        """What names merged feeds. Subscriptions come first: the mark of a feed is deleted after all other work."""
        return (self.subscriptions, self.pending_feed_merges)

    # --- discovery and subscriptions -------------------------------------------------------------------

    @cached_property
    def sites(self) -> SiteStore:
        """Sites and discovery jobs."""
        from feedward.adapters.dynamodb.sites.site_store import DynamoSiteStore  # noqa: PLC0415

        self._settings.required("sites_table")
        return DynamoSiteStore(self.tables)

    @cached_property
    def queue(self) -> DiscoverQueue:
        """The queue of discovery jobs."""
        from feedward.adapters.aws_calls import aws_client  # noqa: PLC0415
        from feedward.adapters.sqs import SqsDiscoverQueue  # noqa: PLC0415

        return SqsDiscoverQueue(aws_client("sqs"), self._settings.required("discover_queue_url"))

    @cached_property
    def subscriptions(self) -> Subscriptions:
        """Subscriptions of tenants."""
        from feedward.adapters.dynamodb.tenants.subscriptions import DynamoSubscriptions  # noqa: PLC0415

        self._settings.required("tenants_table")
        return DynamoSubscriptions(self.tables)

    @cached_property
    def idempotency(self) -> IdempotencyRecords:
        """Responses by idempotency key."""
        from feedward.adapters.dynamodb.state.idempotency import DynamoIdempotencyRecords  # noqa: PLC0415

        return DynamoIdempotencyRecords(self.tables)

    # --- quotas ----------------------------------------------------------------------------------------

    @cached_property
    def charges(self) -> Charges:
        """The charges of tenants for work."""
        return self.meter

    @cached_property
    def meter(self) -> Meter:
        """The same, with the remaining amounts of a tenant's quotas. Raises InvalidSetting."""
        from feedward.quotas.quota import places_of, read_limits  # noqa: PLC0415 - no start works
        from feedward.services.quotas.meter import Meter  # noqa: PLC0415

        try:
            default = read_limits(self._settings.quotas)
        except InvalidInput as error:
            raise InvalidSetting("DEFAULT_QUOTAS", error.message) from None
        places = places_of(self._settings.reserved_concurrency)
        return Meter(self.quota_counters, self.clock, default=default, places=places)

    @cached_property
    def quota_counters(self) -> QuotaCounters:
        """Counters and limits of tenants."""
        from feedward.adapters.dynamodb.state.quota_counters import DynamoQuotaCounters  # noqa: PLC0415

        return DynamoQuotaCounters(self.tables)

    # --- search ----------------------------------------------------------------------------------------

    @cached_property
    def search_index(self) -> DirectoryIndex:
        """The index that searches read."""
        from feedward.bootstrap.search import search_index  # noqa: PLC0415

        return search_index(self._settings, self.clock)

    @cached_property
    def search_feed(self) -> SearchFeed:
        """The destination of changed documents."""
        from feedward.bootstrap.search import search_feed  # noqa: PLC0415

        return search_feed(self._settings)

    @cached_property
    def indexed_feeds(self) -> IndexedFeeds:
        """Feeds as they are indexed."""
        from feedward.adapters.dynamodb.feeds.indexed_feeds import DynamoIndexedFeeds  # noqa: PLC0415

        self._settings.required("sites_table")
        return DynamoIndexedFeeds(self.tables)
