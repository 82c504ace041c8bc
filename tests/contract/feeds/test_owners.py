"""Feeds that own many URLs: one batch, regardless of their registration, merged feeds resolved (rule D5)."""

from __future__ import annotations

from tests.contract.benches.feeds import NOW, feed_id, new_feed
from tests.contract.conftest import Bench

FEED = "https://example.com/feed"
OTHER = "https://example.com/comments/feed"

UNKNOWN = "https://example.com/unknown"


def test_owners_of_urls_are_named_and_unknown_urls_left_out(bench: Bench) -> None:
    bench.store.register(new_feed("a", FEED))
    assert bench.store.owners([FEED, UNKNOWN, "no url"]) == {FEED: feed_id("a")}
    assert bench.store.owners([UNKNOWN]) == {}
    assert bench.store.owners([]) == {}
    assert bench.store.owners([FEED], scope="tenant") == {}


def test_owner_of_a_merged_feeds_url_is_the_surviving_feed(bench: Bench) -> None:
    bench.store.register(new_feed("a", FEED))
    bench.store.register(new_feed("b", OTHER, now=NOW + 1))
    bench.store.register(new_feed("bridge", FEED, OTHER, now=NOW + 2))
    assert bench.store.owners([FEED, OTHER]) == {FEED: feed_id("a"), OTHER: feed_id("a")}
