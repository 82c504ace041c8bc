"""Tasks that were begun and never ended: a worker may have died of them."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from feedward.adapters.aws_calls import Backoff
from feedward.adapters.dynamodb.state.begun_tasks import DynamoBegunTasks
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.deadline import Deadline
from feedward.errors import StoreUnavailable, Throttled
from tests.contract.benches.frontier import NOW
from tests.contract.conftest import Bench
from tests.fakes.dynamodb_faults import FOR_EVER
from tests.fakes.feed_store import PATIENT

THREADS = 24


@pytest.fixture
def begun(bench: Bench) -> DynamoBegunTasks:
    return begun_of(bench)


def begun_of(bench: Bench, backoff: Backoff = PATIENT) -> DynamoBegunTasks:
    return DynamoBegunTasks(Tables(bench.faults, bench.contents.names, backoff))  # type: ignore[arg-type]


def test_beginnings_without_an_end_are_counted_with_one_write_each(bench: Bench, begun: DynamoBegunTasks) -> None:
    assert [begun.begin("feed", now=NOW + n) for n in range(3)] == [1, 2, 3]
    assert bench.faults.calls == ["update_item"] * 3


def test_an_end_forgets_the_beginnings(begun: DynamoBegunTasks) -> None:
    begun.begin("feed", now=NOW)
    begun.begin("feed", now=NOW)
    begun.end("feed")
    assert begun.begin("feed", now=NOW) == 1


def test_each_task_is_counted_alone(begun: DynamoBegunTasks) -> None:
    assert [begun.begin(each, now=NOW) for each in ("feed", "row", "feed")] == [1, 1, 2]
    begun.end("row")
    assert begun.begin("feed", now=NOW) == 3


def test_the_end_of_a_task_that_never_began_does_nothing(begun: DynamoBegunTasks) -> None:
    begun.end("feed")
    assert begun.begin("feed", now=NOW) == 1


def test_the_counter_of_a_task_expires_a_day_after_its_last_start(bench: Bench, begun: DynamoBegunTasks) -> None:
    begun.begin("feed", now=NOW)
    begun.begin("feed", now=NOW + 600)
    begun.end("feed")
    [row] = bench.contents.state()
    assert NOW + 600 < row["expires_at"] <= NOW + 600 + 24 * 3600


def test_a_beginning_whose_answer_was_lost_is_never_counted_too_little(bench: Bench, begun: DynamoBegunTasks) -> None:
    bench.faults.lost_answers = 1
    assert begun.begin("feed", now=NOW) >= 1
    bench.faults.lost_answers = 1
    begun.end("feed")
    assert begun.begin("feed", now=NOW) == 1


def test_24_workers_at_once_count_each_beginning(bench: Bench) -> None:
    begun = begun_of(bench, Backoff(attempts=12))
    barrier = threading.Barrier(THREADS)

    def work(_: int) -> int:
        barrier.wait()
        return begun.begin("feed", now=NOW)

    with ThreadPoolExecutor(THREADS) as pool:
        counts = list(pool.map(work, range(THREADS)))
    assert sorted(counts) == list(range(1, THREADS + 1))


def test_a_table_that_stays_busy_says_so(bench: Bench, begun: DynamoBegunTasks) -> None:
    bench.faults.throttles = FOR_EVER
    with pytest.raises(Throttled):
        begun.begin("feed", now=NOW)
    with pytest.raises(Throttled):
        begun.end("feed")
    with pytest.raises(StoreUnavailable):
        begun.within(Deadline.after(0)).begin("feed", now=NOW)
