"""Concurrent subscriptions: one of a tenant to each URL and to each feed, in any order (rules I1, I6, I8)."""

from __future__ import annotations

import contextlib
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from feedward.adapters.aws_calls import Backoff
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.tenants.subscriptions import DynamoSubscriptions
from feedward.deadline import Deadline
from feedward.errors import NotFound
from feedward.services.subscribe.discover import discover_for_subscription
from feedward.services.subscribe.settle import make_ready
from feedward.services.subscribe.subscribe import list_subscriptions, subscribe, unsubscribe
from feedward.services.sweep.resend_pending import PENDING_S, resend_pending
from feedward.subscriptions.subscription import Failure, Subscription, failed
from tests.callers import of_tenant
from tests.contract.benches.feeds import NOW, new_feed
from tests.contract.benches.subscribed import FEED, OTHER, OTHER_FEED, made_at, new, opened, registered, subscribed
from tests.contract.conftest import Bench
from tests.contract.sites.test_site_races import PATIENCE_S, Process, Town, at_once
from tests.fakes.feed_store import PATIENT, FakeFeedStore
from tests.fakes.fetcher import FakeFetcher
from tests.fakes.interleaving import run_interleaved
from tests.unit.canonical.documents import atom

THREADS = 32
TENANTS = (None, "t1", "t2")
URLS = [f"https://blog{number}.example.com/" for number in range(10)]
SCHEDULES = range(60)


class Subscriber(Process):
    """A process that subscribes, or that finds feeds for subscribers."""

    def __init__(self, town: Town, network: dict[str, Any] | None = None) -> None:
        super().__init__(town)
        client: Any = town.bench.faults
        self.subscriptions = DynamoSubscriptions(Tables(client, town.bench.contents.names, Backoff(attempts=12)))
        if network is not None:
            self.fetcher = FakeFetcher(network, clock=self.clock)


def blogs() -> dict[str, Any]:
    """Ten blogs, each with a feed that a second page of it leads to as well."""
    found: dict[str, Any] = {}
    for number, home in enumerate(URLS):
        feed = f"{home}feed.xml"
        link = f'<link rel="alternate" type="application/atom+xml" href="{feed}">'
        page = {"body": f"<!doctype html><title>Blog</title>{link}", "headers": {"Content-Type": "text/html"}}
        found |= {home: page, f"{home}about": page}
        found[feed] = {"body": atom(f"Blog {number}", self_url=feed, items=(f"{number}-1", f"{number}-2"))}
    return found


def deliver_all(town: Town, *, times: int = 1) -> None:
    """The work of the rule and the queue, with every message as often as given."""
    events = [each for each in town.bus.details if "subscription_id" in each and set(each) & {"feed_id"} == set()]
    wanted = [each for each in events if "failure" not in each]
    at_once(
        lambda n: [
            discover_for_subscription(each, directory=Subscriber(town, blogs())) for each in (wanted * times)[n::8]
        ],
        threads=8,
    )


# --- the whole chain --------------------------------------------------------------------------------


