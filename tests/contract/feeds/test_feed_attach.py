"""Every feed store attaches further URLs to a known feed, in memory and on DynamoDB (rule I1)."""

from __future__ import annotations

import pytest

from feedward.deadline import Deadline
from feedward.errors import StoreUnavailable
from feedward.model import Known
from tests.contract.benches.feeds import feed_id, new_feed
from tests.contract.conftest import Bench

URL = "https://example.com/feed"
OLD = "https://old.example.org/rss"
OLDER = "https://older.example.org/rss"
OTHER = "https://example.com/rss.xml"


def test_a_known_feed_gets_the_free_urls(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    bench.store.attach(feed_id("a"), [OLD, OLDER, URL])
    known = Known(url=URL, data={"feed_id": feed_id("a")})
    assert bench.store.find([OLD]) == bench.store.find([OLDER]) == known


def test_urls_of_another_feed_stay_with_it(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    bench.store.register(new_feed("b", OTHER))
    bench.store.attach(feed_id("a"), [URL, OTHER, OLD])
    assert bench.store.find([OTHER]) == Known(url=OTHER, data={"feed_id": feed_id("b")})
    assert bench.store.find([OLD]) == Known(url=URL, data={"feed_id": feed_id("a")})


@pytest.mark.parametrize("urls", [[OLD], [OLD, OTHER]])
def test_urls_of_which_the_feed_has_none_are_not_given_to_it(bench: Bench, urls: list[str]) -> None:
    bench.store.register(new_feed("a", URL))
    bench.store.register(new_feed("b", OTHER))
    bench.store.attach(feed_id("a"), urls)
    assert bench.store.find([OLD]) is None


def test_where_all_urls_are_known_one_read_is_all(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL, OLD))
    bench.faults.calls.clear()
    bench.store.attach(feed_id("a"), [URL, OLD, "http://example.com/feed/"])
    assert bench.faults.calls == ["batch_get_item"]


def test_no_urls_ask_nothing(bench: Bench) -> None:
    bench.store.attach(feed_id("a"), [])
    assert bench.faults.calls == []


def test_urls_of_a_tombstone_go_to_the_surviving_feed(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    bench.store.register(new_feed("b", OTHER))
    winner = bench.store.register(new_feed("c", URL, OTHER))
    bench.store.attach(winner.feed_id, [URL, OTHER, OLD])
    assert bench.store.find([OLD]) == Known(url=winner.url, data={"feed_id": winner.feed_id})


def test_the_same_urls_under_another_scope_are_other_urls(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    bench.store.attach(feed_id("a"), [URL, OLD], scope="tenant")
    assert bench.store.find([OLD]) is None
    assert bench.store.find([OLD], scope="tenant") is None


def test_nothing_is_attached_when_the_time_is_over(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    with pytest.raises(StoreUnavailable):
        bench.store.within(Deadline.after(0)).attach(feed_id("a"), [URL, OLD])
    assert bench.store.find([OLD]) is None
