"""Concurrent collectors: one chain for each URI and content, each page once, each counter right
(rules L2, I5, I6).
"""

from __future__ import annotations

import contextlib
import random
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from feedward.adapters.aws_calls import Backoff
from feedward.adapters.dynamodb.lineage.lineage_store import DynamoLineageStore
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.errors import Conflict, StoreUnavailable, Throttled
from feedward.lineage.item import Result
from feedward.services.collect.collect_page import add_item, addition_of
from tests.contract.benches.lineage import NOW, V1, V2, LineageBench, new_item, new_run, run_id
from tests.fakes.dynamodb_faults import Died
from tests.fakes.feed_store import PATIENT
from tests.fakes.interleaving import run_interleaved
from tests.fakes.lifespan import Lifespan, Mortal
from tests.fakes.lineage import FakeLineageStore

THREADS = 24
RUNS = ("a", "b", "c")
# A page is read, then written: a collector without a conflict makes two calls.
CALLS = 2


@dataclass(frozen=True)
class Page:
    """A page of a run: its name, its landing URL, its text."""

    run: str
    page: str
    uri: str
    content: str


def pages(number: int, *, uris: int, contents: int) -> list[Page]:
    draw = random.Random(number)
    return [
        Page(RUNS[n % len(RUNS)], f"row{n}", f"final{draw.randrange(uris)}", f"text {draw.randrange(contents)}")
        for n in range(number)
    ]


def patient(lineage: LineageBench, client: Any) -> DynamoLineageStore:
    """The store of another process, with real waits: spinning threads would keep each other from continuing."""
    return DynamoLineageStore(Tables(client, lineage.contents.names, Backoff(attempts=12)))


def deliver(lineage: LineageBench, page: Page, *, now: int, client: Any = None) -> None:
    """One delivery of a page, by a process that may be killed."""
    item = new_item(page.page, page.uri, page.content, run=new_run(page.run), now=now)
    with contextlib.suppress(Died):
        add_item(item, page.page, lineage=patient(lineage, client or lineage.faults))


def at_once(jobs: Sequence[Callable[[], None]]) -> None:
    """Run the jobs on 24 threads that start together; raise any error of theirs."""
    barrier, left = threading.Barrier(THREADS), list(jobs)

    def work() -> None:
        barrier.wait()
        while left:
            try:
                job = left.pop()
            except IndexError:
                return
            job()

    with ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(work) for _ in range(THREADS)]:
            done.result()


def deliveries(lineage: LineageBench, found: Sequence[Page], draw: random.Random) -> list[Callable[[], None]]:
    """Each page twice, at different times; a third of the first deliveries is killed at one of its calls."""
    jobs: list[Callable[[], None]] = []
    for page in [*found, *found]:
        client = lineage.faults
        if draw.random() < 1 / 3:
            lifespan = Lifespan()
            lifespan.end_at(draw.randrange(CALLS + 2), makes_last=draw.random() < 0.5)
            client = Mortal(client, lifespan)
        now = NOW + draw.randrange(5)
        jobs.append(lambda page=page, now=now, client=client: deliver(lineage, page, now=now, client=client))  # type: ignore[misc]
    draw.shuffle(jobs)
    return jobs


def check(lineage: LineageBench, found: Sequence[Page]) -> None:
    """The rules hold, each page was added once, and the counters match the work."""
    contents = lineage.contents
    assert contents.faults_of_lineage() == []
    markers = {(row["pk"], row["sk"]) for row in contents.rows("RUN#", "URL#")}
    assert markers == {(f"RUN#{run_id(page.run)}", f"URL#{page.page}") for page in found}
    for name in {page.run for page in found}:
        counters = contents.counters(run_id(name))
        assert counters == contents.done(run_id(name))
        assert counters.ended == sum(page.run == name for page in found)


def test_24_threads_collecting_300_pages_of_40_uris_leave_one_chain_each(lineage: LineageBench) -> None:
    found = pages(300, uris=40, contents=25)
    at_once(deliveries(lineage, found, random.Random(1)))
    at_once([lambda page=page: deliver(lineage, page, now=NOW + 9) for page in found])  # type: ignore[misc]

    check(lineage, found)
    conflicts = sum(edge["metadata"]["conflict_resolved"] for edge in lineage.contents.edges().values())
    assert conflicts, "no page had two matches: the race is too tame"
    assert lineage.contents.duplicate_fetches(), "no page was met again: the race is too tame"


def test_one_uri_collected_by_all_at_once_is_one_chain(lineage: LineageBench) -> None:
    found = [Page("a", f"row{n}", "final", f"text {n}") for n in range(THREADS)]
    at_once([lambda page=page: deliver(lineage, page, now=NOW) for page in found])  # type: ignore[misc]

    check(lineage, found)
    assert len(lineage.contents.items()) == THREADS
    assert len(lineage.contents.edges()) == THREADS - 1


def test_one_page_delivered_to_all_at_once_is_added_once(lineage: LineageBench) -> None:
    page = Page("a", "row", "final", "text")
    at_once([lambda now=NOW + n % 3: deliver(lineage, page, now=now) for n in range(THREADS)])  # type: ignore[misc]

    check(lineage, [page])
    assert len(lineage.contents.items()) == 1


