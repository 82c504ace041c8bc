"""Puts the parts together: the only place that names adapters. Nothing is made until somebody asks for it.

What a resolver or an address policy may loosen is given here by code only: no setting of a deployment reaches it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from feedward.adapters.clock import SystemClock
from feedward.adapters.dynamodb.client import dynamodb_client
from feedward.adapters.dynamodb.feed_store import DynamoFeedStore
from feedward.adapters.dynamodb.keys import TableNames
from feedward.adapters.fetch import FetchSettings, GuardedFetcher
from feedward.adapters.http.identity import browser_user_agent, user_agent
from feedward.config import Settings, from_environment
from feedward.errors import FeedwardError, InvalidSetting
from feedward.ports import (
    Audit,
    CheckStore,
    Clock,
    DiscoverQueue,
    EventBus,
    FeedActions,
    FeedMoves,
    FeedReader,
    FeedStore,
    Fetcher,
    HealthQueue,
    MergeDebts,
    Outbox,
    Pending,
    Revivals,
    SiteStore,
    Subscriptions,
)
from feedward.services.check.parts import BatchParts, CheckParts, HealthStores
from feedward.urls.safety import refuse_url

# Of one request, where nobody sets a limit that is nearer: what a job gives a slow site (spec D5).
REQUEST_S: Final = 15.0


def _not_given() -> Any:
    raise FeedwardError("these services were put together without what this needs")


class _Later:
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


@dataclass(frozen=True, kw_only=True)
class Services:
    """What the functions work with. What only some of them need is made when it is first asked for."""

    fetcher: Fetcher
    store: FeedStore
    clock: Clock
    make_sites: Callable[[], SiteStore] = _not_given
    make_outbox: Callable[[], Outbox] = _not_given
    make_queue: Callable[[], DiscoverQueue] = _not_given
    make_bus: Callable[[], EventBus] = _not_given
    make_subscriptions: Callable[[], Subscriptions] = _not_given
    make_health: Callable[[], HealthStores] = _not_given
    make_health_queue: Callable[[], HealthQueue] = _not_given
    rsshub_base: str | None = None
    make_directory: Callable[[], DirectoryStores] = _not_given

    @functools.cached_property
    def directory(self) -> DirectoryStores:
        """The feeds as people see them."""
        return self.make_directory()

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
    def health_queue(self) -> HealthQueue:
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
        health = self.health
        check = CheckParts(
            fetcher=self.fetcher,
            store=health.checks,
            sightings=health.sightings,
            moves=health.moves,
            outbox=self.outbox,
            bus=cast("EventBus", _Later(lambda: self.bus)),
            clock=self.clock,
        )
        return BatchParts(
            check=check,
            sweeps=health.sweeps,
            outages=health.outages,
            host_pauses=health.host_pauses,
            queue=cast("HealthQueue", _Later(lambda: self.health_queue)),
        )

    @property
    def debts(self) -> Sequence[MergeDebts]:
        """What merges leave to do: of subscriptions first, for a feed's own mark goes only when all is paid."""
        return (self.subscriptions, self.health.feed_debts)


def build(settings: Settings, **guard: Any) -> Services:
    """Services for `settings`. `guard` is what GuardedFetcher takes beside its settings: for the demo and for tests."""
    client = dynamodb_client()
    return Services(
        fetcher=_with_rsshub_access(GuardedFetcher(fetch_settings(settings), **guard), settings),
        store=DynamoFeedStore(client, _tables(settings)),
        clock=SystemClock(),
        make_sites=lambda: _sites(client, settings),
        make_outbox=lambda: _outbox(client, settings),
        make_queue=lambda: _queue(settings),
        make_bus=lambda: _bus(settings),
        make_subscriptions=lambda: _subscriptions(client, settings),
        make_health=lambda: _health(client, _tables(settings)),
        make_health_queue=lambda: _health_queue(settings),
        rsshub_base=_rsshub_base(settings),
        make_directory=lambda: _directory(client, _tables(settings)),
    )


# --- what only some functions need, with its imports ------------------------------------------------


def _rsshub_base(settings: Settings) -> str | None:
    """The RSSHub to ask. Raises InvalidSetting where the guarded fetch would refuse each of its routes."""
    base = settings.rsshub_base_url
    refusal = refuse_url(base) if base else None
    if refusal is not None:
        raise InvalidSetting("RSSHUB_BASE_URL", f"cannot be asked: {refusal.detail}")
    return base or None


