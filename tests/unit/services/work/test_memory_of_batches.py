"""Checks, pages and discoveries share the memory: a task that finds none left goes on as a new message."""

from __future__ import annotations

import io
from dataclasses import replace

from feedward.frontier.messages import CollectMessage
from feedward.health.due_feed import HealthMessage
from feedward.model import FetchResult
from feedward.services.check.check_batch import check_batch
from feedward.services.discover.shared_fetches import KEPT_BYTES, SharedFetches
from feedward.services.work.memory_budget import MemoryBudget
from tests.fakes.collecting import FakeCollecting
from tests.fakes.fetcher import FakeFetcher
from tests.functions.health_check import HealthCheck, feed_url

LARGE = "<rss><channel><title>T</title><item><guid>1</guid></item>" + " " * (2 << 20) + "</channel></rss>"
SMALL = "<rss><channel><title>T</title><item><guid>1</guid></item></channel></rss>"


def full() -> MemoryBudget:
    """A budget whose leases are all taken."""
    budget = MemoryBudget(leases=1, wait_s=0.0)
    budget.leases.take(1, 0.0)
    return budget


def test_a_large_feed_that_finds_no_memory_is_left_and_a_small_one_is_checked() -> None:
    urls = (feed_url(0), feed_url(1))
    function = HealthCheck(io.StringIO(), *urls)
    function.let_all_be_due()
    function.serve({"body": LARGE}, urls[0])
    function.serve({"body": SMALL}, urls[1])
    message = HealthMessage.from_text(function.message())
    ports = function.directory.services().check_batch_ports

    report = check_batch([message], ports=replace(ports, check=replace(ports.check, memory=full())), within_s=58.0)

    assert report.failures == (None,)
    assert [answer.feed_id for answer in report.answers] == [function.feed_ids[1]]
    (left,) = [HealthMessage.from_text(text) for text in function.taken()]
    assert ([feed.url for feed in left.entries], left.sent_at) == ([urls[0]], message.sent_at)


def test_a_large_page_that_finds_no_memory_is_left_without_an_attempt() -> None:
    world = FakeCollecting({"https://a.example/": {"body": LARGE}, "https://b.example/": {"body": SMALL}})
    world.ports = replace(world.ports, memory=full())
    large, small = world.add("https://a.example/"), world.add("https://b.example/")
    world.queue.send_batch([_message(world, large.row_id), _message(world, small.row_id)])

    report = world.work()

    assert report.failures == (None, None)
    assert [answer.row_id for answer in report.answers] == [small.row_id]
    (left,) = world.queue.take()
    assert isinstance(left, CollectMessage)
    assert [row.row_id for row in left.entries] == [large.row_id]
    assert world.row(large.row_id).attempts == 0


def _message(world: FakeCollecting, row_id: str) -> CollectMessage:
    return CollectMessage(entries=(world.row(row_id),), sent_at=world.clock.now())


def test_a_run_keeps_large_feeds_compressed_and_parses_them_once() -> None:
    pages = {"https://a.example/1": {"body": LARGE}, "https://a.example/2": {"body": "<html>" + "word " * 1_000_000}}
    fetches = SharedFetches(FakeFetcher(pages))

    feed, page = fetches.read_all(list(pages), within_s=lambda: 60.0)

    assert feed is not None
    assert page is not None
    assert (feed.feed is not None, feed.fetch.body) == (True, b"")
    assert (page.feed, len(page.fetch.body)) == (None, 2_000_000)
    again: FetchResult = fetches.fetch("https://a.example/1")
    assert (again.body, again.requests) == (LARGE.encode(), 0)
    assert fetches.read(again).feed is feed.feed
    assert sum(len(known.body) for known in fetches._known.values()) < 2_000_000 + KEPT_BYTES


def test_a_run_without_memory_goes_without_the_large_answers() -> None:
    pages = {"https://a.example/1": {"body": LARGE}, "https://b.example/2": {"body": SMALL}}
    large, small = SharedFetches(FakeFetcher(pages), memory=full()).read_all(list(pages), within_s=lambda: 60.0)

    assert large is None
    assert small is not None
    assert small.feed is not None
