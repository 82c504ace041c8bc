"""The index function: changed feeds become findable in any order of the stream, and deleted feeds disappear."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

from feedward.adapters.dynamodb.feeds.indexed_feeds import DynamoIndexedFeeds
from feedward.errors import InvalidInput, StoreUnavailable
from feedward.model import Item
from feedward.registration import NewFeed
from feedward.ulid import derived_ulid
from tests.fakes.directory import NOW
from tests.functions.conftest import LambdaContext, read_event
from tests.functions.directory_function import DirectoryFunction
from tests.functions.index_function import IndexFunction, make_index_function


@pytest.fixture
def index(directory: DirectoryFunction) -> IndexFunction:
    """An existing index, over a directory without feeds."""
    made = make_index_function(directory)
    assert made.do("maintain") == {"did": "rebuild", "documents": 0}
    return made


def test_a_new_feed_is_found_and_a_new_title_is_found_at_once(index: IndexFunction) -> None:
    feed_id = index.directory.feed("garden", title="Garden Notes", description="Beds and slugs")
    assert index.deliver(feed_id) == []
    assert index.found("garden") == index.found("slugs") == [feed_id]

    retitled(index, feed_id, "Greenhouse")
    index.deliver(feed_id)
    assert index.found("greenhouse") == [feed_id]
    assert index.found("notes") == []


def retitled(index: IndexFunction, feed_id: str, title: str) -> None:
    """Change the title past the functions, as a check does: with a new rev."""
    contents = index.directory.directory.contents
    contents.put_feed_item(**{**contents.under(feed_id, "META")[0], "title": title})
    index.directory.write(feed_id)


def test_titles_of_items_are_found_and_marked_in_the_answer(index: IndexFunction) -> None:
    items = (Item(id="1", title="How to grow leeks", url="https://example.com/1"),)
    feed_id = index.directory.feed("garden", title="Garden", items=items)
    index.deliver(feed_id)

    answer = index.search("leeks")
    assert [result["feed"]["id"] for result in answer.body["results"]] == [feed_id]
    (mark,) = answer.body["results"][0]["highlights"]
    assert mark == {"field": "item_title", "start": 12, "end": 17, "text": "How to grow leeks"}


def test_a_heartbeat_sends_nothing(index: IndexFunction) -> None:
    feed_id = index.directory.feed("garden", title="Garden")
    index.deliver(feed_id)
    deltas = index.directory.ports.search.manifest.deltas
    for _ in range(3):
        index.directory.write(feed_id, last_attempt_at=NOW + 60)
        index.deliver(feed_id, feed_id)

    assert index.directory.ports.search.manifest.deltas == deltas


def test_a_private_feed_is_never_found(index: IndexFunction) -> None:
    feed_id = derived_ulid(NOW, "mine")
    url = "https://example.com/mine"
    mine = NewFeed(feed_id=feed_id, url=url, aliases=(url,), now=NOW, title="Secret Garden", scope="tenant")
    index.directory.directory.store.register(mine)
    index.deliver(feed_id)

    assert index.found("secret") == index.found(url) == index.found("example.com") == []
    index.do("rebuild")
    assert index.found("secret") == []


def test_a_feed_that_became_private_is_gone_before_the_index_knows_and_afterwards(index: IndexFunction) -> None:
    feed_id = index.directory.feed("garden", title="Garden")
    index.deliver(feed_id)
    index.directory.write(feed_id, owner="tenant", state_shard="tenant/healthy#0", domain_shard="tenant/example.com#0")

    assert index.found("garden") == []
    index.deliver(feed_id)
    assert index.directory.ports.search.found("garden") == []


def test_a_merged_feed_is_gone_before_the_index_knows_and_the_other_one_is_found(index: IndexFunction) -> None:
    first, second = (index.directory.feed(name, title="Garden") for name in ("one", "two"))
    index.deliver(first, second)
    survivor, loser = sorted((first, second))
    assert sorted(index.found("garden")) == [survivor, loser]
    both = ("https://example.com/one", "https://example.com/two")
    third = NewFeed(feed_id=derived_ulid(NOW, "three"), url=both[0], aliases=both, now=NOW)
    index.directory.directory.store.register(third)

    assert index.found("garden") == [survivor]
    index.deliver(first, second)
    assert index.directory.ports.search.found("garden") == [survivor]


def test_a_deleted_row_is_gone(index: IndexFunction) -> None:
    feed_id = index.directory.feed("garden", title="Garden")
    index.deliver(feed_id)
    index.directory.directory.contents.forget(feed_id)
    index.deliver(feed_id)

    assert index.directory.ports.search.found("garden") == []


def test_a_document_that_changes_without_a_write_of_its_feed_is_sent_under_a_higher_version(
    index: IndexFunction,
) -> None:
    feed_id = index.directory.feed("garden", title="Garden")
    index.deliver(feed_id)
    contents = index.directory.directory.contents
    contents.put_feed_item(**{**contents.under(feed_id, "META")[0], "title": "Orchard"})
    index.deliver(feed_id)
    assert index.found("orchard") == [feed_id]
    contents.put_feed_item(**{**contents.under(feed_id, "META")[0], "title": "Garden"})
    index.do("rebuild")
    assert index.directory.ports.search.found("garden") == [feed_id]


def test_sent_documents_are_recorded_for_a_batch_of_any_size(index: IndexFunction) -> None:
    feeds = [index.directory.feed(f"garden {number}", title="Garden") for number in range(130)]
    index.deliver(*feeds)
    sent = index.directory.ports.search.manifest.deltas
    index.deliver(*feeds)

    assert index.directory.ports.search.manifest.deltas == sent
    assert [delta.changes for delta in sent] == [130]


def test_a_row_that_was_deleted_and_restored_is_found_again(index: IndexFunction) -> None:
    feed_id = index.directory.feed("garden", title="Garden")
    index.deliver(feed_id)
    contents = index.directory.directory.contents
    (row,) = contents.under(feed_id, "FEED")
    contents.forget(feed_id)
    index.deliver(feed_id)
    contents.put_feed_item(**row)
    index.deliver(feed_id)

    assert index.found("garden") == [feed_id]


def test_a_choice_of_its_site_reaches_the_index(index: IndexFunction) -> None:
    feed_id = index.directory.feed("garden", title="Garden")
    index.deliver(feed_id)
    index.directory.directory.sites.mark_choice(feed_id, site_id="5" * 64, score=100)
    index.deliver(feed_id)

    (result,) = index.search("garden", parts="true").body["results"]
    assert result["parts"]["canonical"] > 0


def test_a_stream_that_is_doubled_mixed_up_or_a_day_late_ends_in_the_same_answers(directory: DirectoryFunction) -> None:
    """The changes themselves happen in one order; their records arrive in any order."""
    index = make_index_function(directory)
    index.do("maintain")
    feeds = [directory.feed(name, title="New") for name in ("a", "b", "c")]
    chance = random.Random(7)
    for title in ("Garden", "Orchard", "Greenhouse"):
        for feed_id in feeds:
            retitled(index, feed_id, title)
        records = feeds * 2
        chance.shuffle(records)
        index.deliver(*records)
    directory.write(feeds[0], merged_into="0" * 26, merged_at=NOW)
    directory.directory.clock.advance(24 * 3600)
    index.deliver(*reversed(feeds))

    search = directory.ports.search
    assert sorted(search.found("greenhouse")) == sorted(feeds[1:])
    assert search.found("orchard") == []
    index.do("rebuild")
    assert sorted(search.found("greenhouse")) == sorted(feeds[1:])


def test_a_batch_that_cannot_be_stored_comes_again_whole(index: IndexFunction) -> None:
    feed_id = index.directory.feed("garden", title="Garden")
    index.directory.ports.search.s3.fails = 1000
    with pytest.raises(StoreUnavailable):
        index.deliver(feed_id)
    index.directory.ports.search.s3.fails = 0
    assert index.deliver(feed_id) == []
    assert index.found("garden") == [feed_id]


def test_a_batch_that_fails_half_way_comes_again_from_there(
    index: IndexFunction, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("feedward.services.search.index_feeds.FEEDS_AT_ONCE", 2)
    feeds = [index.directory.feed(f"garden {number}", title="Garden") for number in range(4)]
    read = DynamoIndexedFeeds.read
    calls = itertools.count()

    def failing(self: Any, feed_ids: Any) -> Any:
        if next(calls) == 1:
            raise StoreUnavailable("away")
        return read(self, feed_ids)

    monkeypatch.setattr(DynamoIndexedFeeds, "read", failing)
    assert index.deliver(*feeds) == ["2"]
    assert sorted(index.found("garden")) == sorted(feeds[:2])


def test_a_batch_without_time_comes_again_and_a_rebuild_without_time_leaves_the_index(index: IndexFunction) -> None:
    feed_id = index.directory.feed("feed", title="Garden Notes")
    index.deliver(feed_id)
    assert index.found("garden") == [feed_id]
    index.context = LambdaContext(remaining_ms=20_000)

    with pytest.raises(StoreUnavailable):
        index.deliver(index.directory.feed("other", title="Garden"))
    with pytest.raises(StoreUnavailable):
        index.do("rebuild")
    assert index.found("garden") == [feed_id]


def test_a_row_that_cannot_be_read_delays_no_other(index: IndexFunction) -> None:
    broken, whole = (index.directory.feed(name, title="Garden") for name in ("broken", "whole"))
    index.directory.write(broken, state="no state")

    assert index.deliver(broken, whole) == []
    assert index.found("garden") == [whole]
    index.do("rebuild")
    assert index.directory.ports.search.found("garden") == [whole]


@pytest.mark.parametrize("record", [{}, {"dynamodb": {}}, {"dynamodb": {"Keys": {"feed_id": {"N": "1"}}}}, None])
def test_a_record_without_a_feed_is_passed_over(index: IndexFunction, record: Any) -> None:
    assert index.handler({"Records": [record]}, index.context) == {"batchItemFailures": []}


def test_the_schedule_compacts_many_deltas(index: IndexFunction) -> None:
    assert index.do("maintain") == {"did": "nothing", "documents": 0}
    feeds = [index.directory.feed(f"garden {number}", title="Garden") for number in range(51)]
    for feed_id in feeds:
        index.deliver(feed_id)

    assert index.do("maintain") == {"did": "compact", "documents": 51}
    assert index.directory.ports.search.manifest.deltas == ()
    assert len(index.found("garden", limit="100")) == 51


def test_a_feed_that_changes_back_after_a_rebuild_is_sent_again(index: IndexFunction) -> None:
    """The rebuild reads the second title. The last note must not claim that the first title is still the last sent."""
    feed_id = index.directory.feed("garden", title="Garden")
    index.deliver(feed_id)
    retitled(index, feed_id, "Orchard")
    index.directory.directory.clock.advance(24 * 3600)
    index.do("rebuild")
    retitled(index, feed_id, "Garden")
    index.deliver(feed_id)

    assert index.found("garden") == [feed_id]
    assert index.found("orchard") == []


def test_an_unknown_task_is_refused(index: IndexFunction) -> None:
    with pytest.raises(InvalidInput, match="expected one of maintain, rebuild"):
        index.do("forget")


def test_the_function_accepts_the_sample_events(index: IndexFunction) -> None:
    assert index.handler(read_event("stream_feeds"), index.context) == {"batchItemFailures": []}
    assert index.handler(read_event("schedule_maintain_index"), index.context)["did"] == "nothing"
