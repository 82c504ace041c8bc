"""What every feed store does, in memory and on DynamoDB: find, Register, Merge (design section 3; I1, I3, I4)."""

from __future__ import annotations

import contextlib

import pytest

from feedward.errors import Conflict, FeedwardError, InvalidInput, StoreUnavailable, Throttled
from feedward.health.schedule import LEAST_LEAD_S, LONGEST_INTERVAL_S, domain_shards, due_shard
from feedward.model import Known, Registration
from feedward.urls.key import KEY_VERSION, url_hash
from tests.contract.conftest import Bench
from tests.contract.feeds import NOW, feed_id, new_feed
from tests.fakes.dynamodb_faults import FOR_EVER, Died

URL = "https://example.com/feed"
ALIAS = "https://www.example.com/feed?utm_source=x"
OTHER = "https://example.com/rss.xml"
BRIDGE = "https://example.com/index.xml"


# --- find -----------------------------------------------------------------------------------------


def test_nothing_is_found_in_an_empty_directory(bench: Bench) -> None:
    assert bench.store.find([URL, ALIAS]) is None


def test_no_urls_find_nothing_and_ask_nothing(bench: Bench) -> None:
    assert bench.store.find([]) is None
    assert bench.faults.calls == []


@pytest.mark.parametrize("asked", [URL, ALIAS, "http://example.com/feed", "https://example.com/feed/"])
def test_every_spelling_of_a_registered_url_finds_the_canonical_one(bench: Bench, asked: str) -> None:
    bench.store.register(new_feed("a", URL, ALIAS))
    assert bench.store.find([asked]) == Known(url=URL, data={"feed_id": feed_id("a")})


def test_the_first_known_url_in_the_given_order_wins(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    bench.store.register(new_feed("b", OTHER))
    for first, second in ((URL, OTHER), (OTHER, URL)):
        found = bench.store.find(["https://nowhere.example/", first, second])
        assert found is not None
        assert found.url == first


def test_a_find_is_one_batch_read_and_one_read_of_the_feed(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL, ALIAS))
    bench.faults.calls.clear()
    bench.store.find([OTHER, URL, ALIAS, URL, "http://example.com/feed"])
    assert bench.faults.calls == ["batch_get_item", "get_item"]


