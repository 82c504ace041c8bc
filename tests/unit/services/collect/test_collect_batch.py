"""A batch of messages: hosts side by side, jobs, and entries that are sent on before a message is acknowledged."""

from __future__ import annotations

import heapq
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from feedward.adapters.dynamodb.frontier.sweep_store import DynamoRowSweepStore
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.errors import StoreUnavailable, Throttled
from feedward.frontier.messages import CollectMessage, Job, JobMessage
from feedward.frontier.row import FrontierRow, RowStatus
from feedward.frontier.settings import FrontierSettings
from feedward.scheduling.lateness import LATE_AFTER_S, LONGEST_DELAY_S
from feedward.scheduling.lateness import LEAST_AHEAD_S as AHEAD_S
from feedward.services.collect.collect_batch import ROW_S, SETTINGS, CollectReport, Message, collect_batch
from feedward.services.collect.row_answer import RowDisposition
from feedward.services.collect.submit import submit
from feedward.services.sweep.sweep import sweep_due
from tests.fakes.collecting import FakeCollecting
from tests.fakes.directory import NOW
from tests.fakes.feed_store import PATIENT

PAGE = {"body": "<html><body>Hello</body></html>"}
LONG = 900.0


def site(host: str, count: int, **page: Any) -> dict[str, dict[str, Any]]:
    return {f"https://{host}/{n}": {"body": f"<html><body>{host} {n}</body></html>", **page} for n in range(count)}


def work(world: FakeCollecting, *messages: Message, within_s: float = LONG, **more: Any) -> CollectReport:
    more.setdefault("do_job", no_job)
    return collect_batch(messages, ports=world.ports, within_s=within_s, **more)


def no_job(message: JobMessage, within_s: float) -> None:
    raise AssertionError("there is no job here")


def message_of(rows: Sequence[FrontierRow], sent_at: int = NOW) -> CollectMessage:
    return CollectMessage(entries=tuple(replace(row, sent_at=sent_at) for row in rows), sent_at=sent_at)


def dispositions(report: CollectReport) -> Counter[str]:
    return Counter(answer.disposition.value for answer in report.answers)


# --- rows ---------------------------------------------------------------------------------------------


def test_all_rows_of_all_messages_are_fetched() -> None:
    network = site("a.example", 3) | site("b.example", 3)
    world = FakeCollecting(network)
    rows = [world.add(url) for url in network]

    report = work(world, message_of(rows[:2]), message_of(rows[2:]))

    assert report.failures == (None, None)
    assert world.by_status() == {RowStatus.FETCHED: 6}
    assert sorted(world.internet.requests) == sorted(network)


def test_a_row_in_two_messages_is_fetched_once_and_as_it_was_later() -> None:
    world = FakeCollecting(site("a.example", 1))
    row = world.add("https://a.example/0")
    newer = world.change(row, rev=row.rev + 1)

    report = work(world, message_of([row]), message_of([newer]), message_of([row]))

    assert (report.failures, dispositions(report)) == ((None, None, None), {"applied": 1})
    assert len(world.internet.requests) == 1


def test_hosts_are_asked_side_by_side_and_each_host_one_request_at_a_time() -> None:
    network = site("a.example", 3) | site("b.example", 3) | site("c.example", 3)
    world = FakeCollecting(network)
    all_here = threading.Barrier(3)
    asked, most = Counter[str](), Counter[str]()
    lock, really = threading.Lock(), world.internet.fetch

    def fetch(url: str, **options: Any) -> Any:
        host = url.split("/")[2]
        with lock:
            asked[host] += 1
            most[host] = max(most[host], asked[host])
        if url.endswith("/0"):
            all_here.wait(timeout=30)
        result = really(url, **options)
        with lock:
            asked[host] -= 1
        return result

    internet: Any = world.internet
    internet.fetch = fetch
    rows = [world.add(url) for url in network]

    work(world, message_of(rows))

    assert set(most.values()) == {1}


def test_entries_without_time_are_sent_on_unchanged() -> None:
    world = FakeCollecting(site("a.example", 5, delay_s=10))
    rows = [world.add(url) for url in world.internet.network]

    report = work(world, message_of(rows, NOW - 100), within_s=ROW_S + SETTINGS.reserve_s + 15)

    (sent,) = world.queue.messages
    assert (report.failures, report.left) == ((None,), 3)
    assert [row.row_id for row in sent.entries] == [row.row_id for row in rows[2:]]
    assert (sent.sent_at, world.queue.delays) == (NOW - 100, [0])


