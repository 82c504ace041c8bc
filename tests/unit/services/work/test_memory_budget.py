"""The memory of a worker: few large bodies at one time, and so many bytes in parsers; no task waits for ever."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from feedward.errors import MemoryBusy
from feedward.services.work.memory_budget import LEASES, MIB, MemoryBudget


def test_a_task_holds_its_lease_until_it_ends() -> None:
    budget = MemoryBudget(leases=1, wait_s=0.0)
    with budget.room() as one, budget.room() as other:
        assert one.reserve() >= 0.0
        with pytest.raises(MemoryBusy):
            other.reserve()
    with budget.room() as later:
        later.reserve()


def test_a_second_large_body_of_a_task_uses_the_lease_that_it_has() -> None:
    with MemoryBudget(leases=1, wait_s=0.0).room() as room:
        room.reserve()
        assert room.reserve() == 0.0


def test_a_lease_comes_back_from_a_task_that_failed() -> None:
    budget = MemoryBudget(leases=1, wait_s=0.0)

    def fail() -> None:
        with budget.room() as room:
            room.reserve()
            raise ValueError("broken")

    with pytest.raises(ValueError, match="broken"):
        fail()
    with budget.room() as room:
        room.reserve()


def test_a_task_that_waits_for_a_lease_gets_it_with_the_time_it_waited() -> None:
    times = iter([10.0, 13.5])
    budget = MemoryBudget(leases=1, wait_s=60.0, monotonic=lambda: next(times, 13.5))
    waiting = threading.Event()

    def second() -> float:
        with budget.room() as room:
            waiting.set()
            return room.reserve()

    with ThreadPoolExecutor(1) as pool, budget.room():
        budget.leases.take(1, 0.0)
        waited = pool.submit(second)
        waiting.wait()
        budget.leases.give_back(1)
        assert waited.result() == 3.5


def test_one_document_as_large_as_any_is_parsed_alone_and_small_ones_side_by_side() -> None:
    budget = MemoryBudget(parsing_bytes=10 * MIB, wait_s=0.0)
    with budget.parsing(6 * MIB), budget.parsing(4 * MIB), pytest.raises(MemoryBusy), budget.parsing(1):
        pass
    with budget.parsing(50 * MIB), pytest.raises(MemoryBusy), budget.parsing(1):
        pass
    with budget.parsing(0):
        pass


def test_a_large_document_is_not_overtaken_for_ever_by_small_ones() -> None:
    """Leases are given in the order of the requests."""
    budget = MemoryBudget(parsing_bytes=10, wait_s=60.0)
    order: list[str] = []
    queued = threading.Barrier(2)

    def large() -> None:
        with budget.parsing(10):
            order.append("large")

    def small() -> None:
        queued.wait()
        with budget.parsing(1):
            order.append("small")

    with ThreadPoolExecutor(2) as pool:
        with budget.parsing(9):
            first = pool.submit(large)
            while not budget.parsers.waiting:
                pass
            second = pool.submit(small)
            queued.wait()
        first.result()
        second.result()
    assert order == ["large", "small"]


def test_many_tasks_that_need_both_all_end_and_never_hold_more_than_there_is() -> None:
    budget = MemoryBudget(parsing_bytes=20, wait_s=600.0)
    lock, held, most = threading.Lock(), [0, 0], [0, 0]

    def count(what: int, by: int) -> None:
        with lock:
            held[what] += by
            most[what] = max(most[what], held[what])

    def task(size: int) -> None:
        with budget.room() as room:
            room.reserve()
            count(0, 1)
            for _ in range(2):
                with budget.parsing(size):
                    count(1, min(size, 20))
                    count(1, -min(size, 20))
            count(0, -1)

    with ThreadPoolExecutor(50) as pool:
        list(pool.map(task, [number % 25 for number in range(400)]))
    assert most[0] <= LEASES
    assert most[1] <= 20
