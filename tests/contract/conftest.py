"""Each store of the contract suite behind one interface: the store, its knobs, and a view of its contents."""

from __future__ import annotations

import contextlib
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, cast
from urllib.parse import urlsplit

import pytest
from botocore import UNSIGNED
from pytest_localstack.session import RunningSession

from feedward.adapters.aws_calls import aws_client
from feedward.adapters.dynamodb.feeds.feed_store import DynamoFeedStore
from feedward.adapters.dynamodb.feeds.outbox import DynamoOutbox
from feedward.adapters.dynamodb.frontier.frontier_store import DynamoFrontierStore
from feedward.adapters.dynamodb.lineage.lineage_store import DynamoLineageStore
from feedward.adapters.dynamodb.sites.site_store import DynamoSiteStore
from feedward.adapters.dynamodb.store.client import dynamodb_client
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.tenants.subscriptions import DynamoSubscriptions
from feedward.health.due_feed import HealthMessage
from feedward.services.collect import collect_batch
from tests.contract.benches.direct_calls import DirectCalls
from tests.contract.benches.frontier import FrontierBench
from tests.contract.benches.lineage import LineageBench
from tests.contract.benches.queues import new_queue, received
from tests.contract.benches.sweeping import Sweeping
from tests.fakes.directory import FakeClock
from tests.fakes.dynamodb_faults import FaultyDynamoDB
from tests.fakes.feed_store import PATIENT, FakeFeedStore
from tests.fakes.health_queue import URL as HEALTH_QUEUE_URL
from tests.fakes.health_queue import InMemorySqs
from tests.fakes.lifespan import Lifespan
from tests.fakes.site_store import FakeSiteStore, fake_outbox
from tests.fakes.subscriptions import fake_subscriptions
from tests.frontier_contents import FrontierContents
from tests.lineage_contents import LineageContents
from tests.store_contents import StoreContents
from tests.template_tables import TablesOnDemand


@dataclass
class Bench:
    """One directory under test."""

    store: DynamoFeedStore
    sites: DynamoSiteStore
    outbox: DynamoOutbox
    subscriptions: DynamoSubscriptions
    faults: FaultyDynamoDB
    contents: StoreContents


@pytest.fixture(scope="session")
def dynamodb(request: pytest.FixtureRequest, aws_session: RunningSession) -> Iterator[Any]:
    """A client made by feedward's own code, which reaches MiniStack (or LocalStack) because botocore is bound to it."""
    with aws_session.botocore.patch_botocore():
        client = dynamodb_client()
    # A signature takes a seventh of a call's processor time, and MiniStack and LocalStack ask for none.
    client.meta.events.register("choose-signer.dynamodb", lambda **_: UNSIGNED)
    with contextlib.ExitStack() as open_connections:
        if not request.config.getoption("--localstack"):
            address = urlsplit(request.getfixturevalue("ministack"))
            calls = open_connections.enter_context(contextlib.closing(DirectCalls(address.hostname, address.port)))
            client.meta.events.register("before-call.dynamodb", calls)
        yield client
    client.close()


@pytest.fixture
def dynamodb_bench(dynamodb: Any) -> Bench:
    """The store on MiniStack, with tables of its own."""
    client = TablesOnDemand(dynamodb, prefix=f"t{uuid.uuid4().hex[:12]}-")
    names, faults = client.names, cast("Any", FaultyDynamoDB(client))
    return Bench(
        store=DynamoFeedStore(Tables(faults, names, PATIENT)),
        sites=DynamoSiteStore(Tables(faults, names, PATIENT)),
        outbox=DynamoOutbox(Tables(faults, names, PATIENT)),
        subscriptions=DynamoSubscriptions(Tables(faults, names, PATIENT)),
        faults=faults,
        contents=StoreContents(client, names),
    )


@pytest.fixture
def fake_bench() -> Bench:
    """The store in memory."""
    fake = FakeFeedStore()
    sites, outbox = FakeSiteStore(fake), fake_outbox(fake)
    return Bench(
        store=fake,
        sites=sites,
        outbox=outbox,
        subscriptions=fake_subscriptions(fake),
        faults=fake.faults,
        contents=fake.contents,
    )


@pytest.fixture(params=["fake", "dynamodb"])
def bench(request: pytest.FixtureRequest) -> Bench:
    """Each store in turn, for tests of their common behaviour."""
    found: Bench = request.getfixturevalue(f"{request.param}_bench")
    return found


@pytest.fixture
def lineage(bench: Bench) -> LineageBench:
    """Each lineage store in turn, in the tables of a bench."""
    store = DynamoLineageStore(Tables(bench.faults, bench.contents.names, PATIENT))  # type: ignore[arg-type]
    return LineageBench(store, bench.faults, LineageContents(bench.contents))


@pytest.fixture
def frontier(bench: Bench) -> FrontierBench:
    """Each frontier in turn, in the tables of a bench."""
    return frontier_of(bench)


def frontier_of(bench: Bench) -> FrontierBench:
    store = DynamoFrontierStore(Tables(bench.faults, bench.contents.names, PATIENT))  # type: ignore[arg-type]
    return FrontierBench(store, bench, FrontierContents(bench.contents))


@pytest.fixture
def four_hosts_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A collecting worker has four threads, not 25: most of those of 24 workers would only wait for the interpreter."""
    monkeypatch.setattr(collect_batch, "SETTINGS", replace(collect_batch.SETTINGS, hosts_at_once=4))


# --- further parts of the sweep ----------------------------------------------------------------------


@pytest.fixture(scope="session")
def real_sqs(aws_session: RunningSession) -> Iterator[Any]:
    with aws_session.botocore.patch_botocore():
        client = aws_client("sqs")
    yield client
    client.close()


@pytest.fixture
def fake_sweeping(fake_bench: Bench) -> Sweeping:
    sqs = InMemorySqs()

    def received() -> list[HealthMessage]:
        return [HealthMessage.from_text(body) for body, _ in sqs.sent]

    return Sweeping(fake_bench, sqs, HEALTH_QUEUE_URL, received, FakeClock(), Lifespan())


@pytest.fixture
def real_sweeping(dynamodb_bench: Bench, real_sqs: Any) -> Sweeping:
    """On MiniStack, with a queue that delivers delayed messages as well."""
    url = new_queue(real_sqs)
    bodies: list[str] = []

    def all_received() -> list[HealthMessage]:
        bodies.extend(received(real_sqs, url))
        return [HealthMessage.from_text(body) for body in bodies]

    return Sweeping(dynamodb_bench, real_sqs, url, all_received, FakeClock(), Lifespan())


@pytest.fixture(params=["fake", "real"])
def sweeping(request: pytest.FixtureRequest) -> Sweeping:
    found: Sweeping = request.getfixturevalue(f"{request.param}_sweeping")
    return found
