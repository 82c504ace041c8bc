"""Feeds that turn out to be one: Merge, the work after it, and faults in between (rules I3, I7)."""

from __future__ import annotations

import contextlib

import pytest

from feedward.errors import Conflict, FeedwardError, Throttled
from feedward.model import Known
from feedward.registration import Registration
from feedward.urls.key import url_hash
from tests.contract.benches.feeds import NOW, feed_id, new_feed
from tests.contract.conftest import Bench
from tests.fakes.dynamodb_faults import FOR_EVER, Died

URL = "https://example.com/feed"
OTHER = "https://example.com/rss.xml"
BRIDGE = "https://example.com/index.xml"


def two_feeds(bench: Bench) -> tuple[str, str]:
    """Register two feeds and return their ids, the smaller first."""
    bench.store.register(new_feed("a", URL))
    bench.store.register(new_feed("b", OTHER, "https://example.com/b2", now=NOW + 1))
    return feed_id("a"), feed_id("b", NOW + 1)


def bridge(bench: Bench) -> Registration:
    return bench.store.register(new_feed("c", BRIDGE, OTHER, URL, now=NOW + 2))


def test_a_registration_that_bridges_two_feeds_merges_them_into_the_smaller_id(bench: Bench) -> None:
    smaller, larger = two_feeds(bench)
    assert bridge(bench) == Registration(feed_id=smaller, url=URL, created=False)
    assert set(bench.contents.live()) == {smaller}
    assert bench.contents.feeds()[larger]["merged_into"] == smaller
    assert bench.contents.faults_of_form() == []


def test_every_url_of_both_feeds_finds_the_one_that_remains(bench: Bench) -> None:
    smaller, _ = two_feeds(bench)
    bridge(bench)
    for url in (URL, OTHER, "https://example.com/b2", BRIDGE):
        assert bench.store.find([url]) == Known(url=URL, data={"feed_id": smaller})
    assert {row["feed_id"] for row in bench.contents.urls().values()} == {smaller}


def test_a_tombstone_is_on_no_list_and_every_write_counted(bench: Bench) -> None:
    smaller, larger = two_feeds(bench)
    bridge(bench)
    feeds = bench.contents.feeds()
    assert not {"due_shard", "next_check_at", "slot", "slot_from", "state_shard", "domain_shard"} & set(feeds[larger])
    assert (feeds[smaller]["rev"], feeds[larger]["rev"]) == (2, 2)


def test_a_merge_is_in_the_history_of_both(bench: Bench) -> None:
    smaller, larger = two_feeds(bench)
    bridge(bench)
    for each in (smaller, larger):
        merged = [row for row in bench.contents.under(each, "AUDIT#") if row["action"] == "merged"]
        assert [(row["from"], row["to"]) for row in merged] == [(larger, smaller)]


def test_three_feeds_become_one(bench: Bench) -> None:
    two_feeds(bench)
    bench.store.register(new_feed("d", "https://example.com/d", now=NOW + 1))
    assert bench.store.register(new_feed("c", BRIDGE, OTHER, "https://example.com/d", URL)).feed_id == feed_id("a")
    assert set(bench.contents.live()) == {feed_id("a")}
    assert bench.contents.faults_of_form() == []


def test_a_chain_of_merges_is_followed_to_its_end(bench: Bench) -> None:
    bench.faults.hidden = {feed_id("b", NOW + 1), feed_id("d", NOW + 2)}
    for at, name in ((0, "a"), (1, "b"), (2, "d")):
        bench.store.register(new_feed(name, f"https://example.com/{name}", now=NOW + at))
    bench.store.register(new_feed("x", "https://example.com/d", "https://example.com/b", now=NOW + 3))
    bench.store.register(new_feed("y", "https://example.com/b", "https://example.com/a", now=NOW + 3))
    found = bench.store.find(["https://example.com/d"])
    assert found == Known(url="https://example.com/a", data={"feed_id": feed_id("a")})
    assert bench.contents.faults_of_form() == []