def test_more_urls_than_one_batch_takes_are_all_asked_for(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    many = [f"https://example.com/{n}" for n in range(250)]
    found = bench.store.find([*many, URL])
    assert found is not None
    assert found.url == URL
    assert bench.faults.calls.count("batch_get_item") == 3


def test_keys_left_unread_are_asked_for_again(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    bench.faults.unprocessed = 3
    found = bench.store.find([OTHER, BRIDGE, URL])
    assert found is not None
    assert found.url == URL


def test_keys_left_unread_for_ever_are_throttling_not_absence(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    bench.faults.unprocessed = FOR_EVER
    with pytest.raises(Throttled):
        bench.store.find([OTHER, URL])


def test_a_hash_that_only_a_frontier_row_has_is_no_feed(bench: Bench) -> None:
    bench.contents.put_url(url_hash=url_hash(URL), url=URL, key_version=KEY_VERSION, row_id="01J")
    assert bench.store.find([URL]) is None


def test_a_row_whose_feed_is_missing_does_not_hide_the_next_url(bench: Bench) -> None:
    bench.contents.put_url(url_hash=url_hash(URL), url=URL, key_version=KEY_VERSION, feed_id="0GONE")
    bench.store.register(new_feed("b", OTHER))
    found = bench.store.find([URL, OTHER])
    assert found is not None
    assert found.url == OTHER


def test_what_is_no_url_is_found_by_nobody(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    found = bench.store.find(["https://", "", "https://example.com/" + "a" * 3000, URL])
    assert found is not None
    assert found.url == URL


# --- register -------------------------------------------------------------------------------------


def test_registering_makes_the_feed_and_claims_all_its_urls(bench: Bench) -> None:
    registration = bench.store.register(new_feed("a", URL, ALIAS, OTHER))
    assert registration == Registration(feed_id=feed_id("a"), url=URL, created=True)
    assert {row["url"]: row["feed_id"] for row in bench.contents.urls().values()} == dict.fromkeys(
        (URL, ALIAS, OTHER), feed_id("a")
    )
    assert {row["key_version"] for row in bench.contents.urls().values()} == {KEY_VERSION}


def test_a_second_spelling_of_a_url_is_not_created_again(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    again = bench.store.register(new_feed("b", "http://example.com/feed/"))
    assert again == Registration(feed_id=feed_id("a"), url=URL, created=False)
    assert set(bench.contents.feeds()) == {feed_id("a")}


def test_two_feeds_of_one_host_are_two_feeds(bench: Bench) -> None:
    for name in ("a", "b"):
        assert bench.store.register(new_feed(name, f"https://github.com/{name}/news/releases.atom")).created
    assert len(bench.contents.live()) == 2


def test_the_old_address_of_a_feed_returns_that_feed(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL, "https://old.example/f"))
    assert bench.store.register(new_feed("b", "https://old.example/f")).feed_id == feed_id("a")


def test_aliases_that_are_still_free_are_attached_to_the_feed_that_has_the_others(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    bench.store.register(new_feed("b", OTHER, URL, BRIDGE))
    for url in (OTHER, BRIDGE):
        assert bench.store.find([url]) == Known(url=URL, data={"feed_id": feed_id("a")})


def test_the_same_registration_sent_twice_is_one(bench: Bench) -> None:
    new = new_feed("a", URL, ALIAS)
    assert bench.store.register(new) == bench.store.register(new)
    assert len(bench.contents.under(feed_id("a"), "")) == 4


def test_a_registration_tried_again_later_is_the_same_registration(bench: Bench) -> None:
    first = bench.store.register(new_feed("a", URL, ALIAS))
    later = new_feed("a", URL, ALIAS, OTHER)
    assert bench.store.register(later) == first
    found = bench.store.find([OTHER])
    assert found is not None
    assert found.data["feed_id"] == first.feed_id


def test_a_lost_answer_is_found_out_by_asking_again(bench: Bench) -> None:
    bench.faults.lost_answers = 1
    new = new_feed("a", URL, ALIAS)
    with pytest.raises(StoreUnavailable):
        bench.store.register(new)
    assert bench.store.register(new) == Registration(feed_id=feed_id("a"), url=URL, created=True)
    assert bench.contents.feeds()[feed_id("a")]["rev"] == 1


def test_a_hash_keeps_the_frontier_row_that_has_it(bench: Bench) -> None:
    bench.contents.put_url(url_hash=url_hash(URL), url="http://example.com/feed", key_version=KEY_VERSION, row_id="01J")
    bench.store.register(new_feed("a", URL))
    assert bench.contents.urls()[url_hash(URL)] == {
        "url_hash": url_hash(URL),
        "url": "http://example.com/feed",
        "key_version": KEY_VERSION,
        "row_id": "01J",
        "feed_id": feed_id("a"),
    }


def test_an_attached_hash_keeps_the_frontier_row_that_has_it(bench: Bench) -> None:
    bench.contents.put_url(url_hash=url_hash(OTHER), url=OTHER, key_version=KEY_VERSION, row_id="01J")
    bench.store.register(new_feed("a", URL))
    bench.store.register(new_feed("b", URL, OTHER))
    row = bench.contents.urls()[url_hash(OTHER)]
    assert (row["row_id"], row["feed_id"]) == ("01J", feed_id("a"))


def test_more_aliases_than_one_transaction_takes_all_belong_to_the_feed(bench: Bench) -> None:
    aliases = [f"https://example.com/{n}" for n in range(200)]
    assert bench.store.register(new_feed("a", URL, *aliases)).created
    assert {row["feed_id"] for row in bench.contents.urls().values()} == {feed_id("a")}
    assert len(bench.contents.urls()) == 201


def test_an_alias_beyond_one_transaction_may_belong_to_another_feed(bench: Bench) -> None:
    bench.store.register(new_feed("a", OTHER))
    aliases = [f"https://example.com/{n}" for n in range(230)]
    registration = bench.store.register(new_feed("b", URL, *aliases, OTHER, now=NOW + 1))
    assert registration.feed_id == feed_id("a")
    assert set(bench.contents.live()) == {feed_id("a")}
    assert bench.contents.faults_of_form() == []


@pytest.mark.parametrize("url", ["https://example.com/" + "a" * 2048, "https://", ""])
def test_a_canonical_url_that_cannot_be_fetched_is_refused_by_name(bench: Bench, url: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        bench.store.register(new_feed("a", url, OTHER))
    assert refused.value.field == "url"


@pytest.mark.parametrize("alias", ["https://example.com/" + "a" * 2048, "https://", ""])
def test_an_alias_that_cannot_be_fetched_does_not_stop_the_feed(bench: Bench, alias: str) -> None:
    assert bench.store.register(new_feed("a", URL, alias)).created
    assert len(bench.contents.urls()) == 1


def test_private_urls_are_a_directory_of_their_own(bench: Bench) -> None:
    private = bench.store.register(new_feed("a", URL, scope="tenant-1"))
    shared = bench.store.register(new_feed("b", URL))
    assert (private.created, shared.created) == (True, True)
    for scope, name in (("tenant-1", "a"), ("", "b")):
        found = bench.store.find([URL], scope=scope)
        assert found is not None
        assert found.data["feed_id"] == feed_id(name)
    assert bench.store.find([URL], scope="tenant-2") is None


# --- birth (I4) -----------------------------------------------------------------------------------


def test_a_feed_is_born_healthy_due_and_listed(bench: Bench) -> None:
    bench.store.register(new_feed("a", "https://blog.example.co.uk/feed"))
    feed = bench.contents.feeds()[feed_id("a")]
    assert feed["state"] == "healthy"
    assert feed["rev"] == 1
    assert feed["created_at"] == NOW
    assert feed["due_shard"] == due_shard("blog.example.co.uk")
    assert NOW + LEAST_LEAD_S <= feed["next_check_at"] <= NOW + LONGEST_INTERVAL_S * 1.1
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
    for index, attribute in (("due", "due_shard"), ("by_state", "state_shard"), ("by_domain", "domain_shard")):
        [found] = bench.contents.indexed(index, attribute, feed[attribute])
        assert found["feed_id"] == feed_id("a")


def test_the_due_index_holds_what_a_check_needs(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL, median_gap_s=7200))
    feed = bench.contents.feeds()[feed_id("a")]
    [found] = bench.contents.indexed("due", "due_shard", feed["due_shard"])
    needed = (
        "url url_hash host state rev next_check_at etag last_modified content_hash consecutive_failures median_gap_s"
        " latest_item_published_at"
    )
    assert {name: found.get(name) for name in needed.split()} == {name: feed[name] for name in needed.split()}


def test_what_the_document_said_is_kept_apart_from_what_a_check_writes(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    [meta] = bench.contents.under(feed_id("a"), "META")
    assert (meta["title"], meta["language"], meta["format"]) == ("Example", "en-gb", "atom")
    assert meta["hub_urls"] == ["https://hub.example.com/"]
    assert "title" not in bench.contents.feeds()[feed_id("a")]


def test_the_discovery_is_owed_from_the_moment_of_birth(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    [owed] = bench.contents.owed("event")
    assert owed["detail_type"] == "FeedDiscovered"
    assert owed["pending_since"] == NOW
    assert owed["detail"]["feed_id"] == feed_id("a")
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


# --- merge (I3) -----------------------------------------------------------------------------------


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
    assert not {"due_shard", "next_check_at", "state_shard", "domain_shard"} & set(feeds[larger])
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


def test_an_index_that_lags_leaves_the_debt_standing(bench: Bench) -> None:
    smaller, larger = two_feeds(bench)
    bench.faults.hidden = {larger}
    bridge(bench)
    assert bench.store.repoint(larger, now=NOW + 3) is False
    bench.faults.hidden.clear()
    assert [owed["into"] for owed in bench.contents.owed("repoint")] == [smaller]
    assert bench.store.repoint(larger, now=NOW + 100) is True
    assert bench.contents.owed("repoint") == []
    assert {row["feed_id"] for row in bench.contents.urls().values()} == {smaller}


def test_a_debt_is_not_crossed_out_while_the_index_may_still_lag(bench: Bench) -> None:
    _, larger = two_feeds(bench)
    bridge(bench)
    assert bench.store.repoint(larger, now=NOW + 3) is False
    assert len(bench.contents.owed("repoint")) == 1


def test_repointing_what_is_not_merged_does_nothing(bench: Bench) -> None:
    smaller, _ = two_feeds(bench)
    assert bench.store.repoint(smaller, now=NOW + 100) is True
    assert bench.store.repoint("0NONE", now=NOW + 100) is True
    assert bench.contents.urls()[url_hash(URL)]["feed_id"] == smaller


def test_repointing_twice_is_harmless(bench: Bench) -> None:
    _, larger = two_feeds(bench)
    bridge(bench)
    assert [bench.store.repoint(larger, now=NOW + 100) for _ in range(2)] == [True, True]
    assert len(bench.contents.owed("event")) == 2


@pytest.mark.parametrize("transactions", range(6))
def test_who_dies_at_any_moment_of_a_merge_leaves_what_the_next_one_can_finish(bench: Bench, transactions: int) -> None:
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
    assert bench.contents.owed("repoint") == []


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
def test_what_does_not_pass_is_said_and_leaves_nothing(bench: Bench, knob: str, error: type[FeedwardError]) -> None:
    setattr(bench.faults, knob, FOR_EVER)
    with pytest.raises(error):
        bench.store.register(new_feed("a", URL))
    assert bench.contents.urls() == {}
    assert bench.contents.feeds() == {}


def test_a_debt_that_cannot_be_paid_at_once_does_not_spoil_the_registration(bench: Bench) -> None:
    _, larger = two_feeds(bench)
    bench.faults.fails_queries = FOR_EVER
    assert bridge(bench).feed_id == feed_id("a")
    assert [owed["feed_id"] for owed in bench.contents.owed("repoint")] == [larger]
