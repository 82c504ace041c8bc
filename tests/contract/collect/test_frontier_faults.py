"""Faults between the frontier and its table: no write is done twice or by half (rules I2, I6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from feedward.adapters.dynamodb.frontier.writes import RUNS_AT_ONCE
from feedward.deadline import Deadline
from feedward.errors import Conflict, StoreUnavailable, Throttled
from feedward.frontier.row import FrontierRow, RowStatus
from tests.contract.benches.frontier import URL, FrontierBench, dead, failed, fetched, new_row
from tests.contract.conftest import Bench, frontier_of
from tests.fakes.dynamodb_faults import FOR_EVER, Died

FINAL = "https://example.org/final"
Write: TypeAlias = Callable[[FrontierBench, FrontierRow], FrontierRow | None]

WRITES: dict[str, Write] = {
    "fetched": lambda bench, row: bench.store.update_fetched(row, fetched(row)),
    "moved": lambda bench, row: bench.store.update_fetched_with_final_url(row, FINAL, fetched(row)),
    "failed": lambda bench, row: bench.store.update_failed(row, failed(row)),
    "dead": lambda bench, row: bench.store.update_failed(row, dead(row)),
}
writes = pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)


@writes
def test_a_write_whose_answer_was_lost_is_written(frontier: FrontierBench, write: Write) -> None:
    row = frontier.submit(runs=frozenset({"run"}))
    frontier.faults.lost_answers = 1
    assert write(frontier, row) is None
    assert frontier.row(row.row_id).rev == 2
    assert frontier.dead_in("run") == (write is WRITES["dead"])
    assert frontier.contents.faults_of_form() == []


@writes
def test_a_write_that_is_delivered_again_is_made_once(frontier: FrontierBench, write: Write) -> None:
    row = frontier.submit(runs=frozenset({"run"}))
    assert [write(frontier, row) for _ in range(3)] == [None] * 3
    assert frontier.row(row.row_id).rev == 2
    assert frontier.dead_in("run") == (write is WRITES["dead"])


def test_a_move_that_fell_back_unheard_falls_back_once(frontier: FrontierBench) -> None:
    frontier.submit("taken", FINAL)
    row = frontier.submit()
    frontier.faults.lost_answers = 1
    assert WRITES["moved"](frontier, row) is None
    assert (frontier.row(row.row_id).rev, frontier.row(row.row_id).url) == (2, URL)


def test_a_submission_whose_answer_was_lost_made_the_row(frontier: FrontierBench) -> None:
    frontier.faults.lost_answers = 1
    assert frontier.store.submit(new_row()).created
    assert frontier.row(new_row().row_id) == new_row()


def test_a_repeated_submission_changes_nothing_even_after_a_fetch(frontier: FrontierBench) -> None:
    row = frontier.submit(runs=frozenset({"run"}))
    assert frontier.store.submit(row).row == row
    frontier.store.update_fetched(row, fetched(row))
    before = frontier.row(row.row_id)
    assert frontier.store.submit(row).row.row_id == row.row_id
    assert frontier.row(row.row_id) == before


def test_a_run_that_joined_unheard_joined_once(frontier: FrontierBench) -> None:
    frontier.submit(runs=frozenset({"a"}))
    frontier.faults.lost_answers = 1
    again = frontier.again("other", runs=frozenset({"b"}))
    assert (again.row.runs, again.row.rev, again.created) == (frozenset("ab"), 2, False)


@writes
def test_a_busy_table_is_asked_again(frontier: FrontierBench, write: Write) -> None:
    row = frontier.submit(runs=frozenset({"run"}))
    frontier.faults.throttles, frontier.faults.conflicts = 3, 2
    assert write(frontier, row) is None
    assert frontier.row(row.row_id).rev == 2


@writes
def test_a_table_that_stays_busy_is_throttled_and_nothing_is_written(frontier: FrontierBench, write: Write) -> None:
    row = frontier.submit(runs=frozenset({"run"}))
    frontier.faults.throttles = FOR_EVER
    with pytest.raises(Throttled):
        write(frontier, row)
    frontier.faults.throttles = 0
    assert frontier.row(row.row_id) == row


def test_conflicts_without_end_are_a_conflict(frontier: FrontierBench) -> None:
    row = frontier.submit()
    frontier.faults.conflicts = FOR_EVER
    with pytest.raises(Conflict):
        WRITES["moved"](frontier, row)
    with pytest.raises(Conflict):
        frontier.store.submit(new_row("new", f"{URL}/new"))


def test_without_time_nothing_is_asked(frontier: FrontierBench) -> None:
    row = frontier.submit()
    for ask in (
        lambda within: frontier.store.within(Deadline.after(within)).submit(new_row("new", f"{URL}/new")),
        lambda within: frontier.store.within(Deadline.after(within)).find([URL]),
        lambda within: frontier.store.within(Deadline.after(within)).row(row.row_id),
        lambda within: list(frontier.store.within(Deadline.after(within)).listed(last_error="timeout")),
    ):
        with pytest.raises(StoreUnavailable):
            ask(0.0)
    assert frontier.contents.rows().keys() == {row.row_id}


def test_unread_keys_of_a_batch_are_asked_for_again(frontier: FrontierBench) -> None:
    rows = {f"{URL}/{n}": frontier.submit(str(n), f"{URL}/{n}").row_id for n in range(5)}
    frontier.faults.unprocessed = 3
    assert frontier.store.find(list(rows)) == rows


@pytest.mark.parametrize("tokens_are_forgotten", [False, True])
def test_a_worker_that_is_killed_while_many_runs_end_leaves_a_row_that_ends_for_the_rest(
    fake_bench: Bench, tokens_are_forgotten: bool
) -> None:
    frontier = frontier_of(fake_bench)
    runs = frozenset(f"run{n:03d}" for n in range(200))
    row = frontier.submit(runs=runs)
    frontier.faults.dies_before = 2
    with pytest.raises(Died):
        frontier.store.update_failed(row, dead(row))
    frontier.faults.dies_before = None
    assert frontier.contents.faults_of_form() == []
    assert frontier.contents.due() == {row.row_id}
    if tokens_are_forgotten:  # as they are after 10 minutes
        fake_bench.faults._client._done.clear()
    left = frontier.store.update_failed(row, dead(row))
    assert (left is not None) == tokens_are_forgotten
    if left is not None:
        assert (left.status, len(left.runs)) == (RowStatus.PENDING, len(runs) - 2 * RUNS_AT_ONCE)
        assert frontier.store.update_failed(left, dead(left)) is None
    assert frontier.row(row.row_id).status is RowStatus.DEAD
    assert frontier.dead_by_run() == dict.fromkeys(runs, 1)
