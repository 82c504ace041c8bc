"""Services are built from settings, and no client is made before it is needed."""

from __future__ import annotations

from typing import Any

import pytest
from botocore.session import Session

from feedward import bootstrap
from feedward.adapters.dynamodb.feeds.outbox import DynamoOutbox
from feedward.adapters.dynamodb.sites.site_store import DynamoSiteStore
from feedward.adapters.dynamodb.tenants.subscriptions import DynamoSubscriptions
from feedward.adapters.eventbridge import BusPublisher
from feedward.adapters.fetching.guarded_fetch import GuardedFetcher
from feedward.adapters.fetching.rsshub_access import RsshubAccess
from feedward.adapters.sqs import SqsDiscoverQueue
from feedward.config import Settings
from feedward.errors import InvalidSetting
from feedward.model import Outcome
from feedward.services.discover.discover import JOB_LIMITS
from feedward.services.revive.revive import RevivalDirectory
from feedward.services.subscribe.discover import SubscribedDirectory
from feedward.services.sweep.reconcile import ReconcilePorts
from tests.fakes.directory import FakeClock
from tests.fakes.feed_store import FakeFeedStore

TABLES = {"URLS_TABLE": "urls", "FEEDS_TABLE": "feeds", "STATE_TABLE": "state"}
DISCOVERY = {
    "SITES_TABLE": "sites",
    "DISCOVER_QUEUE_URL": "https://queue.example.com/",
    "EVENT_BUS_NAME": "bus",
    "TENANTS_TABLE": "tenants",
}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The created clients, by service."""
    services: list[str] = []

    def create_client(_: Session, service: str, **__: Any) -> object:
        services.append(service)
        return object()

    monkeypatch.setattr(Session, "create_client", create_client)
    return services


def build(**env: str) -> bootstrap.Services:
    return bootstrap.build(Settings.from_env(TABLES | env))


def test_each_client_is_made_when_it_is_first_asked_for(made: list[str]) -> None:
    services = build(**DISCOVERY)
    assert made == []
    assert isinstance(services.sites, DynamoSiteStore)
    assert isinstance(services.outbox, DynamoOutbox)
    assert isinstance(services.subscriptions, DynamoSubscriptions)
    assert made == ["dynamodb"]
    assert isinstance(services.queue, SqsDiscoverQueue)
    assert isinstance(services.bus, BusPublisher)
    assert made == ["dynamodb", "sqs", "events"]
    assert services.queue is services.queue
    assert services.bus is services.bus
    assert services.sites is services.sites
    assert made == ["dynamodb", "sqs", "events"]


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize(
    ("part", "variable"),
    [
        ("sites", "SITES_TABLE"),
        ("queue", "DISCOVER_QUEUE_URL"),
        ("bus", "EVENT_BUS_NAME"),
        ("subscriptions", "TENANTS_TABLE"),
    ],
)
def test_a_missing_setting_is_named_where_it_is_used(part: str, variable: str) -> None:
    services = build()
    with pytest.raises(InvalidSetting, match=variable):
        getattr(services, part)


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize(("base", "meant"), [("", None), ("https://rss.example.com", "https://rss.example.com")])
def test_rsshub_is_asked_at_its_base_or_not_at_all(base: str, meant: str | None) -> None:
    assert build(RSSHUB_BASE_URL=base).rsshub_base == meant
    assert build().rsshub_base == "https://rsshub.app"


@pytest.mark.usefixtures("made")
@pytest.mark.parametrize(
    ("base", "reason"),
    [
        ("http://rss.example.com:1200", "port"),
        ("http://10.0.0.5:8080", "private"),
        ("http://localhost", "local"),
        ("https://", "parse"),
    ],
)
def test_an_rsshub_that_the_fetch_would_refuse_is_reported_immediately(base: str, reason: str) -> None:
    with pytest.raises(InvalidSetting, match=f"^RSSHUB_BASE_URL cannot be requested: .*{reason}"):
        build(RSSHUB_BASE_URL=base)


def test_a_private_rsshub_has_its_key_read_when_it_is_needed(made: list[str]) -> None:
    services = build(RSSHUB_BASE_URL="https://rss.example.com", RSSHUB_ACCESS_KEY_PARAMETER="/feedward/rsshub")
    assert isinstance(services.fetcher, RsshubAccess)
    assert isinstance(build(RSSHUB_BASE_URL="", RSSHUB_ACCESS_KEY_PARAMETER="/x").fetcher, GuardedFetcher)
    assert "ssm" not in made


@pytest.mark.usefixtures("made")
def test_a_request_of_a_job_may_take_as_long_as_a_job_says() -> None:
    fetcher = build().fetcher
    assert isinstance(fetcher, GuardedFetcher)
    assert fetcher.settings.total_s == fetcher.settings.io_s == JOB_LIMITS.request_s == bootstrap.REQUEST_S


@pytest.mark.usefixtures("made")
def test_services_are_the_directory_that_a_discovery_works_with() -> None:
    directory: SubscribedDirectory = build(**DISCOVERY)
    assert directory.sites is not None
    assert directory.subscriptions is not None


def test_a_port_that_is_given_takes_the_place_of_the_one_that_would_be_made(made: list[str]) -> None:
    store = FakeFeedStore()
    services = bootstrap.Services(Settings.from_env(TABLES), store=store, clock=FakeClock())
    assert services.store is store
    assert made == []
    with pytest.raises(TypeError, match="no stoer"):
        bootstrap.Services(Settings.from_env(TABLES), stoer=store)


def test_checks_make_seldom_needed_clients_on_demand(made: list[str]) -> None:
    services = build(**DISCOVERY, HEALTH_QUEUE_URL="https://queue.example.com/health")
    parts = services.check_batch_ports
    assert made == ["dynamodb"]
    assert callable(parts.queue.send_batch)
    assert made == ["dynamodb", "sqs"]
    assert callable(parts.check.bus.publish)
    assert callable(parts.check.bus.publish)
    assert made == ["dynamodb", "sqs", "events"]


@pytest.mark.usefixtures("made")
def test_the_queue_of_checks_is_named_where_it_is_missing() -> None:
    with pytest.raises(InvalidSetting, match="HEALTH_QUEUE_URL"):
        _ = build(**DISCOVERY).health_queue


@pytest.mark.usefixtures("made")
def test_neither_name_of_the_api_gets_a_webhook_and_a_worker_remembers_its_checks() -> None:
    names = {"OWN_HOST": "Abc.execute-api.example.com", "PUBLIC_BASE_URL": "https://feeds.example.com."}
    places = {"WEBHOOKS_TABLE": "w", "WEBHOOK_QUEUE_URL": "https://queue.example.com/w", "WEBHOOK_KEY_ARN": "k"}
    services = build(**DISCOVERY, **names, **places, HEALTH_QUEUE_URL="https://q.example.com/h")

    poster: Any = services.webhook_ports.poster
    posted = [
        poster.post(f"https://{host}/hook", body=b"", headers={}, within_s=1)
        for host in ("abc.execute-api.example.com", "feeds.example.com.")
    ]

    assert [each.outcome for each in posted] == [Outcome.BLOCKED] * 2
    assert set(services.webhook_ports.own_hosts) == {"abc.execute-api.example.com", "feeds.example.com"}
    assert services.check_batch_ports.checked is services.check_batch_ports.checked


@pytest.mark.usefixtures("made")
def test_services_have_the_ports_of_revivals_and_the_reconcile_pass() -> None:
    services = build(**DISCOVERY, HEALTH_QUEUE_URL="https://queue.example.com/health")
    directory: RevivalDirectory = services
    ports: ReconcilePorts = services
    assert (directory.moves, directory.revivals, directory.checks) == (
        services.moves,
        services.revivals,
        services.checks,
    )
    assert ports.pending_merges[0] is services.subscriptions  # a feed's own mark goes only when all is paid