def test_two_versions_at_once_are_not_in_each_others_way(lineage: LineageBench) -> None:
    def deliver_to(version: str, n: int) -> None:
        run = new_run(version, version=version)
        item = new_item(f"row{n}", f"final{n % 4}", f"text {n % 3}", run=run)
        add_item(item, f"row{n}", lineage=patient(lineage, lineage.faults))

    at_once([lambda v=v, n=n: deliver_to(v, n) for n in range(40) for v in (V1, V2)])  # type: ignore[misc]

    assert lineage.contents.faults_of_lineage() == []
    assert all(lineage.contents.counters(run_id(version)).ended == 40 for version in (V1, V2))


def test_a_race_amid_conflicts_throttling_and_lost_answers_ends_the_same() -> None:
    store = FakeLineageStore()
    lineage, faults = LineageBench(store, store.faults, store.contents), store.faults
    faults.conflicts = faults.throttles = faults.lost_answers = faults.unprocessed = 40
    found = pages(90, uris=12, contents=9)
    given_up = (Conflict, StoreUnavailable, Throttled)  # a message that comes again
    at_once([_but_for(given_up, job) for job in deliveries(lineage, found, random.Random(2))])
    assert (faults.conflicts, faults.throttles, faults.lost_answers, faults.unprocessed) == (0, 0, 0, 0)
    at_once([lambda page=page: deliver(lineage, page, now=NOW + 9) for page in found])  # type: ignore[misc]

    check(lineage, found)


def _but_for(errors: tuple[type[Exception], ...], job: Callable[[], None]) -> Callable[[], None]:
    def run() -> None:
        with contextlib.suppress(*errors):
            job()

    return run


@pytest.mark.parametrize("makes_last", [False, True])
@pytest.mark.parametrize("call", range(CALLS))
@pytest.mark.parametrize("met", ["nothing", "uri", "content", "both", "same"])
def test_a_collector_killed_at_any_call_leaves_nothing_undone(
    lineage: LineageBench, met: str, call: int, makes_last: bool
) -> None:
    before = {
        "nothing": [],
        "uri": [Page("b", "old", "final", "other")],
        "content": [Page("b", "old", "other", "text")],
        "both": [Page("b", "old", "final", "other"), Page("b", "old2", "other", "text")],
        "same": [Page("b", "old", "final", "text")],
    }[met]
    for page in before:
        deliver(lineage, page, now=NOW)
    lifespan = Lifespan()
    lifespan.end_at(call, makes_last=makes_last)
    page = Page("a", "row", "final", "text")
    deliver(lineage, page, now=NOW + 1, client=Mortal(lineage.faults, lifespan))
    assert len(lifespan.calls) == call + 1, "no worker was killed"
    deliver(lineage, page, now=NOW + 2)

    check(lineage, [*before, page])


@settings(max_examples=60)
@given(
    schedule=st.lists(st.integers(0, 2), max_size=20),
    found=st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=3, max_size=3),
    same_page=st.booleans(),
)
def test_in_any_order_there_is_one_chain(schedule: list[int], found: list[tuple[int, int]], same_page: bool) -> None:
    store = FakeLineageStore()
    lineage = LineageBench(store, store.faults, store.contents)
    added = [
        Page("a", f"row{0 if same_page else n}", f"final{uri}", f"text {text}") for n, (uri, text) in enumerate(found)
    ]

    def job(page: Page) -> Callable[[Any], object]:
        item = new_item(page.page, page.uri, page.content, run=new_run("a"))
        return lambda client: add_item(
            item, page.page, lineage=DynamoLineageStore(Tables(client, store.contents.names, PATIENT))
        )

    run_interleaved(store.faults, [job(page) for page in added], schedule)
    check(lineage, added[:1] if same_page else added)


def test_a_decision_on_heads_that_moved_is_not_written(lineage: LineageBench) -> None:
    item = new_item("p1", "final", "text", run=new_run("a"))
    addition = addition_of(item, "p1", lineage.store.heads(item, "p1"))
    lineage.collect("p2", "final", "other", run="b")

    assert lineage.store.add(addition) is None
    assert "p1" not in str(lineage.contents.rows("RUN#", "URL#"))


def test_a_repeated_addition_returns_the_first_result(lineage: LineageBench) -> None:
    item = new_item("p1", "final", "text", run=new_run("a"))
    addition = addition_of(item, "p1", lineage.store.heads(item, "p1"))
    first, second = lineage.store.add(addition), lineage.store.add(addition)

    assert first is not None
    assert second is not None
    assert (first.result, first.item_id, first.repeated) == (Result.ITEM, item.item_id, False)
    assert (second.result, second.item_id, second.repeated) == (Result.ITEM, item.item_id, True)
    assert lineage.contents.counters(run_id("a")).items == 1


def test_an_answer_that_was_lost_is_no_repetition(lineage: LineageBench) -> None:
    lineage.faults.lost_answers = 1

    assert lineage.collect("p1", "final", "text").repeated is False
