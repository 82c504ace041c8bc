"""One contract for both engines: the same documents in any order give the same answers in the same order.

OpenSearch is in memory, in the shapes that a cluster answers. FEEDWARD_TEST_OPENSEARCH names a real one (its address
without credentials): then the same tests run against that, too.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import pytest

from feedward.adapters.opensearch.cluster import Cluster, signed_transport
from feedward.adapters.opensearch.cluster_feed import OpenSearchFeed
from feedward.adapters.opensearch.cluster_index import OpenSearchIndex
from feedward.errors import SearchUnavailable
from feedward.model import FeedState
from feedward.ports.search import DirectoryIndex, SearchFeed
from feedward.search.document import DocumentChange, FeedDocument
from feedward.search.index_status import Maintenance
from feedward.search.results import SearchFilters, SearchFound
from tests.fakes.directory import NOW, FakeClock
from tests.fakes.opensearch import FakeCluster
from tests.fakes.search_bucket import FakeSearch
from tests.unit.search.judged_set import QUERIES, judged_documents

REAL = os.environ.get("FEEDWARD_TEST_OPENSEARCH", "")
DOCUMENTS = judged_documents()
FILTERS = SearchFilters()


@dataclass
class Engine:
    """One engine: its writer, its reader, and a way to make the reader see the writes."""

    feed: SearchFeed
    index: DirectoryIndex
    settle: Callable[[], None]

    def search(self, text: str, *, limit: int = 200, after: Any = None) -> SearchFound:
        return self.index.search(text, FILTERS, limit=limit, after=after)

    def found(self, text: str) -> list[str]:
        return [hit.feed_id for hit in self.search(text).hits]


def sqlite_engine() -> Engine:
    clock = FakeClock()
    fake = FakeSearch(clock)
    return Engine(fake.feed, fake.index, lambda: clock.advance(10))


def opensearch_engine(cluster: Cluster, *, settle: Callable[[str], None]) -> Engine:
    alias = f"test-{uuid4().hex[:8]}"
    return Engine(
        OpenSearchFeed(cluster, alias), OpenSearchIndex(cluster, alias, FakeClock()), lambda: settle(f"{alias}-writing")
    )


def made(name: str) -> Engine:
    if name == "sqlite":
        return sqlite_engine()
    if name == "opensearch":
        return opensearch_engine(FakeCluster().cluster, settle=lambda _alias: None)
    cluster = Cluster(signed_transport(REAL, signs=False))

    def refresh(alias: str) -> None:
        cluster.ask("POST", f"/{alias}/_refresh")

    return opensearch_engine(cluster, settle=refresh)


NAMES = ["sqlite", "opensearch", *(["real"] if REAL else [])]


@pytest.fixture(params=NAMES)
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """An engine without documents."""
    yield from _engine(request.param)


def _engine(name: str) -> Iterator[Engine]:
    engine = made(name)
    yield engine
    close = getattr(engine.index, "close", None)
    if close:
        close()


@pytest.fixture(scope="module", params=NAMES)
def judged(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """An engine with the judged documents: one half by a rebuild, the others as changes, in any order."""
    for engine in _engine(request.param):
        chance = random.Random(11)
        documents = chance.sample(DOCUMENTS, len(DOCUMENTS))
        engine.feed.rebuild(documents[::2], now=NOW)
        engine.feed.send([change(document) for document in documents[1::2]], now=NOW)
        engine.settle()
        yield engine


@pytest.fixture(scope="module")
def reference() -> Iterator[Engine]:
    """The file with all judged documents from one rebuild."""
    for engine in _engine("sqlite"):
        engine.feed.rebuild(DOCUMENTS, now=NOW)
        yield engine


def change(document: FeedDocument) -> DocumentChange:
    return DocumentChange(document.feed_id, document.version, document)


def told(found: SearchFound) -> list[Any]:
    return [(hit.feed_id, hit.score, dict(hit.parts), hit.place) for hit in found.hits] + [
        found.corrected,
        found.ignored,
    ]


def test_every_judged_query_gives_the_same_answer_from_every_engine(judged: Engine, reference: Engine) -> None:
    texts = [query for query, *_ in QUERIES]
    different = [text for text in texts if told(judged.search(text)) != told(reference.search(text))]

    assert len(texts) >= 80
    assert different == []


def test_feeds_that_were_never_fetched_are_counted_apart_until_they_are(engine: Engine) -> None:
    seeds = [document(f"seed{number}", "Seed", is_never_fetched=True) for number in range(3)]
    paused = document("paused", "Paused", state=FeedState.PAUSED, is_never_fetched=True)
    ill = document("ill", "Ill", state=FeedState.DEGRADED)
    engine.feed.rebuild([*seeds, paused, ill, document("well", "Well")], now=NOW)
    engine.settle()
    before = engine.index.counts_by_state()
    assert before.by_state == {"healthy": 1, "degraded": 1, "unhealthy": 0, "paused": 1}
    assert before.never_fetched == 3

    failed = document("seed1", "Seed", 2, state=FeedState.DEGRADED)
    engine.feed.send([change(document("seed0", "Seed", 2)), change(failed)], now=NOW)
    engine.settle()
    after = engine.index.counts_by_state()
    assert after.by_state == {"healthy": 2, "degraded": 2, "unhealthy": 0, "paused": 1}
    assert after.never_fetched == 1


@pytest.mark.parametrize("text", ["the", "blog", "a", "news", "site:example.com", "lang:en", "state:healthy", "-x"])
def test_pages_are_parts_of_the_whole_answer(judged: Engine, reference: Engine, text: str) -> None:
    whole = [hit.feed_id for hit in reference.search(text).hits]
    paged: list[str] = []
    after = None
    for _ in range(60):
        page = judged.search(text, limit=3, after=after)
        paged += [hit.feed_id for hit in page.hits]
        if not page.has_more:
            break
        after = page.hits[-1].place

    assert paged == whole


def document(feed_id: str, title: str, version: int = 1, **fields: Any) -> FeedDocument:
    return FeedDocument(
        feed_id=feed_id, version=version, url="https://example.com/feed", domain="example.com", title=title, **fields
    )


A, B, C = ("A" * 26, "B" * 26, "C" * 26)


def test_there_is_no_index_before_the_first_rebuild(engine: Engine) -> None:
    engine.feed.send([change(document(A, "Garden"))], now=NOW)
    engine.settle()

    with pytest.raises(SearchUnavailable):
        engine.search("garden")
    with pytest.raises(SearchUnavailable):
        engine.index.status()


def test_the_higher_version_wins_in_any_order_of_arrival(engine: Engine) -> None:
    engine.feed.rebuild([document(A, "Garden", 1), document(B, "Garden", 5)], now=NOW)
    for sent in ([change(document(A, "Orchard", 3)), DocumentChange(B, 6, None)], [change(document(A, "Tower", 2))]):
        for _ in range(2):
            engine.feed.send(sent, now=NOW)
    engine.feed.send([change(document(B, "Garden", 5))], now=NOW)
    engine.settle()

    assert [engine.found(word) for word in ("garden", "orchard", "tower")] == [[], [A], []]


def test_a_rebuild_replaces_all_documents_and_purges_missing_ones(engine: Engine) -> None:
    engine.feed.rebuild([document(A, "Garden"), document(B, "Garden")], now=NOW)
    assert engine.feed.maintenance(now=NOW + 1) is Maintenance.NOTHING
    asked_at = engine.feed.ask_for_rebuild(now=NOW)
    engine.settle()
    assert engine.index.status().is_rebuild_wanted
    assert engine.feed.maintenance(now=asked_at) is Maintenance.REBUILD
    assert engine.feed.maintenance(now=asked_at) is Maintenance.NOTHING
    assert engine.feed.rebuild([document(C, "Garden")], now=NOW + 10_000) == 1
    engine.settle()

    assert engine.found("garden") == [C]
    status = engine.index.status()
    assert (status.documents, status.is_rebuild_wanted, status.rebuilt_at) == (1, False, NOW + 10_000)


def test_changes_sent_during_a_rebuild_stay(engine: Engine) -> None:
    engine.feed.rebuild([document(A, "Garden")], now=NOW)
    started = NOW + 10_000

    def documents() -> Iterator[FeedDocument]:
        yield document(A, "Garden", 2)
        engine.feed.send([change(document(A, "Orchard", 3)), change(document(B, "Orchard"))], now=started)

    engine.feed.rebuild(documents(), now=started)
    engine.settle()

    assert engine.found("orchard") == [A, B]
    assert engine.found("garden") == []


@pytest.mark.parametrize(
    "text", ["", "(", '"', "*", "title:*", "{}", "\0", "a" * 10_000, "AND OR NOT", "_exists_:title", "\ud800"]
)
def test_no_text_is_a_query_language(engine: Engine, text: str) -> None:
    engine.feed.rebuild([document(A, "Garden")], now=NOW)
    engine.settle()

    assert engine.search(text).hits == ()
