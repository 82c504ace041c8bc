"""Links of feeds' new items become rows, and their pages items: each article once, whichever feeds link to it."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from threading import Thread
from typing import Any

import pytest

from feedward.deadline import Deadline
from feedward.errors import Throttled
from feedward.frontier.item_links import ItemLinks
from feedward.frontier.row import RowStatus
from feedward.frontier.settings import FrontierSettings, MoveOn
from feedward.lineage.run import RunKind
from feedward.services.collect.collect_batch import CollectReport, collect_batch
from feedward.services.collect.submit import LinksSubmitted, submit_links
from tests.fakes.collecting import UNHURRIED
from tests.fakes.dynamodb_faults import FOR_EVER
from tests.unit.services.collect.collecting import Collecting, moved, page

ARTICLE = "https://paper.example/article"
OTHER = "https://paper.example/other"
TRACKED = ("https://feeds.tracker.example/r/1", "https://go.counter.example/?to=7")
NETWORK: Mapping[str, Any] = {
    ARTICLE: page("what happened", "Article"),
    OTHER: page("something else", "Other"),
    TRACKED[0]: moved(ARTICLE),
    TRACKED[1]: moved("https://hop.example/x", 302),
    "https://hop.example/x": moved(ARTICLE),
}


def links(*urls: str, feed: str = "a", tenant_id: str | None = None) -> ItemLinks:
    return ItemLinks(feed_id=feed, tenant_id=tenant_id, links=urls)


def deliver(world: Collecting, *events: ItemLinks) -> CollectReport:
    """Have a worker process the events; its messages wait in the queue."""
    return collect_batch(events, ports=world.ports, do_job=lambda *_: None, within_s=600.0)


def lived(world: Collecting, events: Sequence[ItemLinks]) -> Collecting:
    """Deliver the events one by one, each with all its follow-up work."""
    for event in events:
        assert deliver(world, event).failures == (None,)
        world.work_off()
    return world


def test_a_link_becomes_a_row_that_is_fetched_and_an_item_of_the_days_standing_run() -> None:
    world = Collecting(NETWORK)

    report = deliver(world, links(ARTICLE))

    assert report.links == (LinksSubmitted(feed_id="a", new=1, known=0, unusable=0),)
    (row,) = world.rows()
    assert (row.url, row.status, row.owner, row.runs) == (ARTICLE, RowStatus.PENDING, None, frozenset())
    world.work_off()
    (item,) = world.items()
    assert item["fetched_url"] == ARTICLE
    run = world.ports.lineage.run(item["run_id"])
    assert run is not None
    assert run.kind is RunKind.STANDING
    assert world.by_status() == {RowStatus.FETCHED: 1}


def test_two_feeds_that_link_to_one_article_make_one_row_and_one_item() -> None:
    world = lived(Collecting(NETWORK), [links(ARTICLE), links(ARTICLE + "#comments", OTHER, feed="b")])

    assert sorted(row.url for row in world.rows()) == [ARTICLE, OTHER]
    assert sorted(item["fetched_url"] for item in world.items()) == [ARTICLE, OTHER]
    assert world.internet.requests.count(ARTICLE) == 1
    assert world.faults() == []


@pytest.mark.parametrize("order", list(itertools.permutations([*TRACKED, ARTICLE])))
def test_trackers_that_lead_to_one_article_end_in_one_item(order: Sequence[str]) -> None:
    world = lived(Collecting(NETWORK), [links(url, feed=str(n)) for n, url in enumerate(order)])

    (item,) = world.items()
    assert (item["fetched_url"], item["title"]) == (ARTICLE, "Article")
    rows = world.rows()
    assert {row.status for row in rows} == {RowStatus.FETCHED}
    assert [row.url for row in rows].count(ARTICLE) == 1
    assert {row.item_id for row in rows} == {item["item_id"]}
    assert world.faults() == []


def test_so_they_do_where_only_permanent_redirects_move_a_row() -> None:
    settings = replace(UNHURRIED, move_on=MoveOn.PERMANENT)
    world = lived(Collecting(NETWORK, settings=settings), [links(url) for url in (*TRACKED, ARTICLE)])

    assert [item["fetched_url"] for item in world.items()] == [ARTICLE]


def test_the_row_moves_to_where_the_tracker_led_so_that_the_article_is_known_by_its_own_url() -> None:
    world = lived(Collecting(NETWORK), [links(TRACKED[0])])
    (row,) = world.rows()
    assert row.url == ARTICLE

    report = deliver(world, links(ARTICLE, TRACKED[0], feed="b"))

    assert report.links == (LinksSubmitted(feed_id="b", new=0, known=2, unusable=0),)
    assert [each.row_id for each in world.rows()] == [row.row_id]


EVENTS = [links(TRACKED[0], OTHER), links(TRACKED[1], feed="b"), links(ARTICLE, feed="c")]


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_events_that_come_twice_late_and_in_any_order_change_nothing(order: Sequence[int]) -> None:
    events = [EVENTS[place] for place in order]
    world = lived(Collecting(NETWORK), [*events, *reversed(events)])
    before = world.rows(), world.items(), len(world.internet.requests)
    world.clock.advance(7 * 86_400)

    lived(world, EVENTS)

    assert (world.rows(), world.items(), len(world.internet.requests)) == before
    assert sorted(item["fetched_url"] for item in world.items()) == [ARTICLE, OTHER]


def test_the_same_event_twice_in_one_batch_is_done_once() -> None:
    world = Collecting(NETWORK)

    report = deliver(world, *EVENTS, *EVENTS)

    assert report.failures == (None,) * 6
    assert sum(each.new for each in report.links) == len(world.rows()) == 4
    assert len([row for message in world.queue.messages for row in message.entries]) == 4


def test_workers_at_once_make_one_row_for_each_url() -> None:
    world = Collecting(NETWORK)
    urls = [f"https://paper.example/{n}" for n in range(12)]
    threads = [Thread(target=deliver, args=(world, links(*urls, feed=str(n)))) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(row.url for row in world.rows()) == sorted(urls)


def test_a_bad_link_costs_that_link_alone() -> None:
    world = Collecting(NETWORK)
    bad = (
        "mailto:a@example.com",
        "http://127.0.0.1/x",
        "http://localhost/",
        "https://u:p@example.com/",
        "ftp://x.example/",
    )

    report = deliver(world, replace(links(ARTICLE, *bad, OTHER), unusable=2))

    assert report.links == (LinksSubmitted(feed_id="a", new=2, known=0, unusable=7),)
    assert report.failures == (None,)
    assert {row.url for row in world.rows()} == {ARTICLE, OTHER}


def test_an_event_without_a_link_is_done_with() -> None:
    world = Collecting(NETWORK)

    assert deliver(world, links()).failures == (None,)

    assert (world.rows(), world.queue.messages) == ([], [])


def test_a_private_feeds_link_with_a_token_is_its_owners_alone() -> None:
    secret = "https://paper.example/members?token=0123456789abcdef0123456789abcdef"
    world = Collecting(NETWORK)

    deliver(world, links(secret, ARTICLE, tenant_id="acme"), links(secret, feed="b", tenant_id="other"))

    assert sorted((row.url, row.owner) for row in world.rows() if row.owner) == [(secret, "acme"), (secret, "other")]
    assert [row.url for row in world.rows() if row.owner is None] == [ARTICLE]


def test_an_event_whose_store_is_away_comes_again_and_stops_no_other() -> None:
    world = Collecting(NETWORK)
    row = world.add(OTHER)
    world.feeds.faults.throttles = FOR_EVER
    report = deliver(world, links(ARTICLE))
    assert isinstance(report.failures[0], Throttled)
    world.feeds.faults.throttles = 0

    again = deliver(world, links(ARTICLE))

    assert again.failures == (None,)
    assert {each.url for each in world.rows()} == {ARTICLE, row.url}


def test_events_of_one_batch_share_the_plan_of_a_host() -> None:
    """The pages of a host that two feeds link to are spread as those of one feed would be."""
    world = Collecting(NETWORK, settings=FrontierSettings(host_pause_s=2.0, respect_robots=False))
    many = [f"https://paper.example/{n}" for n in range(24)]

    deliver(world, links(*many[:12]), links(*many[12:], feed="b"))

    taken = list(zip(world.queue.messages, world.queue.delays, strict=True))
    delays = sorted(delay for message, delay in taken if message.entries)
    assert sum(len(message.entries) for message, _ in taken) == 24
    assert len(set(delays)) == len(delays)


def test_submitting_needs_no_queue_for_rows_in_the_due_index() -> None:
    world = Collecting(NETWORK)
    world.queue.sqs.fails = 20

    found = submit_links(links(ARTICLE), ports=world.ports, deadline=Deadline.after(10.0))

    assert found.new == 1
    assert [row.next_fetch_at is not None for row in world.rows()] == [True]
