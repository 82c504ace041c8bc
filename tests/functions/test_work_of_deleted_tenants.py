"""Work of a deleted tenant that is still queued ends without a request to another site (rules TN5, TN11)."""

from __future__ import annotations

import io

import pytest

from feedward.access.tenant import Tenant, going
from feedward.adapters.dynamodb.access.key_store import DynamoKeyStore
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.events.envelope import SUBSCRIPTION_CREATED
from feedward.frontier.item_links import ItemLinks
from feedward.health.revival import RevivalOutcome
from feedward.services.check.answer import CheckDisposition
from feedward.services.collect.collect_batch import collect_batch
from feedward.services.collect.fetch_row import fetch_row
from feedward.services.collect.row_answer import RowDisposition
from feedward.services.discover.discover_site import answer_discovery, run_job
from feedward.services.discover.read_sites import find_job
from feedward.services.subscribe.discover import Foreign, discover_for_subscription
from feedward.services.subscribe.subscribe import subscribe
from feedward.webhooks.events import read_event
from tests.callers import of_tenant
from tests.fakes.code_version import OLDER, code_of
from tests.fakes.directory import NOW, FakeDirectory
from tests.fakes.webhooks import RECEIVER, FakeWebhooks, answered
from tests.functions.health_check import HealthCheck, feed_url
from tests.unit.services.collect.collecting import Collecting, page
from tests.unit.services.discover.blog import HOME, slow_site
from tests.unit.services.export.exporting import Exporting
from tests.unit.services.intake.importing import Importing
from tests.unit.services.revive.revived import HOME as LOST_HOME
from tests.unit.services.revive.revived import NEW, Lost, feed_page, home
from tests.unit.services.webhooks.notified import FEED, items_published

OPEN = "https://a.example/open"
OWN = "https://a.example/own?token=9f3a71c2d4e5b6a7"


def delete(tables: Tables, *tenants: str) -> None:
    """Request the deletion of tenants: their data is still there."""
    for tenant in tenants:
        keys = DynamoKeyStore(tables)
        assert keys.save(going(Tenant(tenant_id=tenant, created_at=NOW), now=NOW))


@pytest.fixture(params=["acme", "zulu"])
def gone(request: pytest.FixtureRequest) -> str:
    """The deleted tenant: all work here is of acme."""
    return str(request.param)


def test_a_queued_check_of_its_private_feed_is_not_fetched(gone: str, log: io.StringIO) -> None:
    check = HealthCheck(log, feed_url(0), feed_url(1), scope="acme")
    text = check.message()
    delete(check.directory.tables, gone)
    check.directory.internet.requests.clear()

    assert check.deliver(text) == []

    assert len(check.directory.internet.requests) == (0 if gone == "acme" else 2)
    others = [line["others"] for line in check.log_lines if line["message"] == "checked"]
    assert others == ([{CheckDisposition.FOREIGN.value: 2}] if gone == "acme" else [{}])