@pytest.mark.parametrize("error", [Throttled("no"), ValueError("a fault of ours")])
def test_a_row_that_fails_comes_again_alone(error: Exception) -> None:
    world = FakeCollecting(site("a.example", 3))
    rows = [world.add(url) for url in world.internet.network]
    break_updates_of(world, rows[1], error)

    report = work(world, message_of(rows))

    (sent,) = world.queue.messages
    assert (report.failures, report.again) == ((None,), 1)
    assert [row.row_id for row in sent.entries] == [rows[1].row_id]
    assert (sent.sent_at, world.queue.delays) == (NOW + SETTINGS.again_after_s, [SETTINGS.again_after_s])


def test_a_message_of_which_all_failed_comes_again_as_it_is() -> None:
    world = FakeCollecting(site("a.example", 2))
    rows = [world.add(url) for url in world.internet.network]
    error = StoreUnavailable("no")
    break_updates_of(world, rows[0], error)

    report = work(world, message_of(rows[:1]), message_of(rows[1:]))

    assert report.failures == (error, None)
    assert world.queue.messages == []


def break_updates_of(world: FakeCollecting, row: FrontierRow, error: Exception) -> None:
    store: Any = world.ports.frontier
    really: Callable[..., Any] = store.update_fetched

    def update(seen: FrontierRow, *given: Any) -> Any:
        if seen.row_id == row.row_id:
            raise error
        return really(seen, *given)

    store.update_fetched = update


def test_a_message_is_not_acknowledged_while_the_queue_refuses_the_rest() -> None:
    world = FakeCollecting(site("a.example", 2))
    rows = [world.add(url) for url in world.internet.network]
    world.queue.sqs.fails = 1000

    report = work(world, message_of(rows), within_s=1.0)

    assert report.failures[0] is not None
    assert report.left == 0


def test_a_late_message_is_done_with_and_fetches_nothing() -> None:
    world = FakeCollecting(site("a.example", 2))
    rows = [world.add(url) for url in world.internet.network]

    report = work(world, message_of(rows, NOW - LATE_AFTER_S - 1))

    assert (report.failures, dispositions(report)) == ((None,), {RowDisposition.LATE.value: 2})
    assert (world.internet.requests, world.queue.messages) == ([], [])


def test_unreadable_entries_are_counted_and_stop_nothing() -> None:
    world = FakeCollecting(site("a.example", 1))
    text = message_of([world.add("https://a.example/0")]).to_text().replace('"rows":[', '"rows":[{"row_id":7},')

    report = work(world, CollectMessage.from_text(text))

    assert (report.unreadable, report.failures, dispositions(report)) == (1, (None,), {"applied": 1})


# --- a host that has to wait --------------------------------------------------------------------------


def slowly(network: dict[str, dict[str, Any]], delay_s: int) -> FakeCollecting:
    """A world in which a.example has a Crawl-delay, and other hosts have no robots.txt."""
    hosts = {url.split("/")[2] for url in network}
    robots: dict[str, dict[str, Any]] = {f"https://{host}/robots.txt": {"status": 404} for host in hosts}
    robots["https://a.example/robots.txt"] = {"body": f"User-agent: *\nCrawl-delay: {delay_s}"}
    return FakeCollecting(robots | network, settings=FrontierSettings(host_pause_s=1.0))


def test_rows_of_a_host_that_is_slow_come_back_one_by_one_and_other_hosts_go_on() -> None:
    network = site("a.example", 4) | site("b.example", 4)
    world = slowly(network, 60)
    rows = [world.add(url) for url in network]

    report = work(world, message_of(rows, NOW - 30))

    sent = world.queue.messages
    assert (report.failures, report.waiting) == ((None,), 3)
    assert [row.url for message in sent for row in message.entries] == [f"https://a.example/{n}" for n in (1, 2, 3)]
    assert [later - before for before, later in pairwise(world.queue.delays)] == [60, 60]
    assert 50 <= world.queue.delays[0] <= 60
    assert world.by_status() == {RowStatus.FETCHED: 5, RowStatus.PENDING: 3}
    # Each is due after its message is read, so that no sweep sends it as well.
    for message, delay_s in zip(sent, world.queue.delays, strict=True):
        (row,) = message.entries
        assert message.sent_at == world.clock.now() + delay_s
        assert world.row(row.row_id) == replace(row, sent_at=None)
        assert row.next_fetch_at == message.sent_at + AHEAD_S


