"""A feed or a page that kills its worker during a repeated delivery fails, and harms no other."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any, Self

import pytest

from feedward.frontier.messages import CollectMessage
from feedward.frontier.row import FrontierRow, RowStatus
from feedward.health.due_feed import HealthMessage
from feedward.services.check.check_batch import BatchReport, check_batch
from feedward.services.collect.collect_batch import CollectReport, collect_batch
from tests.fakes.collecting import FakeCollecting
from tests.functions.health_check import HealthCheck, feed_url
from tests.store_contents import due_at

FEEDS = tuple(feed_url(number) for number in range(3))
PAGES = tuple(f"https://site{number}.example/page" for number in range(3))


class Killed(BaseException):
    """The worker's process has ended."""


class Process:
    """A worker's process, as long as it lives: a dead one ends no task that it began."""

    def __init__(self, internet: Any, begun: Any, deadly: str = "") -> None:
        self._internet, self._begun, self._deadly = internet, begun, deadly
        self._is_dead = False

    def fetch(self, url: str, **options: Any) -> Any:
        if url == self._deadly:
            self._internet.requests.append(url)
            self._is_dead = True
            raise Killed
        return self._internet.fetch(url, **options)

    def within(self, _: Any) -> Self:
        """See Bounded: waits take no time."""
        return self

    def begin(self, entry_id: str, **options: Any) -> int:
        count: int = self._begun.begin(entry_id, **options)
        return count

    def end(self, entry_id: str, **options: Any) -> None:
        if self._is_dead:
            raise Killed
        self._begun.end(entry_id, **options)


def check(function: HealthCheck, text: str, receives: int, deadly: str = "") -> BatchReport:
    """Have a worker check the feeds of a message that was delivered so often, one of which may kill it."""
    ports = function.directory.services().check_batch_ports
    process = Process(function.directory.internet, ports.begun, deadly)
    message = replace(HealthMessage.from_text(text), receives=receives)
    own = replace(ports, check=replace(ports.check, fetcher=process), begun=process)
    return check_batch([message], ports=own, within_s=58.0)


def collect(world: FakeCollecting, rows: list[FrontierRow], receives: int, deadly: str = "") -> CollectReport:
    """Have a worker collect the pages of a message that was delivered so often, one of which may kill it."""
    process = Process(world.internet, world.ports.begun, deadly)
    message = CollectMessage(entries=tuple(rows), sent_at=world.clock.now(), receives=receives)
    own = replace(world.ports, fetcher=process, begun=process)
    return collect_batch([message], ports=own, do_job=lambda *_: None, within_s=600.0)


def test_a_feed_that_two_workers_died_of_fails_and_is_not_fetched_again(log: io.StringIO) -> None:
    function = HealthCheck(log, *FEEDS)
    function.let_all_be_due()
    text = function.message()
    for receives in (1, 2):
        with pytest.raises(Killed):
            check(function, text, receives, FEEDS[1])
    function.directory.internet.requests.clear()

    report = check(function, text, 3, FEEDS[1])

    assert FEEDS[1] not in function.requests
    assert report.failures == (None,)
    feed = function.directory.contents.feeds()[function.feed_ids[1]]
    assert (feed["consecutive_failures"], feed["last_outcome"]) == (1, "too_large")
    assert due_at(feed, function.directory.clock.now()) > function.directory.clock.now()
    others = [function.directory.contents.feeds()[function.feed_ids[number]] for number in (0, 2)]
    assert [feed["consecutive_failures"] for feed in others] == [0, 0]
    assert all(due_at(feed, function.directory.clock.now()) > function.directory.clock.now() for feed in others)


def test_a_page_that_two_workers_died_of_fails_and_is_not_fetched_again() -> None:
    world = FakeCollecting({url: {"body": f"<p>{url}"} for url in PAGES})
    rows = [world.add(url) for url in PAGES]
    for receives in (1, 2):
        with pytest.raises(Killed):
            collect(world, [world.row(row.row_id) for row in rows], receives, PAGES[1])
    world.internet.requests.clear()

    report = collect(world, [world.row(row.row_id) for row in rows], 3, PAGES[1])

    assert PAGES[1] not in world.internet.requests
    assert report.failures == (None,)
    deadly = world.row(rows[1].row_id)
    assert (deadly.last_error, deadly.item_id) == ("too_large", None)
    assert [world.row(rows[number].row_id).status for number in (0, 2)] == [RowStatus.FETCHED] * 2


def test_feeds_of_a_message_that_comes_again_for_another_reason_are_checked(log: io.StringIO) -> None:
    function = HealthCheck(log, *FEEDS)
    for receives in (2, 3):
        function.let_all_be_due()
        function.directory.internet.requests.clear()
        report = check(function, function.message(), receives)
        assert sorted(function.requests) == sorted(FEEDS)
        assert [answer.outcome for answer in report.answers] == ["ok"] * 3


def test_messages_that_come_the_first_time_count_nothing(log: io.StringIO) -> None:
    function = HealthCheck(log, *FEEDS)
    function.let_all_be_due()

    check(function, function.message(), 1)

    client: Any = function.directory.faults
    rows = client.scan(TableName=function.directory.contents.names.state)["Items"]
    assert not [row for row in rows if row["pk"]["S"].startswith("BEGUN#")]
