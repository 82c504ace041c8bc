"""Concurrent registrations: one feed per URL, no alias to nowhere, no cycle, in any order (rules I1, I3)."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from feedward.adapters.aws_calls import Backoff
from feedward.adapters.dynamodb.feeds.feed_store import DynamoFeedStore
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.registration import NewFeed, Registration
from tests.contract.benches.feeds import NOW, feed_id, new_feed
from tests.contract.conftest import Bench

THREADS = 32
FEEDS = 20
PATHS = ("feed", "rss.xml", "index.xml", "atom", "feed/main")
BEFORE = ("https://", "http://", "https://www.")


def at_once(jobs: Sequence[Callable[[], Registration]]) -> list[Registration]:
    """Run the jobs on 32 threads that start together; raise any error of theirs."""
    barrier = threading.Barrier(THREADS)
    queue = list(enumerate(jobs))
    results: dict[int, Registration] = {}

    def work() -> None:
        barrier.wait()
        while queue:
            try:
                index, job = queue.pop()
            except IndexError:
                return
            results[index] = job()

    with ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(work) for _ in range(THREADS)]:
            done.result()
    return [results[index] for index in range(len(jobs))]


def registering(bench: Bench, news: Sequence[NewFeed]) -> list[Callable[[], Registration]]:
    """Return a job for each feed, in an order that is no feed's own."""
    shuffled = random.Random(len(news)).sample(news, len(news))
    return [lambda new=new: patient(bench).register(new) for new in shuffled]  # type: ignore[misc]


def patient(bench: Bench) -> DynamoFeedStore:
    """The bench's store, with real waits: spinning threads would keep each other from continuing."""
    return DynamoFeedStore(Tables(bench.faults, bench.contents.names, Backoff(attempts=10)))  # type: ignore[arg-type]


def spellings(feed: int) -> list[NewFeed]:
    """Registrations of one feed, each by two of its URLs; they form one feed only when all are done."""
    host = f"site{feed}.example.com"
    urls = [f"{before}{host}/{path}" for path in PATHS for before in BEFORE]
    pairs = zip(urls, urls[1:] + urls[:1], strict=True)
    return [new_feed(f"{feed}-{n}", url, alias, now=NOW + n % 3) for n, (url, alias) in enumerate(pairs)]


def feeds_behind(bench: Bench, news: Sequence[NewFeed]) -> set[str]:
    """The feed_ids that the URLs of these registrations find."""
    urls = {url for new in news for url in (new.url, *new.aliases)}
    found = [bench.store.find([url]) for url in urls]
    assert all(found)
    return {str(known.data["feed_id"]) for known in found if known}


def settle(bench: Bench) -> None:
    """Do the work of the sweep: process every pending entry once the index has caught up."""
    for merge in bench.contents.pending("repoint"):
        assert bench.store.repoint(merge["feed_id"], now=NOW + 1000)


def test_32_threads_registering_spellings_of_20_feeds_leave_20_feeds(bench: Bench) -> None:
    by_feed = [spellings(feed) for feed in range(FEEDS)]
    registrations = at_once(registering(bench, [new for news in by_feed for new in news]))
    assert len(registrations) == FEEDS * len(PATHS) * len(BEFORE)
    assert len(bench.contents.feeds()) > FEEDS, "no merge was called for: the race is too tame"
    assert bench.contents.faults_of_form() == []
    assert len(bench.contents.live()) == FEEDS
    for news in by_feed:
        assert len(feeds_behind(bench, news)) == 1
    settle(bench)
    assert {row["feed_id"] for row in bench.contents.urls().values()} == set(bench.contents.live())
    assert bench.contents.pending("repoint") == []


def test_one_url_registered_by_all_at_once_is_created_by_one(bench: Bench) -> None:
    news = [new_feed(f"n{n}", f"{BEFORE[n % 2]}example.com/feed") for n in range(THREADS)]
    registrations = at_once(registering(bench, news))
    assert sum(registration.created for registration in registrations) == 1
    assert len({registration.feed_id for registration in registrations}) == 1
    assert len(bench.contents.feeds()) == 1


def test_bridges_between_all_feeds_at_once_leave_one(bench: Bench) -> None:
    urls = [f"https://example.com/{n}" for n in range(12)]
    for n, url in enumerate(urls):
        bench.store.register(new_feed(f"old{n}", url, now=NOW + n))
    pairs = [*pairwise(urls), *pairwise(reversed(urls))]
    bridges = [new_feed(f"bridge{n}", *pair, now=NOW + 100) for n, pair in enumerate(pairs)]
    at_once(registering(bench, bridges))
    assert bench.contents.faults_of_form() == []
    assert set(bench.contents.live()) == {feed_id("old0", NOW)}
    assert feeds_behind(bench, bridges) == {feed_id("old0", NOW)}


@pytest.mark.parametrize("rounds", range(3))
def test_one_registration_sent_by_all_at_once_is_one(bench: Bench, rounds: int) -> None:
    new = new_feed(f"n{rounds}", "https://example.com/feed", "https://example.com/rss")
    registrations = at_once(registering(bench, [new] * THREADS))
    assert set(registrations) == {Registration(feed_id=new.feed_id, url=new.url, created=True)}
    assert bench.contents.feeds()[new.feed_id]["rev"] == 1


def test_races_amid_conflicts_and_throttling_end_the_same(fake_bench: Bench) -> None:
    fake_bench.faults.conflicts = 40
    fake_bench.faults.throttles = 40
    by_feed = [spellings(feed) for feed in range(5)]
    at_once(registering(fake_bench, [new for news in by_feed for new in news]))
    assert fake_bench.contents.faults_of_form() == []
    assert len(fake_bench.contents.live()) == 5
