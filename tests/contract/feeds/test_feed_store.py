"""Every feed store finds and registers, in memory and on DynamoDB (rules R9, I1)."""

from __future__ import annotations

import pytest

from feedward.deadline import Deadline
from feedward.errors import InvalidInput, StoreUnavailable, Throttled
from feedward.model import Known
from feedward.registration import Registration
from feedward.urls.key import KEY_VERSION, url_hash
from tests.contract.benches.feeds import NOW, feed_id, new_feed
from tests.contract.conftest import Bench
from tests.fakes.dynamodb_faults import FOR_EVER

URL = "https://example.com/feed"
ALIAS = "https://www.example.com/feed?utm_source=x"
OTHER = "https://example.com/rss.xml"
BRIDGE = "https://example.com/index.xml"


# --- time ----------------------------------------------------------------------------------------


def test_nothing_is_asked_or_written_when_the_time_is_over(bench: Bench) -> None:
    bench.store.register(new_feed("a", URL))
    bench.faults.calls.clear()
    with pytest.raises(StoreUnavailable):
        bench.store.within(Deadline.after(0)).find([URL])
    with pytest.raises(StoreUnavailable):
        bench.store.within(Deadline.after(-1)).register(new_feed("b", OTHER))
    assert bench.faults.calls == []
    assert bench.store.within(Deadline.after(5)).find([URL]) is not None
    assert bench.store.within(Deadline.after(5)).register(new_feed("b", OTHER)).created


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


def test_a_text_that_is_no_url_finds_no_feed(bench: Bench) -> None:
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
    assert len(bench.contents.under(feed_id("a"), "")) == 5


def test_a_registration_tried_again_later_is_the_same_registration(bench: Bench) -> None:
    first = bench.store.register(new_feed("a", URL, ALIAS))
    later = new_feed("a", URL, ALIAS, OTHER)
    assert bench.store.register(later) == first
    found = bench.store.find([OTHER])
    assert found is not None
    assert found.data["feed_id"] == first.feed_id


@pytest.mark.parametrize("lost", [1, 2])
def test_an_answer_that_is_lost_is_asked_for_again(bench: Bench, lost: int) -> None:
    bench.faults.lost_answers = lost
    assert bench.store.register(new_feed("a", URL, ALIAS)) == Registration(feed_id=feed_id("a"), url=URL, created=True)
    assert bench.contents.feeds()[feed_id("a")]["rev"] == 1


def test_answers_that_are_always_lost_are_found_out_by_the_next_call(bench: Bench) -> None:
    bench.faults.lost_answers = 3
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