def test_an_index_that_lags_leaves_the_repointing_pending(bench: Bench) -> None:
    smaller, larger = two_feeds(bench)
    bench.faults.hidden = {larger}
    bridge(bench)
    assert bench.store.repoint(larger, now=NOW + 3) is False
    bench.faults.hidden.clear()
    assert [merge["into"] for merge in bench.contents.pending("repoint")] == [smaller]
    assert bench.store.repoint(larger, now=NOW + 100) is True
    assert bench.contents.pending("repoint") == []
    assert {row["feed_id"] for row in bench.contents.urls().values()} == {smaller}


def test_a_pending_repointing_is_not_removed_while_the_index_may_still_lag(bench: Bench) -> None:
    _, larger = two_feeds(bench)
    bridge(bench)
    assert bench.store.repoint(larger, now=NOW + 3) is False
    assert len(bench.contents.pending("repoint")) == 1


def test_repointing_a_feed_that_is_not_merged_does_nothing(bench: Bench) -> None:
    smaller, _ = two_feeds(bench)
    assert bench.store.repoint(smaller, now=NOW + 100) is True
    assert bench.store.repoint("0NONE", now=NOW + 100) is True
    assert bench.contents.urls()[url_hash(URL)]["feed_id"] == smaller


def test_repointing_twice_is_harmless(bench: Bench) -> None:
    _, larger = two_feeds(bench)
    bridge(bench)
    assert [bench.store.repoint(larger, now=NOW + 100) for _ in range(2)] == [True, True]
    told = sorted(event["detail_type"] for event in bench.contents.pending("event"))
    assert told == ["FeedDiscovered", "FeedDiscovered", "FeedMoved"]


@pytest.mark.parametrize("transactions", range(6))
def test_a_worker_killed_at_any_call_of_a_merge_leaves_work_that_the_next_can_finish(
    bench: Bench, transactions: int
) -> None:
    smaller, larger = two_feeds(bench)
    bench.faults.dies_before = transactions
    with contextlib.suppress(Died):
        bridge(bench)
    bench.faults.dies_before = None
    assert bench.contents.faults_of_form() == []
    known = bench.store.find([OTHER])
    assert known is not None
    assert known.data["feed_id"] in {smaller, larger}
    assert bridge(bench) == Registration(feed_id=smaller, url=URL, created=False)
    assert bench.store.repoint(larger, now=NOW + 100) is True
    assert {row["feed_id"] for row in bench.contents.urls().values()} == {smaller}
    assert bench.contents.pending("repoint") == []


# --- bad days -------------------------------------------------------------------------------------


def test_conflicts_are_tried_again(bench: Bench) -> None:
    two_feeds(bench)
    bench.faults.conflicts = 3
    assert bridge(bench).feed_id == feed_id("a")


def test_throttling_is_tried_again(bench: Bench) -> None:
    bench.faults.throttles = 3
    assert bench.store.register(new_feed("a", URL)).created
    bench.faults.throttles = 3
    assert bench.store.find([URL]) is not None


@pytest.mark.parametrize(("knob", "error"), [("conflicts", Conflict), ("throttles", Throttled)])
def test_a_lasting_fault_is_raised_and_leaves_nothing(bench: Bench, knob: str, error: type[FeedwardError]) -> None:
    setattr(bench.faults, knob, FOR_EVER)
    with pytest.raises(error):
        bench.store.register(new_feed("a", URL))
    assert bench.contents.urls() == {}
    assert bench.contents.feeds() == {}


def test_an_outbox_entry_that_cannot_be_relayed_does_not_fail_the_registration(bench: Bench) -> None:
    _, larger = two_feeds(bench)
    bench.faults.fails_queries = FOR_EVER
    assert bridge(bench).feed_id == feed_id("a")
    assert [merge["feed_id"] for merge in bench.contents.pending("repoint")] == [larger]
