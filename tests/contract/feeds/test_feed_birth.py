"""A new feed has a state, a due time, lists, texts, history and an event in the outbox (rules I4, I7)."""

from __future__ import annotations

import pytest

from feedward.model import Item
from feedward.scheduling.shards import domain_shards
from tests.contract.benches.feeds import NOW, feed_id, new_feed
from tests.contract.conftest import Bench
from tests.store_contents import due_at

URL = "https://example.com/feed"
OTHER = "https://example.com/rss.xml"
BRIDGE = "https://example.com/index.xml"


def test_a_feed_is_born_healthy_due_and_listed(bench: Bench) -> None:
    bench.store.register(new_feed("a", "https://blog.example.co.uk/feed"))
    feed = bench.contents.feeds()[feed_id("a")]
    assert feed["state"] == "healthy"
    assert feed["rev"] == 1
    assert feed["created_at"] == NOW
    assert NOW + 600 <= due_at(feed, NOW) <= NOW + 86_400
    assert not {"due_shard", "next_check_at"} & feed.keys()
    assert feed["state_shard"].startswith("healthy#")
    assert feed["domain_shard"] in set(domain_shards("example.co.uk"))


def test_a_private_feed_is_on_no_shared_list(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL, scope="tenant-1"))
    feed = bench.contents.feeds()[feed_id("a")]
    assert feed["owner"] == "tenant-1"
    assert feed["state_shard"].startswith("tenant-1/")
    assert feed["domain_shard"] in set(domain_shards("example.com", scope="tenant-1"))


def test_a_feed_is_found_through_each_index(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    feed = bench.contents.feeds()[feed_id("a")]
    for index, attribute in (("slots", "slot"), ("by_state", "state_shard"), ("by_domain", "domain_shard")):
        [found] = bench.contents.indexed(index, attribute, feed[attribute])
        assert found["feed_id"] == feed_id("a")


def test_the_due_index_holds_all_attributes_that_a_check_needs(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL, median_gap_s=7200, hint_s=600))
    feed = bench.contents.feeds()[feed_id("a")]
    [found] = bench.contents.indexed("slots", "slot", feed["slot"])
    needed = (
        "url url_hash host state rev slot_from etag last_modified content_hash consecutive_failures median_gap_s"
        " hint_s latest_item_published_at"
    )
    assert {name: found.get(name) for name in needed.split()} == {name: feed[name] for name in needed.split()}


def test_texts_of_the_document_are_stored_apart_from_attributes_of_a_check(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    [meta] = bench.contents.under(feed_id("a"), "META")
    assert (meta["title"], meta["language"], meta["format"]) == ("Example", "en-gb", "atom")
    assert meta["hub_urls"] == ["https://hub.example.com/"]
    assert "title" not in bench.contents.feeds()[feed_id("a")]


def test_the_discovery_event_is_in_the_outbox_from_the_registration_on(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    [undelivered] = bench.contents.pending("event")
    assert undelivered["detail_type"] == "FeedDiscovered"
    assert undelivered["pending_since"] == NOW
    assert undelivered["detail"]["feed_id"] == feed_id("a")
    [audit] = bench.contents.under(feed_id("a"), "AUDIT#")
    assert (audit["action"], audit["at"], audit["url"]) == ("registered", NOW, URL)


def test_a_title_larger_than_an_item_is_cut(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL, title="t" * 401 * 1024, description="\ud800 and \x00" * 100_000))
    [meta] = bench.contents.under(feed_id("a"), "META")
    assert 100 < len(meta["title"]) < 2000
    assert "\ud800" not in meta["description"]


@pytest.mark.parametrize("number", [10**50, -(10**50), float("nan"), float("inf"), 1.5])
def test_a_number_no_table_takes_does_not_stop_the_feed(bench: Bench, number: float) -> None:
    assert bench.store.register(new_feed("a", URL, latest_item_published_at=number)).created


def test_the_first_items_are_kept_as_seen_at_birth(bench: Bench) -> None:
    items = tuple(Item(id=f"urn:{n}", title=f"On {n}", published_at=NOW - n) for n in range(30))
    bench.store.register(new_feed("a", URL, items=items, signature="s"))
    [recent] = bench.contents.under(feed_id("a"), "RECENT")
    assert [item["title"] for item in recent["items"]] == [f"On {n}" for n in range(20)]
    assert {item["first_seen_at"] for item in recent["items"]} == {NOW}
    assert recent["signature"] == "s"


def test_validators_are_the_feeds_own_and_dated(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    feed = bench.contents.feeds()[feed_id("a")]
    assert (feed["validators_at"], feed.get("validators_url"), feed["last_outcome"]) == (NOW, None, "ok")
