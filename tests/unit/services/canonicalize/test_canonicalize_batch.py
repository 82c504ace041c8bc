"""Many URLs side by side: in order, each with its own end, and nothing after the call."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any, Self

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.adapters.clock import SystemClock
from feedward.adapters.dynamodb.feeds.feed_store import DynamoFeedStore
from feedward.adapters.dynamodb.store.client import dynamodb_client
from feedward.adapters.dynamodb.store.keys import TableNames
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.canonical.options import CanonicalizeOptions
from feedward.canonical.result import CanonicalResult
from feedward.deadline import ATTEMPT_S, Deadline
from feedward.errors import DeadlinePassed, InvalidInput, MemoryBusy, StoreUnavailable
from feedward.model import FetchResult
from feedward.ports import FeedStore
from feedward.registration import NewFeed, Registration
from feedward.services.canonicalize.canonicalize_urls import (
    BATCH_S,
    STORE_GRACE_S,
    URL_S,
    WORTH_STARTING_S,
    canonicalize_batch,
    canonicalize_urls,
)
from feedward.services.work.memory_budget import MemoryBudget
from tests.fakes.feed_store import FakeFeedStore
from tests.fakes.fetcher import FakeFetcher
from tests.fakes.uncharged import Uncharged


class HandClock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def now(self) -> int:
        return int(self.seconds)

    def now_ms(self) -> int:
        return int(self.seconds * 1000)

    def monotonic(self) -> float:
        return self.seconds


def batch_deadline(clock: HandClock | None = None, seconds: float = BATCH_S) -> Deadline:
    return Deadline.after(seconds, (clock or HandClock()).monotonic)


URLS = [f"https://example.com/{n}" for n in range(50)]


def test_results_are_in_the_order_of_the_urls() -> None:
    def run(url: str, _: Deadline) -> str:
        time.sleep(0.002 * (50 - int(url.rpartition("/")[2])) / 50)
        return url.upper()

    assert canonicalize_batch(URLS, run, deadline=batch_deadline()) == [url.upper() for url in URLS]


def test_a_url_has_four_seconds_and_never_more_than_the_batch_has_left() -> None:
    clock = HandClock()
    given: list[float] = []

    def run(_: str, deadline: Deadline) -> None:
        given.append(deadline.left_s())
        clock.seconds += 8

    canonicalize_batch(URLS[:3], run, deadline=batch_deadline(clock), threads=1)

    assert given == [4.0, 4.0, 4.0]
    given.clear()
    canonicalize_batch(URLS[:3], run, deadline=batch_deadline(clock, 10), threads=1)
    assert given == [4.0, 2.0]


def test_urls_not_started_in_time_get_a_deadline_and_the_rest_keep_their_results() -> None:
    clock = HandClock()

    def run(url: str, _: Deadline) -> str:
        clock.seconds += 4
        return url

    outcomes = canonicalize_batch(URLS[:8], run, deadline=batch_deadline(clock), threads=1)

    assert outcomes[:5] == URLS[:5]
    assert [type(outcome) for outcome in outcomes[5:]] == [DeadlinePassed] * 3


@pytest.mark.parametrize(("left", "starts"), [(WORTH_STARTING_S, True), (WORTH_STARTING_S - 0.01, False), (-3, False)])
def test_a_url_is_not_started_with_no_time_to_get_an_answer(left: float, starts: bool) -> None:
    (outcome,) = canonicalize_batch(URLS[:1], lambda url, _: url, deadline=batch_deadline(seconds=left))

    assert isinstance(outcome, str) is starts


def test_a_url_that_fails_fails_alone() -> None:
    def run(url: str, _: Deadline) -> str:
        if url.endswith(("3", "7")):
            raise InvalidInput("url", url)
        if url.endswith("9"):
            raise ZeroDivisionError
        return url

    outcomes = canonicalize_batch(URLS[:10], run, deadline=batch_deadline())

    kinds = [type(outcome).__name__ for outcome in outcomes]
    assert kinds == ["str"] * 3 + ["InvalidInput"] + ["str"] * 3 + ["InvalidInput", "str", "ZeroDivisionError"]


def test_a_url_that_comes_again_is_run_once() -> None:
    ran: list[str] = []

    def run(url: str, _: Deadline) -> int:
        ran.append(url)
        return len(url)

    outcomes = canonicalize_batch(
        ["https://a.example/", "https://bb.example/", "https://a.example/"], run, deadline=batch_deadline()
    )

    assert outcomes == [18, 19, 18]
    assert sorted(ran) == ["https://a.example/", "https://bb.example/"]


def test_no_urls_are_no_results() -> None:
    assert canonicalize_batch([], lambda url, _: url, deadline=batch_deadline()) == []


def test_no_more_than_25_run_at_once_and_none_after_the_call() -> None:
    before = threading.active_count()
    lock = threading.Lock()
    all_here = threading.Barrier(25)
    now = most = 0

    def run(_: str, _deadline: Deadline) -> None:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        all_here.wait(timeout=10)
        with lock:
            now -= 1

    canonicalize_batch(URLS, run, deadline=batch_deadline())

    assert (now, most) == (0, 25)
    assert threading.active_count() <= before


# --- with a store ---------------------------------------------------------------------------------

FEED = "<rss version='2.0'><channel><title>Blog</title><item><guid>1</guid></item></channel></rss>"
NETWORK = {url: {"body": FEED} for url in ("https://example.com/feed", "https://example.com/rss")}
TWICE = ["https://example.com/feed", "https://example.com/rss", "https://example.com/feed"]


def canonicalize_all(
    store: FeedStore,
    urls: list[str],
    seconds: float = BATCH_S,
    network: Mapping[str, Any] = NETWORK,
    memory: MemoryBudget | None = None,
) -> list[CanonicalResult | Exception]:
    return canonicalize_urls(
        SELF_HOSTED,
        urls,
        fetcher=FakeFetcher(network),
        memory=memory,
        store=store,
        clock=SystemClock(),
        options=CanonicalizeOptions(),
        register=True,
        charges=Uncharged(),
        deadline=Deadline.after(seconds),
    )


def test_a_url_that_comes_again_is_created_once() -> None:
    outcomes = canonicalize_all(FakeFeedStore(), TWICE)

    results = [outcome for outcome in outcomes if isinstance(outcome, CanonicalResult)]
    assert [result.created for result in results] == [True, True, False]
    assert results[0].feed_id == results[2].feed_id != results[1].feed_id


def test_a_large_feed_that_finds_no_memory_is_refused_and_the_others_are_found() -> None:
    memory = MemoryBudget(leases=1, wait_s=0.0)
    memory.leases.take(1, 0.0)
    large = {TWICE[0]: {"body": FEED + " " * (2 << 20)}}

    busy, small = canonicalize_all(FakeFeedStore(), TWICE[:2], network=NETWORK | large, memory=memory)

    assert isinstance(busy, MemoryBusy)
    assert isinstance(small, CanonicalResult)
    assert small.created


def test_a_batch_keeps_no_document_of_its_results() -> None:
    outcomes = canonicalize_all(FakeFeedStore(), TWICE, memory=MemoryBudget())

    results = [outcome for outcome in outcomes if isinstance(outcome, CanonicalResult)]
    assert [(result.document, result.proof, result.created) for result in results[:2]] == [(None, None, True)] * 2


def test_the_store_is_asked_within_the_time_of_the_url_and_a_little_more() -> None:
    given: list[float] = []

    class Recorder(FakeFeedStore):
        def within(self, deadline: Deadline) -> Self:
            given.append(deadline.left_s())
            return super().within(deadline)

    (result,) = canonicalize_all(Recorder(), TWICE[:1])

    assert isinstance(result, CanonicalResult)
    assert result.created
    assert given
    assert all(seconds and URL_S - 1 < seconds <= URL_S + STORE_GRACE_S for seconds in given)


def test_a_known_feed_gets_further_urls_within_that_time_too() -> None:
    given: list[float] = []

    class Recorder(FakeFeedStore):
        def attach(self, feed_id: str, urls: Sequence[str], *, scope: str = "") -> None:
            given.append(self.tables.deadline.left_s())
            super().attach(feed_id, urls, scope=scope)

    store = Recorder()
    canonicalize_all(store, TWICE[:1])
    (again,) = canonicalize_all(store, TWICE[:1])

    assert isinstance(again, CanonicalResult)
    assert not again.created
    (seconds,) = given
    assert seconds
    assert URL_S - 1 < seconds <= URL_S + STORE_GRACE_S


def test_a_feed_that_took_all_its_time_to_prove_is_stored_all_the_same() -> None:
    clock = HandClock()

    class Slow(FakeFetcher):
        def fetch(self, url: str, **options: Any) -> FetchResult:
            clock.seconds += URL_S
            return super().fetch(url, **options)

    left: list[float] = []

    class Recorder(FakeFeedStore):
        def register(self, feed: NewFeed) -> Registration:
            left.append(self.tables.deadline.left_s())
            return super().register(feed)

    (result,) = canonicalize_urls(
        SELF_HOSTED,
        TWICE[:1],
        fetcher=Slow(NETWORK),
        store=Recorder(),
        clock=clock,
        options=CanonicalizeOptions(),
        register=True,
        charges=Uncharged(),
        deadline=batch_deadline(clock),
    )

    assert isinstance(result, CanonicalResult)
    assert result.created
    assert left == [STORE_GRACE_S]


def test_a_batch_ends_in_the_functions_time_though_the_store_never_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    with socket.create_server(("127.0.0.1", 0), backlog=64) as silent:
        client = dynamodb_client(endpoint_url=f"http://127.0.0.1:{silent.getsockname()[1]}")
        store = DynamoFeedStore(Tables(client, TableNames(urls="urls", feeds="feeds", state="state")))
        began = time.monotonic()
        outcomes = canonicalize_all(store, TWICE, seconds=0.5)
        took = time.monotonic() - began
        client.close()

    assert [type(outcome) for outcome in outcomes] == [StoreUnavailable] * 3
    assert took < 0.5 + STORE_GRACE_S + ATTEMPT_S + 30  # of a busy machine
