"""From a check to an item: the news of a feed that collects, forwarded by the bus, through the collect function."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from feedward.frontier.row import RowStatus
from tests.fakes.directory import NOW
from tests.fakes.dynamodb_faults import FOR_EVER
from tests.functions.collect_function import CollectFunction
from tests.functions.conftest import read_event
from tests.unit.services.check.checked import DAY, HOUR, URL, Checked, rss
from tests.unit.services.check.checked import page as feed_page
from tests.unit.services.collect.collecting import page

SECOND, FIRST = "https://example.com/second", "https://example.com/first"
PAGES = {SECOND: page("two", "Second"), FIRST: page("one", "First")}


@pytest.fixture
def collect(log: io.StringIO) -> CollectFunction:
    return CollectFunction(PAGES, log=log)


def sample() -> str:
    (record,) = read_event("sqs_items_published")["Records"]
    return str(record["body"])


def passed_on(detail: dict[str, Any]) -> str:
    """The text of a message by which the bus passes an event on."""
    return json.dumps(json.loads(sample()) | {"detail": detail})


def test_the_sample_of_the_event_makes_rows_and_items(collect: CollectFunction) -> None:
    assert collect.deliver(sample()) == []
    assert sorted(row.url for row in collect.rows()) == [FIRST, SECOND]

    collect.deliver_all()

    assert {row.status for row in collect.rows()} == {RowStatus.FETCHED}
    assert sorted(item["title"] for item in collect.items()) == ["First", "Second"]


def test_events_rows_and_unreadable_entries_of_a_batch_are_handled_separately(collect: CollectFunction) -> None:
    other = json.dumps(json.loads(sample()) | {"detail-type": "FeedMoved"})

    assert collect.deliver("bad", sample(), other, collect.message(collect.add(FIRST))) == ["0", "2"]

    assert sorted(row.url for row in collect.rows()) == [FIRST, SECOND]


def test_an_event_that_the_store_did_not_take_comes_again(collect: CollectFunction) -> None:
    collect.feeds.faults.throttles = FOR_EVER
    assert collect.deliver(sample()) == ["0"]
    collect.feeds.faults.throttles = 0

    assert collect.deliver(sample()) == []
    assert len(collect.rows()) == 2


def test_the_log_counts_links(collect: CollectFunction) -> None:
    detail = json.loads(sample())["detail"]
    items = [*detail["items"], detail["items"][0] | {"url": "mailto:a@example.com"}]
    collect.deliver(sample(), passed_on(detail | {"items": items}))

    (line,) = collect.logged("collected")
    assert (line["links_new"], line["links_unusable"]) == (2, 1)


def checked(*, collect_items: bool) -> list[dict[str, Any]]:
    """The bus events of a feed's news, with collecting and without."""
    old = f"a@{NOW - 2 * DAY}"
    feed = Checked({URL: feed_page(rss(old))})
    if collect_items:
        stored = feed.feed
        feed.directory.contents.put_feed_item(**{**stored, "collect_items": True, "rev": stored["rev"] + 1})
    feed.serve(feed_page(rss(f"second@{NOW}", f"first@{NOW - HOUR}", old)))
    feed.check_when_due()
    return feed.told("ItemsPublished")


def test_the_events_of_a_check_become_rows(collect: CollectFunction) -> None:
    (detail,) = checked(collect_items=True)

    assert collect.deliver(passed_on(detail)) == []
    collect.deliver_all()

    assert sorted(item["fetched_url"] for item in collect.items()) == [FIRST, SECOND]


def test_the_news_of_a_feed_that_does_not_collect_make_nothing_even_if_they_are_passed_on(
    collect: CollectFunction,
) -> None:
    (detail,) = checked(collect_items=False)

    assert collect.deliver(passed_on(detail)) == ["0"]
    assert collect.rows() == []
