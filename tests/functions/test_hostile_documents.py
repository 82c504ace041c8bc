"""A hostile page or feed costs its own row or feed, and no other entry of its batch."""

from __future__ import annotations

import io

from feedward.frontier.messages import CollectMessage
from feedward.frontier.row import FrontierRow, RowStatus
from feedward.health.due_feed import HealthMessage
from feedward.model import Outcome
from feedward.services.check.check_batch import check_batch
from feedward.services.collect.collect_batch import collect_batch
from tests.fakes.collecting import FakeCollecting
from tests.functions.health_check import HealthCheck, feed_url

HOSTS = 25
HTML = {"Content-Type": "text/html"}
# Formatting that is never closed, which each block opens again: a tree of it is quadratic. 15 KB when it is compressed.
PAGE = "<b><p>" * ((10 << 20) // 6 - 10)
FEED = "<rss><channel><title>x</title>" + "<item>" * 400_000


def message(world: FakeCollecting, rows: list[FrontierRow]) -> CollectMessage:
    return CollectMessage(entries=tuple(rows), sent_at=world.clock.now())


def collect(world: FakeCollecting, rows: list[FrontierRow]) -> tuple[Exception | None, ...]:
    batch = [message(world, rows[first : first + 10]) for first in range(0, len(rows), 10)]
    return collect_batch(batch, ports=world.ports, do_job=lambda *_: None, within_s=88.0).failures


def test_hostile_pages_hold_up_no_good_one_and_end_dead() -> None:
    bad = {f"https://bad{number}.example/": {"body": PAGE, "headers": HTML} for number in range(HOSTS)}
    good = {f"https://good{number}.example/": {"body": f"<p>Page {number}"} for number in range(HOSTS)}
    world = FakeCollecting({**bad, **good})
    rows = [world.add(url) for pair in zip(bad, good, strict=True) for url in pair]

    assert set(collect(world, rows)) == {None}

    assert world.by_status() == {RowStatus.FETCHED: HOSTS, RowStatus.FAILED: HOSTS}
    while failed := [row for row in world.rows() if row.status is RowStatus.FAILED]:
        assert {row.last_error for row in failed} == {Outcome.TOO_LARGE.value}
        world.clock.time = max(row.next_fetch_at or 0 for row in failed)
        assert set(collect(world, failed)) == {None}
    assert world.by_status() == {RowStatus.FETCHED: HOSTS, RowStatus.DEAD: HOSTS}
    assert len([url for url in world.internet.requests if "bad0" in url]) == 5


def test_hostile_feeds_hold_up_no_good_one_and_count_as_failures(log: io.StringIO) -> None:
    urls = tuple(feed_url(number) for number in range(2 * HOSTS))
    function = HealthCheck(log, *urls)
    for url in urls[::2]:
        function.serve({"body": FEED, "headers": {"Content-Type": "application/rss+xml"}}, url)
    function.let_all_be_due()
    texts = [function.message(*range(first, first + 10)) for first in range(0, 2 * HOSTS, 10)]

    report = check_batch(
        [HealthMessage.from_text(text) for text in texts],
        ports=function.directory.services().check_batch_ports,
        within_s=58.0,
    )

    assert set(report.failures) == {None}
    outcomes = {answer.feed_id: answer.outcome for answer in report.answers}
    assert [outcomes[feed_id] for feed_id in function.feed_ids[1::2]] == [Outcome.OK] * HOSTS
    assert [outcomes[feed_id] for feed_id in function.feed_ids[::2]] == [Outcome.NOT_FEED] * HOSTS
    feeds = function.directory.contents.feeds()
    assert {feeds[feed_id]["consecutive_failures"] for feed_id in function.feed_ids[::2]} == {1}