def test_a_hundred_rows_of_a_slow_host_are_each_asked_for_once_at_its_delay_and_circle_not() -> None:
    network = site("a.example", 100)
    world = slowly(network, 12)
    asked: list[float] = []
    internet: Any = world.internet
    really = internet.fetch

    def fetch(url: str, **options: Any) -> Any:
        asked.append(world.clock.time)
        return really(url, **options)

    internet.fetch = fetch
    submit(list(network), tenant_id=None, ports=world.ports)

    read = deliver_all(world)

    pages = [url for url in world.internet.requests if "robots" not in url]
    assert len(pages) == len(set(pages)) >= LONGEST_DELAY_S // 12
    assert read <= 10 + 2 * len(pages)
    assert all(later - before >= 12 for before, later in pairwise(asked[1:]))
    assert asked[-1] - asked[1] <= 12 * 1.2 * len(pages)
    left = [row for row in world.rows() if row.status is RowStatus.PENDING]
    assert {row.status for row in world.rows()} <= {RowStatus.PENDING, RowStatus.FETCHED}
    assert all((row.next_fetch_at or 0) > NOW + LONGEST_DELAY_S for row in left), "due at the pace of the host"


def test_many_rows_of_a_slow_host_are_taken_up_only_as_it_gets_to_them() -> None:
    network = site("a.example", 160)
    world = slowly(network, 12)
    submit(list(network), tenant_id=None, ports=world.ports)

    read = deliver_all(world, sweeping=True)

    assert world.by_status() == {RowStatus.FETCHED: 160}
    assert len(world.internet.requests) == 161
    assert read <= 4 * 160
    assert world.clock.time - NOW <= 12 * 160 * 1.25


def deliver_all(world: FakeCollecting, *, sweeping: bool = False) -> int:
    """Deliver each message when its delay is over, one at a time, until none is left; return their number.

    `sweeping`: there is a sweep each minute as well, until no row is due any more.
    """
    client: Any = world.feeds.faults
    store = DynamoRowSweepStore(Tables(client, world.feeds.contents.names, PATIENT))
    waiting: list[tuple[int, int, CollectMessage]] = []
    read, number, swept_at = 0, 0, int(world.clock.time)
    while True:
        for message in world.queue.take_rows():
            number += 1
            heapq.heappush(waiting, (message.sent_at, number, message))
        if (
            sweeping
            and (not waiting or waiting[0][0] >= swept_at + 60)
            and any(row.next_fetch_at for row in world.rows())
        ):
            swept_at = max(swept_at + 60, int(world.clock.time))
            world.clock.time = max(world.clock.time, swept_at)
            sweep_due(world.ports.pace, store=store, queue=world.queue, clock=world.clock)
            continue
        if not waiting:
            return read
        at, _, message = heapq.heappop(waiting)
        world.clock.time = max(world.clock.time, at)
        assert work(world, message).failures == (None,)
        read += 1


def test_a_host_in_a_long_cooldown_has_unchanged_rows_in_no_message() -> None:
    busy = {"https://a.example/0": {"status": 503, "headers": {"Retry-After": "86400"}}}
    world = FakeCollecting(site("a.example", 3) | busy, settings=FrontierSettings(respect_robots=False))
    rows = [world.add(url) for url in world.internet.network]

    report = work(world, message_of(rows))

    assert (report.failures, report.waiting, world.queue.messages) == ((None,), 2, [])
    for before in rows[1:]:
        row = world.row(before.row_id)
        assert NOW + 86_400 <= (row.next_fetch_at or 0) <= NOW + 86_410
        assert replace(row, next_fetch_at=before.next_fetch_at, rev=before.rev) == before
    assert world.internet.requests == ["https://a.example/0"]


def test_rows_of_a_fast_host_in_cooldown_come_back_together() -> None:
    busy = {"https://a.example/0": {"status": 429, "headers": {"Retry-After": "120"}}}
    world = FakeCollecting(site("a.example", 5) | busy, settings=FrontierSettings(respect_robots=False))
    rows = [world.add(url) for url in world.internet.network]

    work(world, message_of(rows))
    (message,) = world.queue.messages

    assert [row.url for row in message.entries] == [f"https://a.example/{n}" for n in range(1, 5)]
    assert 110 <= world.queue.delays[0] <= 122
    deliver_all(world)
    assert world.by_status() == {RowStatus.FETCHED: 4, RowStatus.FAILED: 1}