def test_32_threads_that_subscribe_three_tenants_to_ten_urls_make_one_for_each(bench: Bench) -> None:
    town = Town(bench)

    def work(n: int) -> list[str]:
        ports, order = Subscriber(town), random.Random(n)
        return [
            subscribe(
                of_tenant(tenant), url, ports=ports, deadline=Deadline.after(PATIENCE_S)
            ).subscription.subscription_id
            for url in order.sample(URLS, len(URLS) // 2)
            for tenant in order.sample(TENANTS, len(TENANTS))
        ]

    found = at_once(work, threads=THREADS)
    assert len({each for one in found for each in one}) == len(bench.contents.subscriptions()) == 30
    assert len(town.bus.details) == 30
    assert bench.contents.faults_of_subscriptions() == []


def test_subscriptions_to_two_pages_of_each_blog_end_in_one_for_each_feed(bench: Bench) -> None:
    town = Town(bench)
    ports = Subscriber(town)
    for tenant in TENANTS[:2]:
        for url in URLS[:4]:
            subscribe(of_tenant(tenant), url, ports=ports, deadline=Deadline.after(PATIENCE_S))
            subscribe(of_tenant(tenant), f"{url}about", ports=ports, deadline=Deadline.after(PATIENCE_S))
    deliver_all(town, times=2)
    assert bench.contents.faults_of_subscriptions() == []
    assert {item["status"] for item in bench.contents.subscriptions()} == {"ready"}
    assert len(bench.contents.live()) == 4
    for tenant in TENANTS[:2]:
        listed = list_subscriptions(of_tenant(tenant), ports=ports).subscriptions
        assert len(listed) == len({each.feed_id for each in listed}) == 4
    assert not [item for item in bench.contents.subscriptions() if "pending_shard" in item]
    told = Counter(each["id"] for each in town.bus.details if "duplicate_of" in each)
    assert len(told) == 16


def test_subscribing_and_unsubscribing_all_over_leaves_no_claim_without_a_subscription(bench: Bench) -> None:
    town = Town(bench)
    feeds = [registered(bench, str(n), f"{url}feed.xml", now=NOW + n) for n, url in enumerate(URLS[:3])]

    def work(n: int) -> None:
        ports, order = Subscriber(town), random.Random(n)
        for _ in range(6):
            page = order.randrange(3)
            asked = subscribe(
                of_tenant("t1"),
                f"{URLS[page]}{order.choice(('', 'about'))}",
                ports=ports,
                deadline=Deadline.after(PATIENCE_S),
            )
            make_ready("t1", asked.subscription.subscription_id, feeds[page], ports=ports)
            if order.random() < 0.5:
                with contextlib.suppress(NotFound):
                    unsubscribe(of_tenant("t1"), asked.subscription.subscription_id, ports=ports)

    at_once(work, threads=12)
    assert bench.contents.faults_of_subscriptions() == []
    listed = list_subscriptions(of_tenant("t1"), ports=Subscriber(town)).subscriptions
    assert len({each.feed_id for each in listed}) == len(listed)


# --- two at a time ----------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [2, 12])
def test_urls_of_one_feed_that_become_ready_at_once_are_one_and_its_duplicates(bench: Bench, count: int) -> None:
    feed = registered(bench)
    before = [opened(bench, str(n), f"{OTHER}/{n}", tags=(str(n),)) for n in range(count)]
    store = patient(bench)
    found = at_once(lambda n: store.make_ready(before[n], feed_id=feed, now=NOW + n), threads=count)
    firsts = [each for each in found if each is not None and each.duplicate_of is None]
    assert len([each for each in found if each is not None]) == count
    assert len(firsts) == 1
    (listed,) = store.page(None, limit=10)
    assert set(listed.tags) == {str(n) for n in range(count)}
    assert bench.contents.faults_of_subscriptions() == []


def test_one_that_many_make_ready_and_one_deletes_is_ready_or_gone(bench: Bench) -> None:
    feed, store = registered(bench), patient(bench)
    for number in range(8):
        before = opened(bench, str(number), f"{OTHER}/{number}")

        def work(n: int, before: Subscription = before) -> bool:
            if n:
                return store.make_ready(before, feed_id=feed, now=NOW + n) is not None
            return store.delete(before)

        done = at_once(work, threads=4)
        assert done.count(True) == 1
        assert bench.contents.faults_of_subscriptions() == []
        assert len(bench.contents.subscriptions()) == (0 if done[0] else 1)
        for each in store.page(None, limit=10):
            assert store.delete(each)


def patient(bench: Bench) -> DynamoSubscriptions:
    client: Any = bench.faults
    return DynamoSubscriptions(Tables(client, bench.contents.names, Backoff(attempts=12)))


# --- every order of calls ---------------------------------------------------------------------------


def run(schedule: int, *jobs: Callable[[DynamoSubscriptions], object], fake: FakeFeedStore) -> None:
    """Run the jobs on one store with their calls in this order."""
    order = random.Random(schedule)
    names = fake.contents.names

    def job(act: Callable[[DynamoSubscriptions], object]) -> Callable[[Any], object]:
        return lambda client: act(DynamoSubscriptions(Tables(client, names, PATIENT)))

    run_interleaved(fake.faults, [job(each) for each in jobs], [order.randrange(len(jobs)) for _ in range(40)])


def settled(store: DynamoSubscriptions, subscription: Subscription, feed: str) -> None:
    """A worker's steps: read, make ready, again if it changed."""
    while (before := store.get(subscription.tenant_id, subscription.subscription_id)) and before.is_pending:
        if store.make_ready(before, feed_id=feed, now=NOW + 5):
            return


def deleted(store: DynamoSubscriptions, subscription: Subscription) -> None:
    while before := store.get(subscription.tenant_id, subscription.subscription_id):
        if store.delete(before):
            return


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_ready_against_ready_against_delete_in_any_order(fake_bench: Bench, schedule: int) -> None:
    feed = registered(fake_bench)
    one, two = opened(fake_bench), opened(fake_bench, "two", OTHER)
    run(
        schedule,
        lambda store: settled(store, one, feed),
        lambda store: settled(store, two, feed),
        lambda store: deleted(store, one),
        fake=fake_bench.store,  # type: ignore[arg-type]
    )
    left = {item["sk"] for item in fake_bench.contents.subscriptions()}
    assert left <= {f"SUB#{two.subscription_id}"}  # or it was deleted with the first, whose duplicate it was
    assert fake_bench.contents.faults_of_subscriptions() == []


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_ready_against_a_merge_and_its_re_pointing_in_any_order(fake_bench: Bench, schedule: int) -> None:
    winner = registered(fake_bench)
    loser = registered(fake_bench, "b", OTHER_FEED, now=NOW + 1)
    one, two = opened(fake_bench), opened(fake_bench, "two", OTHER)
    bridge = new_feed("c", "https://example.net/bridge", OTHER_FEED, FEED, now=NOW + 2)

    def merge(store: DynamoSubscriptions) -> None:
        fake_bench.store.register(bridge)
        store.repoint(loser, now=NOW + 3)

    run(
        schedule,
        lambda store: settled(store, one, winner),
        lambda store: settled(store, two, loser),
        merge,
        fake=fake_bench.store,  # type: ignore[arg-type]
    )
    assert fake_bench.subscriptions.repoint(loser, now=NOW + 100)
    assert fake_bench.contents.faults_of_subscriptions() == []
    assert {item["feed_id"] for item in fake_bench.contents.subscriptions()} == {winner}
    assert len(fake_bench.subscriptions.page(None, limit=10)) == 1


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_re_pointing_a_merged_feed_amid_new_and_deleted_subscriptions(fake_bench: Bench, schedule: int) -> None:
    winner = registered(fake_bench)
    loser = registered(fake_bench, "b", OTHER_FEED, now=NOW + 1)
    late = made_at(fake_bench, NOW + 5, winner, "late", OTHER)
    made_at(fake_bench, NOW + 6, winner, "late two", f"{OTHER}/2")
    early = made_at(fake_bench, NOW - 5, loser, "early", f"{OTHER}/3")
    three = opened(fake_bench, "three")
    fake_bench.store.register(new_feed("c", "https://example.net/bridge", OTHER_FEED, FEED, now=NOW + 2))
    run(
        schedule,
        lambda store: settled(store, three, loser),
        lambda store: deleted(store, late if schedule % 2 else early),
        lambda store: store.repoint(loser, now=NOW + 3),
        lambda store: store.repoint(loser, now=NOW + 4),
        fake=fake_bench.store,  # type: ignore[arg-type]
    )
    for _ in range(2):
        fake_bench.subscriptions.repoint(loser, now=NOW + 100)
    singles = [item for item in fake_bench.contents.subscriptions() if "duplicate_of" not in item]
    claims = fake_bench.contents.claims("SUBFEED#")
    assert {(item["feed_id"], item["sk"]) for item in singles} == {
        (feed, f"SUB#{subscription_id}") for (_, feed), subscription_id in claims.items()
    }
    assert set(claims) <= {("_self", winner)}


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_ready_against_failed_ends_in_one_of_them(fake_bench: Bench, schedule: int) -> None:
    feed, one = registered(fake_bench), opened(fake_bench)

    def fail(store: DynamoSubscriptions) -> None:
        before = store.get(None, one.subscription_id)
        if before is not None and before.is_pending:
            store.save(failed(before, failure=Failure.GIVEN_UP, reason="none", now=NOW + 5))

    run(schedule, lambda store: settled(store, one, feed), fail, fake=fake_bench.store)  # type: ignore[arg-type]
    (item,) = fake_bench.contents.subscriptions()
    assert (item["status"], "feed_id" in item) in (("ready", True), ("failed", False))
    assert fake_bench.contents.faults_of_subscriptions() == []


# --- just before a write ------------------------------------------------------------------------------


class Meanwhile:
    """A client that runs another action just before its n-th transaction."""

    def __init__(self, client: Any, number: int, happens: Callable[[], object]) -> None:
        self._client = client
        self._left = number
        self._happens = happens

    def __getattr__(self, operation: str) -> Any:
        def call(**request: Any) -> Any:
            if operation == "transact_write_items":
                self._left -= 1
                if self._left == 0:
                    self._happens()
            return getattr(self._client, operation)(**request)

        return call


def interrupted(bench: Bench, number: int, happens: Callable[[], object]) -> DynamoSubscriptions:
    client: Any = Meanwhile(bench.faults, number, happens)
    return DynamoSubscriptions(Tables(client, bench.contents.names, PATIENT))


@pytest.mark.parametrize("transaction", [1, 2])
def test_a_feed_that_is_merged_and_re_pointed_just_before_is_not_claimed_any_more(
    bench: Bench, transaction: int
) -> None:
    winner = registered(bench)
    loser = registered(bench, "b", OTHER_FEED, now=NOW + 1)
    one = opened(bench)
    if transaction == 2:  # as the duplicate of another
        subscribed(bench, loser, "first", OTHER)

    def merge() -> None:
        bench.store.register(new_feed("c", "https://example.net/bridge", OTHER_FEED, FEED, now=NOW + 2))
        assert bench.subscriptions.repoint(loser, now=NOW + 3)

    ready = interrupted(bench, transaction, merge).make_ready(one, feed_id=loser, now=NOW + 5)
    assert ready is not None
    assert ready.feed_id == winner
    assert {feed for _, feed in bench.contents.claims("SUBFEED#")} == {winner}
    assert bench.contents.faults_of_subscriptions() == []


@pytest.mark.parametrize("tags", [(), ("new",)])
def test_one_whose_first_is_deleted_just_before_is_no_duplicate(bench: Bench, tags: tuple[str, ...]) -> None:
    feed = registered(bench)
    first, second = subscribed(bench, feed), opened(bench, "two", OTHER, tags=tags)
    store = interrupted(bench, 2, lambda: bench.subscriptions.delete(first))
    ready = store.make_ready(second, feed_id=feed, now=NOW + 5)
    assert ready is not None
    assert (ready.duplicate_of, ready.feed_id, ready.tags) == (None, feed, tags)
    assert bench.contents.faults_of_subscriptions() == []


# --- the reconcile pass -----------------------------------------------------------------------------


def test_passes_at_the_same_time_count_one_try_each_round(bench: Bench) -> None:
    town = Town(bench)
    for n in range(4):
        subscribe(of_tenant("t1"), URLS[n], ports=Subscriber(town), deadline=Deadline.after(PATIENCE_S))

    def work(_: int) -> object:
        ports = Subscriber(town)
        ports.clock.advance(PENDING_S + 1)
        return resend_pending(ports=ports)

    at_once(work, threads=8)
    assert [item["tries"] for item in bench.contents.subscriptions()] == [2] * 4
    assert len({each["id"] for each in town.bus.details}) == 4


@pytest.mark.parametrize("claim", ["SUBURL#", "SUBFEED#"])
def test_the_look_out_for_broken_claims_sees_one(bench: Bench, claim: str) -> None:
    feed = registered(bench)
    subscribed(bench, feed)
    assert bench.contents.faults_of_subscriptions() == []
    of = {"SUBURL#": new().url_hash, "SUBFEED#": feed}[claim]
    bench.faults.delete_item(
        TableName=bench.contents.names.tenants,
        Key={"tenant_id": {"S": "_self"}, "sk": {"S": f"{claim}{of}"}},
        ConditionExpression="attribute_exists(#s)",
        ExpressionAttributeNames={"#s": "sk"},
    )
    assert bench.contents.faults_of_subscriptions()
