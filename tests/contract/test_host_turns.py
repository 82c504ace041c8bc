"""Turns at a host: no two requests closer than the pause, over all workers, and none that is too far away (F3)."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from feedward.adapters.calls import Backoff
from feedward.adapters.dynamodb.state.host_turns import DynamoHostTurns
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.deadline import Deadline
from feedward.errors import StoreUnavailable, Throttled
from tests.contract.conftest import Bench
from tests.contract.frontier import NOW
from tests.fakes.dynamodb_faults import FOR_EVER
from tests.fakes.feed_store import PATIENT

HOST = "example.com"
NOW_MS = NOW * 1000
THREADS = 24


@pytest.fixture
def turns(bench: Bench) -> DynamoHostTurns:
    return DynamoHostTurns(Tables(bench.faults, bench.contents.names, PATIENT))  # type: ignore[arg-type]


def test_a_free_host_is_asked_at_once_with_one_write(bench: Bench, turns: DynamoHostTurns) -> None:
    assert turns.take(HOST, now_ms=NOW_MS, pause_ms=1000, wait_ms=0) == 0
    assert bench.faults.calls == ["update_item"]


def test_turns_follow_each_other_at_the_pause(turns: DynamoHostTurns) -> None:
    taken = [turns.take(HOST, now_ms=NOW_MS, pause_ms=1000, wait_ms=10_000) for _ in range(5)]
    assert taken == [0, 1000, 2000, 3000, 4000]


def test_a_host_is_free_again_when_the_pause_is_over_and_not_before(turns: DynamoHostTurns) -> None:
    turns.take(HOST, now_ms=NOW_MS, pause_ms=1000, wait_ms=0)
    assert turns.take(HOST, now_ms=NOW_MS + 999, pause_ms=1000, wait_ms=0) == 1
    assert turns.take(HOST, now_ms=NOW_MS + 1000, pause_ms=1000, wait_ms=0) == 0


def test_a_turn_that_is_too_far_away_is_not_taken(turns: DynamoHostTurns) -> None:
    for _ in range(3):
        turns.take(HOST, now_ms=NOW_MS, pause_ms=1000, wait_ms=60_000)
    refused = [turns.take(HOST, now_ms=NOW_MS, pause_ms=1000, wait_ms=2999) for _ in range(4)]
    assert refused == [3000] * 4, "when to ask again, and nobody's turn moves for it"
    assert turns.take(HOST, now_ms=NOW_MS, pause_ms=1000, wait_ms=3000) == 3000


def test_each_host_has_its_own_turns(turns: DynamoHostTurns) -> None:
    hosts = [HOST, "www.example.com", "x" * 3000, "größe.example"]
    assert [turns.take(host, now_ms=NOW_MS, pause_ms=1000, wait_ms=0) for host in hosts] == [0] * 4


def test_a_longer_pause_holds_for_whoever_comes_after(turns: DynamoHostTurns) -> None:
    assert turns.take(HOST, now_ms=NOW_MS, pause_ms=30_000, wait_ms=0) == 0
    assert turns.take(HOST, now_ms=NOW_MS, pause_ms=1000, wait_ms=60_000) == 30_000
    assert turns.take(HOST, now_ms=NOW_MS, pause_ms=1000, wait_ms=60_000) == 31_000


@pytest.mark.parametrize("pause_ms", [1000, 250])
def test_24_workers_at_once_never_take_two_turns_closer_than_the_pause(bench: Bench, pause_ms: int) -> None:
    turns = DynamoHostTurns(Tables(bench.faults, bench.contents.names, Backoff(attempts=12)))  # type: ignore[arg-type]
    barrier, wait_ms = threading.Barrier(THREADS), 40 * pause_ms

    def work(worker: int) -> list[tuple[int, int]]:
        draw, answers = random.Random(worker), []
        barrier.wait()
        for _ in range(5):
            now_ms = NOW_MS + draw.randrange(3 * pause_ms)  # clocks differ
            answers.append((now_ms, turns.take(HOST, now_ms=now_ms, pause_ms=pause_ms, wait_ms=wait_ms)))
        return answers

    with ThreadPoolExecutor(THREADS) as pool:
        answers = [answer for each in pool.map(work, range(THREADS)) for answer in each]
    taken = sorted(now_ms + in_ms for now_ms, in_ms in answers if in_ms <= wait_ms)
    assert all(later - earlier >= pause_ms for earlier, later in pairwise(taken))
    assert 36 <= len(taken) <= 45
    assert len(taken) < len(answers), "some were told to come again"


def test_a_turn_that_was_taken_unheard_is_left_out(bench: Bench, turns: DynamoHostTurns) -> None:
    bench.faults.lost_answers = 1
    assert turns.take(HOST, now_ms=NOW_MS, pause_ms=1000, wait_ms=5000) == 1000
    assert turns.take(HOST, now_ms=NOW_MS, pause_ms=1000, wait_ms=5000) == 2000


def test_a_busy_table_is_asked_again_and_one_that_stays_busy_says_so(bench: Bench, turns: DynamoHostTurns) -> None:
    bench.faults.throttles = 2
    assert turns.take(HOST, now_ms=NOW_MS, pause_ms=1000, wait_ms=0) == 0
    bench.faults.throttles = FOR_EVER
    with pytest.raises(Throttled):
        turns.take(HOST, now_ms=NOW_MS, pause_ms=1000, wait_ms=0)
    with pytest.raises(StoreUnavailable):
        turns.within(Deadline.after(0)).take(HOST, now_ms=NOW_MS, pause_ms=1000, wait_ms=0)


def test_what_is_kept_of_a_host_expires(bench: Bench, turns: DynamoHostTurns) -> None:
    turns.take(HOST, now_ms=NOW_MS, pause_ms=1000, wait_ms=0)
    [row] = bench.contents.state()
    assert NOW < row["expires_at"] <= NOW + 2 * 3600


# --- rest ---------------------------------------------------------------------------------------------


def test_answers_that_ask_for_rest_at_once_overlap_and_do_not_add_up(bench: Bench, turns: DynamoHostTurns) -> None:
    turns.take(HOST, now_ms=NOW_MS, pause_ms=1000, wait_ms=0)
    bench.faults.calls.clear()
    for until_ms in (NOW_MS + 120_000, NOW_MS + 121_000, NOW_MS + 60_000):
        turns.rest(HOST, until_ms=until_ms)
    assert bench.faults.calls == ["update_item"] * 3
    assert turns.take(HOST, now_ms=NOW_MS, pause_ms=1000, wait_ms=0) == 121_000
    assert turns.take(HOST, now_ms=NOW_MS + 121_000, pause_ms=1000, wait_ms=0) == 0


def test_a_rest_never_brings_a_turn_closer(turns: DynamoHostTurns) -> None:
    turns.take(HOST, now_ms=NOW_MS, pause_ms=30_000, wait_ms=0)
    turns.rest(HOST, until_ms=NOW_MS + 10_000)
    assert turns.take(HOST, now_ms=NOW_MS, pause_ms=1000, wait_ms=0) == 30_000


def test_a_host_that_nobody_asked_yet_can_be_put_to_rest(bench: Bench, turns: DynamoHostTurns) -> None:
    bench.faults.lost_answers = 1
    turns.rest(HOST, until_ms=NOW_MS + 7 * 24 * 3600 * 1000)
    assert turns.take(HOST, now_ms=NOW_MS, pause_ms=1000, wait_ms=0) == 7 * 24 * 3600 * 1000
    [row] = bench.contents.state()
    assert row["expires_at"] > NOW + 7 * 24 * 3600


def test_24_answers_at_once_leave_the_latest_end(bench: Bench) -> None:
    turns = DynamoHostTurns(Tables(bench.faults, bench.contents.names, Backoff(attempts=12)))  # type: ignore[arg-type]
    barrier = threading.Barrier(THREADS)

    def work(worker: int) -> None:
        barrier.wait()
        turns.rest(HOST, until_ms=NOW_MS + worker * 1000)

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(work, range(1, THREADS + 1)))
    assert turns.take(HOST, now_ms=NOW_MS, pause_ms=1000, wait_ms=0) == THREADS * 1000