def _with_rsshub_access(fetcher: Fetcher, settings: Settings) -> Fetcher:
    """A private RSSHub's key is read when its first route is asked."""
    if not (settings.rsshub_base_url and settings.rsshub_access_key_parameter):
        return fetcher
    from feedward.adapters.rsshub_access import RsshubAccess  # noqa: PLC0415
    from feedward.adapters.ssm import SsmParameter  # noqa: PLC0415

    parameter = SsmParameter(settings.rsshub_access_key_parameter)
    return RsshubAccess(fetcher, base_url=settings.rsshub_base_url, access_key=parameter.value)


def _sites(client: Any, settings: Settings) -> SiteStore:
    from feedward.adapters.dynamodb.sites import DynamoSiteStore  # noqa: PLC0415

    settings.required("sites_table")
    return DynamoSiteStore(client, _tables(settings))


def _outbox(client: Any, settings: Settings) -> Outbox:
    from feedward.adapters.dynamodb.outbox import DynamoOutbox  # noqa: PLC0415

    return DynamoOutbox(client, _tables(settings))


def _subscriptions(client: Any, settings: Settings) -> Subscriptions:
    from feedward.adapters.dynamodb.subscriptions import DynamoSubscriptions  # noqa: PLC0415

    settings.required("tenants_table")
    return DynamoSubscriptions(client, _tables(settings))


def _queue(settings: Settings) -> DiscoverQueue:
    from feedward.adapters.calls import aws_client  # noqa: PLC0415
    from feedward.adapters.sqs import SqsDiscoverQueue  # noqa: PLC0415

    return SqsDiscoverQueue(aws_client("sqs"), settings.required("discover_queue_url"))


def _health(client: Any, names: TableNames) -> HealthStores:
    from feedward.adapters.dynamodb.checks import DynamoCheckStore  # noqa: PLC0415
    from feedward.adapters.dynamodb.feed_moves import DynamoFeedMoves  # noqa: PLC0415
    from feedward.adapters.dynamodb.host_pauses import DynamoHostPauses  # noqa: PLC0415
    from feedward.adapters.dynamodb.outages import DynamoOutages  # noqa: PLC0415
    from feedward.adapters.dynamodb.pending import DynamoPending  # noqa: PLC0415
    from feedward.adapters.dynamodb.revivals import DynamoRevivals  # noqa: PLC0415
    from feedward.adapters.dynamodb.sightings import DynamoSightings  # noqa: PLC0415
    from feedward.adapters.dynamodb.sweep_store import DynamoSweepStore  # noqa: PLC0415

    return HealthStores(
        checks=DynamoCheckStore(client, names),
        moves=DynamoFeedMoves(client, names),
        revivals=DynamoRevivals(client, names),
        sightings=DynamoSightings(client, names),
        sweeps=DynamoSweepStore(client, names),
        outages=DynamoOutages(client, names),
        host_pauses=DynamoHostPauses(client, names),
        pending=DynamoPending(client, names),
        feed_debts=DynamoFeedStore(client, names),
    )


def _health_queue(settings: Settings) -> HealthQueue:
    from feedward.adapters.calls import aws_client  # noqa: PLC0415
    from feedward.adapters.sqs import SqsHealthQueue  # noqa: PLC0415

    return SqsHealthQueue(aws_client("sqs"), settings.required("health_queue_url"))


def _bus(settings: Settings) -> EventBus:
    from feedward.adapters.calls import aws_client  # noqa: PLC0415
    from feedward.adapters.eventbridge import BusPublisher  # noqa: PLC0415

    return BusPublisher(aws_client("events"), settings.required("event_bus_name"))


def _directory(client: Any, names: TableNames) -> DirectoryStores:
    from feedward.adapters.dynamodb.feed_actions import DynamoFeedActions  # noqa: PLC0415
    from feedward.adapters.dynamodb.feed_moves import DynamoFeedMoves  # noqa: PLC0415
    from feedward.adapters.dynamodb.feed_reader import DynamoFeedReader  # noqa: PLC0415

    return DirectoryStores(
        reader=DynamoFeedReader(client, names),
        actions=DynamoFeedActions(client, names),
        audit=DynamoFeedMoves(client, names),
    )


def _tables(settings: Settings) -> TableNames:
    return TableNames(
        urls=settings.urls_table,
        feeds=settings.feeds_table,
        state=settings.state_table,
        sites=settings.sites_table,
        tenants=settings.tenants_table,
    )


def fetch_settings(settings: Settings) -> FetchSettings:
    """How the guarded fetch is to behave in this deployment."""
    return FetchSettings(
        total_s=REQUEST_S,
        io_s=REQUEST_S,
        follow_redirects=settings.follow_redirects,
        max_redirects=settings.max_redirects,
        user_agent=user_agent(settings.contact_url),
        browser_user_agent=browser_user_agent(settings.contact_url),
    )


@functools.cache
def services() -> Services:
    """The services of this process, by its environment. Raises InvalidSetting."""
    return build(from_environment())