def test_a_host_that_redirects_lead_to_holds_up_no_other_row() -> None:
    there = "https://b.example/page"
    led: dict[str, dict[str, Any]] = {
        "https://a.example/1": {"status": 302, "headers": {"Location": there}},
        there: PAGE,
    }
    world = slowly(site("a.example", 4) | led, 0)
    rows = [world.add(f"https://a.example/{n}") for n in range(4)]
    world.ports.limiter.cool_down("b.example", until=NOW + 600, now=NOW)

    report = work(world, message_of(rows))

    (message,) = world.queue.messages
    assert (report.failures, report.waiting) == ((None,), 1)
    assert [row.url for row in message.entries] == ["https://a.example/1"]
    assert 590 <= world.queue.delays[0] <= 600
    deliver_all(world)
    assert world.by_status() == {RowStatus.FETCHED: 4}


def test_a_row_that_is_another_by_now_is_not_sent_on() -> None:
    world = slowly(site("a.example", 3), 60)
    rows = [world.add(url) for url in site("a.example", 3)]
    world.change(rows[1], rev=7, runs=frozenset({"run"}))

    report = work(world, message_of(rows))

    assert report.failures == (None,)
    assert [row.url for message in world.queue.messages for row in message.entries] == ["https://a.example/2"]


def test_more_rows_of_one_host_than_can_be_sent_ahead_are_fetched_at_its_pace_and_never_sent_twice() -> None:
    world = FakeCollecting(site("a.example", 1200), settings=FrontierSettings(host_pause_s=1.0, respect_robots=False))
    submit(list(world.internet.network), tenant_id=None, ports=world.ports)
    sent = world.queue.take_rows()

    assert sum(len(message.entries) for message in sent) == 850
    for message in sent[:20]:
        world.clock.time = max(world.clock.time, message.sent_at)
        report = work(world, message)
        assert (report.failures, report.waiting, report.left) == ((None,), 0, 0)

    assert len(world.internet.requests) == 200
    assert world.clock.time - NOW == pytest.approx(199, abs=2)
    assert world.queue.messages == []
    assert max(message.delay_s for message in sent) <= LONGEST_DELAY_S


def test_a_hundred_messages_of_one_host_at_once_end_and_lose_no_row() -> None:
    """Like a queue with a backlog: entries without time are sent on, in as many messages as came."""
    world = FakeCollecting(site("a.example", 1000), settings=FrontierSettings(host_pause_s=1.0, respect_robots=False))
    rows = [world.add(url) for url in world.internet.network]
    messages = [message_of(rows[start : start + 10]) for start in range(0, 1000, 10)]

    report = work(world, *messages, within_s=100.0)

    done = {answer.row_id for answer in report.answers}
    sent = [row.row_id for message in world.queue.messages for row in message.entries]
    assert report.failures == (None,) * 100
    assert len(world.queue.messages) <= 100
    assert 50 <= len(done) <= 60
    assert sorted([*sent, *done]) == sorted(row.row_id for row in rows)


# --- jobs ---------------------------------------------------------------------------------------------


def test_a_job_is_taken_further_beside_the_rows() -> None:
    world = FakeCollecting(site("a.example", 1))
    done: list[tuple[str, float]] = []
    job = JobMessage(sent_at=NOW, job=Job.RUN, job_id="r1")

    report = work(
        world,
        job,
        message_of([world.add("https://a.example/0")]),
        do_job=lambda message, within_s: done.append((message.job_id, within_s)),
    )

    assert (report.failures, report.jobs) == ((None, None), 1)
    assert [job_id for job_id, _ in done] == ["r1"]
    assert 0 < done[0][1] < LONG
    assert world.queue.messages == []


def test_a_job_that_two_messages_ask_for_is_taken_further_once() -> None:
    world = FakeCollecting({})
    job = JobMessage(sent_at=NOW, job=Job.REPROCESS, job_id="r1")
    done: list[str] = []

    report = work(world, job, job, do_job=lambda message, _: done.append(message.job_id))

    assert (report.failures, done) == ((None, None), ["r1"])


def test_a_job_that_fails_comes_again_and_stops_no_row() -> None:
    world = FakeCollecting(site("a.example", 1))
    error = Throttled("no")

    def fail(*_: Any) -> None:
        raise error

    rows = message_of([world.add("https://a.example/0")])
    report = work(world, JobMessage(sent_at=NOW, job=Job.REKEY, job_id="1"), rows, do_job=fail)

    assert report.failures == (error, None)
    assert world.by_status() == {RowStatus.FETCHED: 1}


def test_a_job_that_there_is_no_time_for_is_sent_on() -> None:
    world = FakeCollecting({})
    job = JobMessage(sent_at=NOW - 1000, job=Job.RUN, job_id="r1")

    report = work(world, job, within_s=5.0)

    (sent,) = world.queue.jobs
    assert report.failures == (None,)
    assert (sent.job, sent.job_id, sent.sent_at) == (Job.RUN, "r1", NOW)
