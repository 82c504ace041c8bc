"""Every reader of feeds resolves merges, shows private feeds to their tenant only, and lists without gaps."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import Any

import pytest

from feedward.adapters.dynamodb.feeds.feed_reader import DynamoFeedReader
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.errors import FeedwardError, InvalidInput
from feedward.health.directory_feed import DirectoryFeed, FeedQuery, Listed
from feedward.model import FeedFormat, FeedState, Item
from feedward.scheduling.shards import domain_shard, state_shard
from tests.contract.benches.feeds import NOW, feed_id, new_feed
from tests.contract.benches.moves import write
from tests.contract.conftest import Bench
from tests.fakes.feed_store import PATIENT


def reader(bench: Bench) -> DynamoFeedReader:
    client: Any = bench.faults
    return DynamoFeedReader(Tables(client, bench.contents.names, PATIENT))


def read(bench: Bench, name: str, tenant_id: str | None = None) -> DirectoryFeed | None:
    return reader(bench).feed(feed_id(name), tenant_id=tenant_id)


def ids(listed: list[Listed]) -> list[str]:
    return [each.feed.feed_id for each in listed if each.feed]


def listed(bench: Bench, tenant_id: str | None = None, **query: Any) -> list[Listed]:
    return list(reader(bench).listed(FeedQuery(**query), tenant_id=tenant_id))


def test_a_feed_is_read_with_its_state_and_its_texts(bench: Bench) -> None:
    bench.store.register(
        new_feed("a", "https://example.com/a", site_id="5" * 64, canonical_score=900, is_canonical=True)
    )

    feed = read(bench, "a")

    assert feed is not None
    assert (feed.url, feed.host, feed.rev, feed.created_at) == ("https://example.com/a", "example.com", 1, NOW)
    assert (feed.health.state, feed.health.last_http_status) == (FeedState.HEALTHY, 200)
    assert (feed.texts.title, feed.texts.format) == ("Example", FeedFormat.ATOM)
    assert (feed.site_id, feed.is_canonical, feed.canonical_score) == ("5" * 64, True, 900)
    assert feed.next_check_at(NOW) is not None
    assert feed.check_every_s is not None


def test_a_merged_feed_is_read_as_the_surviving_feed(bench: Bench) -> None:
    bench.store.register(new_feed("a", "https://example.com/a"))
    bench.store.register(new_feed("b", "https://example.com/b", now=NOW + 1))
    bench.store.register(
        new_feed("c", "https://example.com/c", "https://example.com/a", "https://example.com/b", now=NOW + 2)
    )

    merged = reader(bench).feed(feed_id("b", NOW + 1), tenant_id=None)

    assert merged is not None
    assert merged.feed_id == feed_id("a")
    assert set(ids(listed(bench))) == {feed_id("a")}


def test_an_unknown_feed_is_none(bench: Bench) -> None:
    assert read(bench, "unknown") is None
    assert list(reader(bench).items(feed_id("unknown"))) == []


def test_a_private_feed_is_there_for_its_tenant_alone(bench: Bench) -> None:
    bench.store.register(new_feed("a", "https://example.com/a", scope="acme"))

    assert read(bench, "a") is None
    assert read(bench, "a", tenant_id="other") is None
    assert read(bench, "a", tenant_id="acme") is not None
    for query in ({}, {"domain": "example.com"}, {"state": FeedState.HEALTHY}):
        assert ids(listed(bench, **query)) == []
        assert ids(listed(bench, "other", **query)) == []
        assert ids(listed(bench, "acme", **query)) == [feed_id("a")]


def test_the_last_items_are_read_with_when_they_were_seen(bench: Bench) -> None:
    items = (Item(id="2", title="Second", published_at=NOW - 5), Item(id="1", title="First", published_at=NOW - 50))
    bench.store.register(new_feed("a", "https://example.com/a", items=items))

    found = reader(bench).items(feed_id("a"))

    assert [each.item.title for each in found] == ["Second", "First"]
    assert {each.first_seen_at for each in found} == {NOW}


@pytest.mark.parametrize("query", [{}, {"domain": "example.com"}, {"state": FeedState.HEALTHY}])
def test_a_list_goes_on_after_any_of_its_places_without_gap_or_repeat(bench: Bench, query: dict[str, Any]) -> None:
    for number in range(25):
        bench.store.register(new_feed(f"f{number}", f"https://example.com/{number}"))
    whole = listed(bench, **query)

    assert sorted(ids(whole)) == sorted(feed_id(f"f{number}") for number in range(25))
    for at in (0, 7, 24):
        rest = reader(bench).listed(FeedQuery(**query), tenant_id=None, after=whole[at].place)
        assert ids(list(rest)) == ids(whole)[at + 1 :]


@pytest.mark.parametrize("tenant_id", [None, "acme"])
def test_a_list_of_all_feeds_passes_over_those_of_other_tenants_and_goes_on_after_its_own(
    bench: Bench, tenant_id: str | None
) -> None:
    scopes = {f"f{number}": ("", "acme", "other")[number % 3] for number in range(12)}
    for name, scope in scopes.items():
        bench.store.register(new_feed(name, f"https://example.com/{name}", scope=scope))
    whole = listed(bench, tenant_id)

    visible = {feed_id(name) for name, scope in scopes.items() if scope in ("", tenant_id)}
    assert (len(whole), set(ids(whole))) == (12, visible)
    for at in (at for at, each in enumerate(whole) if each.feed is not None):
        rest = reader(bench).listed(FeedQuery(), tenant_id=tenant_id, after=whole[at].place)
        assert ids(list(rest)) == ids(whole[at + 1 :])


def test_no_list_goes_on_after_another_tenants_feed_whether_it_is_there_or_not(bench: Bench) -> None:
    bench.store.register(new_feed("a", "https://example.com/a", scope="other"))
    (only,) = listed(bench)
    for place in (only.place, replace(only.place, feed_id=feed_id("b"))):
        with pytest.raises(InvalidInput, match="not a cursor of this list") as caught:
            list(reader(bench).listed(FeedQuery(), tenant_id=None, after=place))
        assert caught.value.field == "cursor"


def test_a_page_between_a_thousand_feeds_of_others_takes_few_calls(fake_bench: Bench) -> None:
    for number in range(1000):
        shard = f"other/healthy#{number % 16}" if number % 10 else f"healthy#{number % 16}"
        fake_bench.contents.put_feed_item(feed_id=feed_id(f"f{number}"), sk="FEED", state_shard=shard, merged_into="x")
    fake_bench.faults.calls.clear()

    assert len(list(islice(reader(fake_bench).listed(FeedQuery(), tenant_id=None), 1000))) == 1000
    assert len(fake_bench.faults.calls) <= 6


def test_a_list_of_a_state_or_domain_has_no_others(bench: Bench) -> None:
    bench.store.register(new_feed("a", "https://example.com/a"))
    bench.store.register(new_feed("b", "https://blog.example.com/b"))
    bench.store.register(new_feed("c", "https://example.org/c"))
    paused = state_shard(FeedState.PAUSED, feed_id("c"))
    write(bench, feed_id("c"), state="paused", state_shard=paused, next_check_at=None, due_shard=None)

    assert ids(listed(bench, state=FeedState.PAUSED)) == [feed_id("c")]
    assert sorted(ids(listed(bench, state=FeedState.HEALTHY))) == sorted([feed_id("a"), feed_id("b")])
    assert sorted(ids(listed(bench, domain="blog.example.com"))) == sorted([feed_id("a"), feed_id("b")])
    assert ids(listed(bench, domain="example.org")) == [feed_id("c")]


def test_an_index_entry_of_a_merged_feed_is_not_a_feed(bench: Bench) -> None:
    shard = domain_shard("example.com", feed_id("gone"))
    bench.contents.put_feed_item(
        feed_id=feed_id("gone"), sk="FEED", merged_into=feed_id("a"), domain_shard=shard, url="https://example.com/x"
    )

    (only,) = listed(bench, domain="example.com")

    assert only.feed is None


def test_a_feed_that_cannot_be_read_is_a_fault_and_hides_no_other(bench: Bench) -> None:
    bench.store.register(new_feed("a", "https://example.com/a"))
    bench.store.register(new_feed("b", "https://example.com/b"))
    write(bench, feed_id("b"), state="asleep")

    assert ids(listed(bench, domain="example.com")) == [feed_id("a")]
    with pytest.raises(FeedwardError) as fault:
        read(bench, "b")
    assert type(fault.value) is FeedwardError
