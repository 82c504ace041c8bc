"""Bulks: each item is read, transient failures are sent again, refusals are reported."""

from __future__ import annotations

import json

import pytest

from feedward.adapters.opensearch import cluster_feed
from feedward.adapters.opensearch.cluster import Cluster, ClusterAnswer
from feedward.adapters.opensearch.cluster_feed import OpenSearchFeed
from feedward.adapters.opensearch.cluster_index import ANSWER_S, OpenSearchIndex
from feedward.deadline import Deadline
from feedward.errors import FeedwardError, SearchUnavailable, StoreUnavailable
from feedward.search.document import DocumentChange, FeedDocument
from feedward.search.index_status import Maintenance
from feedward.search.results import SearchFilters
from tests.fakes.directory import NOW, FakeClock
from tests.fakes.feed_store import PATIENT
from tests.fakes.opensearch import FakeCluster

A, B = "A" * 26, "B" * 26


def change(feed_id: str, version: int = 1) -> DocumentChange:
    document = FeedDocument(feed_id=feed_id, version=version, url="https://example.com/", domain="example.com")
    return DocumentChange(feed_id, version, document)


@pytest.fixture
def fake() -> FakeCluster:
    return FakeCluster()


@pytest.fixture
def feed(fake: FakeCluster) -> OpenSearchFeed:
    made = OpenSearchFeed(fake.cluster, "feeds")
    made.rebuild([], now=NOW)
    return made


def stored(fake: FakeCluster) -> dict[str, int]:
    """The versions by id."""
    (index,) = fake.indexes.values()
    return {feed_id: stored.version for feed_id, stored in index["documents"].items()}


def test_only_the_items_that_were_rejected_are_sent_again(fake: FakeCluster, feed: OpenSearchFeed) -> None:
    fake.busy = 1
    feed.send([change(A), change(B)], now=NOW)

    assert stored(fake) == {A: 1, B: 1}
    assert [len(lines) // 2 for lines in fake.bulks] == [2, 1]


def test_a_version_that_is_not_newer_is_done(fake: FakeCluster, feed: OpenSearchFeed) -> None:
    feed.send([change(A, 5)], now=NOW)
    feed.send([change(A, 4)], now=NOW)

    assert stored(fake) == {A: 5}
    assert len(fake.bulks) == 2


def test_a_refused_document_is_named_and_the_others_are_written(fake: FakeCluster, feed: OpenSearchFeed) -> None:
    fake.refuses = {A}
    with pytest.raises(FeedwardError, match=f"refuses 1 documents: {A}: not allowed"):
        feed.send([change(A), change(B)], now=NOW)

    assert stored(fake) == {B: 1}


def test_items_that_are_always_rejected_end_the_send(fake: FakeCluster, feed: OpenSearchFeed) -> None:
    fake.busy = 10_000
    with pytest.raises(StoreUnavailable, match="again and again"):
        feed.send([change(A)], now=NOW)


def test_a_bulk_has_as_many_documents_as_a_small_node_takes(
    fake: FakeCluster, feed: OpenSearchFeed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_feed, "_BULK_BYTES", 2500)
    ids = [f"{number:026d}" for number in range(20)]
    feed.send([change(each) for each in ids], now=NOW)

    sizes = [sum(len(json.dumps(line)) for line in lines) for lines in fake.bulks]
    assert stored(fake).keys() == set(ids)
    assert max(sizes) < 2600 < sum(sizes)


def test_no_attempt_starts_after_the_deadline_or_waits_beyond_it(fake: FakeCluster, feed: OpenSearchFeed) -> None:
    clock = FakeClock()
    fake.times.clear()
    bound = feed.within(Deadline.after(3.0, clock.monotonic))
    bound.send([change(A)], now=NOW)
    assert set(fake.times) == {3.0}
    clock.advance(3)
    fake.times.clear()
    with pytest.raises(StoreUnavailable):
        bound.send([change(B)], now=NOW)
    assert (fake.times, stored(fake)) == ([], {A: 1})


def test_a_cluster_that_never_answers_leaves_a_search_unavailable_within_its_time(fake: FakeCluster) -> None:
    clock = FakeClock()

    def hangs(_method: str, _path: str, _body: str | None, within_s: float) -> ClusterAnswer:
        clock.advance(int(within_s))
        raise StoreUnavailable("no answer")

    began = clock.monotonic()
    with pytest.raises(SearchUnavailable):
        OpenSearchIndex(Cluster(hangs, backoff=PATIENT), "feeds", clock).search("tea", SearchFilters(), limit=1)
    assert clock.monotonic() - began <= ANSWER_S


def test_removed_documents_are_marked_and_not_deleted(fake: FakeCluster, feed: OpenSearchFeed) -> None:
    feed.send([change(A)], now=NOW)
    feed.send([DocumentChange(A, 2, None)], now=NOW)

    (index,) = fake.indexes.values()
    (kept,) = index["documents"].values()
    assert (kept.version, kept.source) == (2, {"feed_id": A, "gone": True})


def test_a_cluster_that_is_away_for_a_moment_is_asked_again(fake: FakeCluster, feed: OpenSearchFeed) -> None:
    fake.away = 2
    feed.send([change(A)], now=NOW)
    assert stored(fake) == {A: 1}
    fake.away = 10_000
    with pytest.raises(StoreUnavailable):
        feed.send([change(B)], now=NOW)


def test_a_rebuild_that_was_killed_leaves_the_old_index_and_goes_with_the_next_one(
    fake: FakeCluster, feed: OpenSearchFeed
) -> None:
    feed.send([change(A)], now=NOW)

    def killed() -> object:
        raise KeyboardInterrupt
        yield

    with pytest.raises(KeyboardInterrupt):
        feed.rebuild(killed(), now=NOW)  # type: ignore[arg-type]
    assert len(fake.indexes) == 2
    feed.send([change(B)], now=NOW)
    assert feed.maintenance(now=NOW) is Maintenance.NOTHING
    assert feed.rebuild([], now=NOW + 1) == 0
    assert len(fake.indexes) == 1
