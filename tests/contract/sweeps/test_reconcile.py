"""Unfinished work is resumed after its time is over, and only once (rule I7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from feedward.adapters.dynamodb.feeds.outbox import DynamoPending
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.discovery.site import Job, JobStatus
from feedward.errors import Throttled
from feedward.services.discover.discover_site import run_job
from feedward.services.sweep.reconcile import JOB_LEFT_FOR_S, JOB_SENT_AGAIN_AT_MOST, ReconcileReport, reconcile
from tests.contract.benches.feeds import NOW, feed_id, new_feed
from tests.contract.conftest import Bench
from tests.fakes.directory import FakeClock, FakeDirectory
from tests.fakes.discover_queue import FakeDiscoverQueue
from tests.fakes.dynamodb_faults import FOR_EVER, Died
from tests.fakes.event_bus import FakeEventBus
from tests.fakes.feed_store import PATIENT


@dataclass
class FakePorts:
    """The stores under test, with a queue and a bus in memory."""

    pending: Any
    outbox: Any
    bus: FakeEventBus
    pending_merges: tuple[Any, ...]
    sites: Any
    queue: FakeDiscoverQueue
    clock: FakeClock

    def after(self, seconds: float, **options: Any) -> ReconcileReport:
        self.clock.advance(seconds)
        return reconcile(ports=self, **options)


def ports_of(bench: Bench) -> FakePorts:
    return FakePorts(
        pending=DynamoPending(Tables(bench.faults, bench.contents.names, PATIENT)),  # type: ignore[arg-type]
        outbox=bench.outbox,
        bus=FakeEventBus(),
        pending_merges=(bench.store,),
        sites=bench.sites,
        queue=FakeDiscoverQueue(),
        clock=FakeClock(NOW),
    )


@pytest.fixture
def ports(bench: Bench) -> FakePorts:
    return ports_of(bench)


def job(name: str, *, status: JobStatus = JobStatus.PENDING) -> Job:
    job_id = f"site-{name}.{feed_id(name)}"
    return Job(
        job_id=job_id,
        site_id=f"site-{name}",
        url=f"https://{name}.example/",
        status=status,
        created_at=NOW,
        updated_at=NOW,
    )


# --- events and merges ------------------------------------------------------------------------------


def test_an_unsent_event_is_sent_after_a_minute_and_not_before(bench: Bench, ports: FakePorts) -> None:
    bench.store.register(new_feed("a", "https://a.example/feed"))
    assert ports.after(60).feeds_relayed == 0
    report = ports.after(1)
    assert (report.feeds_relayed, report.outbox_backlog, report.complete) == (1, 0, True)
    assert [event["DetailType"] for event in ports.bus.events.entries] == ["FeedDiscovered"]
    assert bench.contents.pending("event") == []
    assert ports.after(900).feeds_relayed == 0
    assert len(ports.bus.events.entries) == 1


def test_an_unfinished_merge_is_finished(bench: Bench, ports: FakePorts) -> None:
    bench.store.register(new_feed("a", "https://a.example/1"))
    bench.store.register(new_feed("b", "https://a.example/2", now=NOW + 1))
    bench.store.register(new_feed("c", "https://a.example/1", "https://a.example/2", now=NOW + 2))
    assert len(bench.contents.pending("repoint")) == 1
    report = ports.after(120)
    assert (report.outbox_backlog, report.failures) == (0, ())
    assert bench.contents.pending("repoint") == []
    assert {row["feed_id"] for row in bench.contents.urls().values()} == {feed_id("a")}


def test_further_work_of_a_merge_is_done_before_its_outbox_entry_is_deleted(bench: Bench, ports: FakePorts) -> None:
    class NotYet:
        def repoint(self, feed_id: str, *, now: int) -> bool:
            return False

    bench.store.register(new_feed("a", "https://a.example/1"))
    bench.store.register(new_feed("b", "https://a.example/2", now=NOW + 1))
    bench.store.register(new_feed("c", "https://a.example/1", "https://a.example/2", now=NOW + 2))
    ports.pending_merges = (NotYet(), bench.store)
    assert ports.after(120).outbox_backlog == 2
    assert len(bench.contents.pending("repoint")) == 1


def test_an_event_that_the_bus_refuses_does_not_keep_others_from_being_sent(fake_bench: Bench) -> None:
    ports = ports_of(fake_bench)
    for n in range(20):
        fake_bench.store.register(new_feed(f"f{n}", f"https://f{n}.example/feed"))
    real = ports.bus.events.put_events

    def put_events(*, Entries: Any) -> Any:  # noqa: N803
        if "f7.example" not in Entries[0]["Detail"]:
            return real(Entries=Entries)
        return {"Entries": [{"ErrorCode": "MalformedDetail"}], "FailedEntryCount": 1}

    ports.bus.events.put_events = put_events  # type: ignore[method-assign]
    report = ports.after(120)
    assert (report.feeds_relayed, report.outbox_backlog, set(report.failures)) == (19, 1, {"bus_unavailable"})
    ports.bus.events.put_events = real  # type: ignore[method-assign]
    assert ports.after(900).feeds_relayed == 1


# --- discoveries ------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_taken", [False, True], ids=["pending", "running"])
def test_a_job_that_outlived_its_message_is_sent_again(bench: Bench, ports: FakePorts, is_taken: bool) -> None:
    bench.sites.open_job(job("a"))
    if is_taken:
        bench.sites.take_job(job("a").job_id, now=NOW)
    assert ports.after(JOB_LEFT_FOR_S).jobs_sent == 0
    assert ports.after(1).jobs_sent == 1
    assert ports.queue.messages == [{"version": 1, "type": "discover", "job_id": job("a").job_id}]
    assert ports.after(900).jobs_sent == 0, "it has as much time again"


def test_a_job_that_goes_on_is_left_alone(bench: Bench, ports: FakePorts) -> None:
    bench.sites.open_job(job("a"))
    bench.sites.take_job(job("a").job_id, now=NOW + JOB_LEFT_FOR_S)
    bench.sites.open_job(job("b"))
    bench.sites.end_job(job("b").job_id, status=JobStatus.DONE, now=NOW + 1)
    report = ports.after(JOB_LEFT_FOR_S + 600)
    assert (report.jobs_sent, report.jobs_failed) == (0, 0)
    assert ports.queue.messages == []


def test_a_job_that_is_taken_up_at_that_moment_is_the_workers(bench: Bench, ports: FakePorts) -> None:
    bench.sites.open_job(job("a"))
    real = ports.queue.sqs.send_message

    def send_message(**request: Any) -> Any:
        bench.sites.take_job(job("a").job_id, now=ports.clock.now())
        return real(**request)

    ports.queue.sqs.send_message = send_message  # type: ignore[method-assign]
    ports.after(JOB_LEFT_FOR_S + 1)
    assert "sent_again" not in bench.contents.jobs()[job("a").job_id]


def test_a_job_that_cannot_end_fails_with_a_reason(bench: Bench, ports: FakePorts) -> None:
    bench.sites.open_job(job("a"))
    reports = [ports.after(JOB_LEFT_FOR_S + 1) for _ in range(JOB_SENT_AGAIN_AT_MOST + 2)]
    assert [report.jobs_sent for report in reports] == [1] * JOB_SENT_AGAIN_AT_MOST + [0, 0]
    assert [report.jobs_failed for report in reports] == [0] * JOB_SENT_AGAIN_AT_MOST + [1, 0]
    failed = bench.sites.job(job("a").job_id)
    assert failed is not None
    assert failed.status is JobStatus.FAILED
    assert failed.reason is not None
    assert "again 3 times" in failed.reason


def test_a_queue_that_is_away_leaves_the_job_to_the_next_pass(bench: Bench, ports: FakePorts) -> None:
    bench.sites.open_job(job("a"))
    ports.queue.sqs.fails = FOR_EVER
    report = ports.after(JOB_LEFT_FOR_S + 1)
    assert (report.jobs_sent, report.failures, report.complete) == (0, ("queue_unavailable",), False)
    ports.queue.sqs.fails = 0
    assert ports.after(1).jobs_sent == 1


def test_finished_entries_in_a_stale_index_are_left_alone(fake_bench: Bench) -> None:
    ports = ports_of(fake_bench)
    fake_bench.sites.open_job(job("a"))
    client, sites = fake_bench.faults._client, fake_bench.contents.names.sites
    [item] = client.scan(TableName=sites)["Items"]
    fake_bench.sites.end_job(job("a").job_id, status=JobStatus.DONE, now=NOW)
    real = client.query

    def late_index(**request: Any) -> Any:
        is_late = (
            request["TableName"] == sites and item["pending_shard"] in request["ExpressionAttributeValues"].values()
        )
        return {"Items": [item]} if is_late else real(**request)

    client.query = late_index
    assert ports.after(JOB_LEFT_FOR_S + 1).jobs_sent == 0


# --- the pass itself --------------------------------------------------------------------------------


def test_further_passes_run_although_one_fails(bench: Bench, ports: FakePorts) -> None:
    def failing(within_s: float) -> int:
        raise Throttled("busy")

    given: list[float] = []

    def subscriptions(within_s: float) -> int:
        given.append(within_s)
        return 7

    report = ports.after(0, further={"failing": failing, "subscriptions": subscriptions}, within_s=40)
    assert report.further == {"failing": 0, "subscriptions": 7}
    assert report.failures == ("throttled",)
    assert given == [40]


def test_without_time_the_rest_is_left_to_the_next_pass(fake_bench: Bench) -> None:
    ports = ports_of(fake_bench)
    for n in range(10):
        fake_bench.store.register(new_feed(f"f{n}", f"https://f{n}.example/feed"))
    real = ports.bus.events.put_events

    def slow(**request: Any) -> Any:
        ports.clock.advance(5)
        return real(**request)

    ports.bus.events.put_events = slow  # type: ignore[method-assign]
    first = ports.after(100, within_s=20)
    assert not first.complete
    assert 0 < first.feeds_relayed < 10
    assert first.feeds_relayed + ports.after(0, within_s=1000).feeds_relayed == 10


@pytest.mark.parametrize("makes_last", [False, True], ids=["before", "after"])
def test_killed_at_any_call_a_pass_loses_nothing(makes_last: bool) -> None:
    call = 0
    while True:
        directory = FakeDirectory({})
        lifespan = directory.lifespan
        directory.store.register(new_feed("a", "https://a.example/1"))
        directory.store.register(new_feed("b", "https://a.example/2", now=NOW + 1))
        directory.store.register(new_feed("c", "https://a.example/1", "https://a.example/2", now=NOW + 2))
        directory.sites.open_job(job("a"))
        ports = FakePorts(
            pending=DynamoPending(Tables(directory.faults, directory.contents.names, PATIENT)),  # type: ignore[arg-type]
            outbox=directory.outbox,
            bus=directory.bus,
            pending_merges=(directory.store,),
            sites=directory.sites,
            queue=directory.queue,
            clock=directory.clock,
        )
        ports.clock.advance(JOB_LEFT_FOR_S + 1)
        lifespan.end_at(call, makes_last=makes_last)
        died = False
        try:
            reconcile(ports=ports)
        except Died:
            died = True
        lifespan.live_on()
        assert reconcile(ports=ports).complete
        assert directory.contents.pending("event") == directory.contents.pending("repoint") == []
        assert {row["feed_id"] for row in directory.contents.urls().values()} == {feed_id("a")}
        assert 1 <= len(directory.queue.messages) <= 2
        if not died:
            break
        call += 1
    assert call > 15


def test_a_job_whose_message_was_lost_ends_after_it_was_sent_again() -> None:
    """The whole way: written, never sent, found by its mark, sent, and completed by a worker."""
    directory = FakeDirectory({})
    directory.sites.open_job(job("a"))
    ports = FakePorts(
        pending=DynamoPending(Tables(directory.faults, directory.contents.names, PATIENT)),  # type: ignore[arg-type]
        outbox=directory.outbox,
        bus=directory.bus,
        pending_merges=(directory.store,),
        sites=directory.sites,
        queue=directory.queue,
        clock=directory.clock,
    )
    assert ports.after(JOB_LEFT_FOR_S + 1).jobs_sent == 1
    [message] = directory.queue.messages
    assert run_job(message["job_id"], directory=directory.services()) is not None
    ended = directory.sites.job(message["job_id"])
    assert ended is not None
    assert ended.status is JobStatus.DONE