def test_a_check_of_a_shared_feed_reads_no_tenant(log: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(DynamoKeyStore, "is_gone")
    check = HealthCheck(log)
    check.directory.internet.requests.clear()
    assert check.deliver(check.message()) == []
    assert len(check.directory.internet.requests) == 1


def test_its_queued_page_is_not_fetched(gone: str) -> None:
    world = Collecting({OPEN: page("open"), OWN: page("own")})
    row = world.add(OWN, owner="acme")
    delete(world.feeds.tables, gone)

    answer = fetch_row(row, ports=world.ports)

    expected = RowDisposition.FOREIGN if gone == "acme" else RowDisposition.APPLIED
    assert (answer.disposition, answer.requests > 0) == (expected, gone != "acme")


def test_its_queued_run_submits_no_page(gone: str) -> None:
    world = Collecting({OPEN: page("open"), OWN: page("own")})
    world.begin([OPEN, OWN], tenant_id="acme")
    delete(world.feeds.tables, gone)

    world.work_off()

    assert len(world.rows()) == (0 if gone == "acme" else 2)


def test_its_queued_reprocessing_makes_no_item(gone: str) -> None:
    world = Collecting({OPEN: page("open")})
    with code_of(OLDER):
        older = world.run([OPEN], tenant_id="acme")
    world.begin([], reprocessing_of_run_id=older.run_id, tenant_id="acme")
    delete(world.feeds.tables, gone)

    world.work_off()

    assert len(world.items()) == (1 if gone == "acme" else 2)


def test_the_links_of_its_private_feeds_items_are_not_submitted(gone: str) -> None:
    world = Collecting({OPEN: page("open")})
    delete(world.feeds.tables, gone)
    event = ItemLinks(feed_id="a", tenant_id="acme", links=(OPEN, OWN))

    report = collect_batch([event], ports=world.ports, do_job=lambda *_: None, within_s=600.0)

    assert report.failures == (None,)
    assert (report.links[0].new, len(world.rows())) == ((0, 0) if gone == "acme" else (2, 2))


def test_its_queued_import_subscribes_to_nothing(gone: str) -> None:
    importing = Importing()
    importing.begin("https://a.example/feed\nhttps://b.example/feed\n", tenant="acme")
    delete(importing.tables, gone)

    importing.work()

    assert len(importing.subscribed(tenant="acme")) == (0 if gone == "acme" else 2)
    assert bool(importing.bus.details) is (gone != "acme")


def test_its_queued_export_writes_no_file(gone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("feedward.services.export.export_now.INLINE_BYTES", 10)
    exporting = Exporting()
    exporting.feed("one")
    exporting.job("opml", tenant="acme")
    delete(exporting.tables, gone)

    exporting.steps()

    assert bool(exporting.export_files.s3.begun) is (gone != "acme")


def test_its_queued_discovery_asks_nothing_and_fails(gone: str) -> None:
    directory = slow_site()
    job = answer_discovery(of_tenant("acme"), HOME, directory=directory).job
    assert job is not None
    delete(directory.tables, gone)
    directory.internet.requests.clear()

    answer = run_job(job.job_id, directory=directory)

    assert (answer is None, bool(directory.internet.requests)) == (gone == "acme", gone != "acme")
    status = find_job(of_tenant("acme"), job.job_id, directory=directory).job
    assert status is not None
    assert status.status == ("failed" if gone == "acme" else "done")


@pytest.mark.parametrize("is_named", [True, False])
def test_the_search_for_its_subscription_asks_nothing(gone: str, is_named: bool) -> None:
    directory = FakeDirectory({HOME: {"body": "nothing"}})
    subscribe(of_tenant("acme"), HOME, ports=directory)
    (detail,) = directory.bus.details
    detail = detail if is_named else {**detail, "subscription_id": None}
    delete(directory.tables, gone)

    found = discover_for_subscription(detail, directory=directory)

    assert isinstance(found, Foreign) is (gone == "acme")
    assert bool(directory.internet.requests) is (gone != "acme")


def test_the_revival_of_its_private_feed_asks_nothing(gone: str) -> None:
    lost = Lost({LOST_HOME: home("/new.xml"), NEW: feed_page()}, scope="acme")
    delete(lost.directory.tables, gone)

    revival = lost.revive(tenant_id="acme")

    assert (revival.outcome is RevivalOutcome.FOREIGN) is (gone == "acme")
    assert bool(lost.internet.requests) is (gone != "acme")


def test_its_queued_deliveries_and_retries_are_not_sent(gone: str) -> None:
    hooks = FakeWebhooks()
    hooks.create(tenant_id="acme")
    hooks.follow(FEED, tenant_id="acme")
    hooks.poster.answers[RECEIVER] = answered(500)
    hooks.work(items_published())
    sent = len(hooks.poster.requests)
    delete(hooks.tables, gone)

    hooks.work(items_published("second"), delays_too=True)
    hooks.pass_time(2 * 3600)

    assert (len(hooks.poster.requests) > sent) is (gone != "acme")


def test_an_event_of_its_own_subscription_makes_no_delivery(gone: str) -> None:
    hooks = FakeWebhooks()
    hooks.create(tenant_id="acme", events=("subscription.*",))
    sent = len(hooks.poster.requests)
    subscribe(of_tenant("acme"), HOME, ports=hooks.directory)
    delete(hooks.tables, gone)
    (detail,) = [each for each in hooks.directory.bus.details if "subscription_id" in each]

    hooks.work(read_event(SUBSCRIPTION_CREATED, detail))

    assert (len(hooks.poster.requests) > sent) is (gone != "acme")
