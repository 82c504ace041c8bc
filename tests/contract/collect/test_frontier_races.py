"""Concurrent submissions: one row for each key, no hash to nowhere, every row found by its own URL, each counted once
(rule I2).
"""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from feedward.frontier.row import FrontierRow, RowStatus
from tests.contract.benches.feeds import new_feed
from tests.contract.benches.frontier import FrontierBench, dead, fetched, new_row

THREADS = 24
SPELLINGS = ("https://example.com/{}", "http://example.com/{}/", "https://EXAMPLE.com/{}?utm_source=x")

Answer = TypeVar("Answer")


def at_once(jobs: Sequence[Callable[[], Answer]]) -> list[Answer]:
    """Run the jobs on 24 threads that start together, in any order; raise any error of theirs."""
    barrier = threading.Barrier(THREADS)
    queue = random.Random(len(jobs)).sample(list(jobs), len(jobs))

    def work() -> list[Answer]:
        answers = []
        barrier.wait()
        while queue:
            try:
                job = queue.pop()
            except IndexError:
                break
            answers.append(job())
        return answers

    with ThreadPoolExecutor(THREADS) as pool:
        done = [pool.submit(work) for _ in range(THREADS)]
        return [answer for each in done for answer in each.result()]


def test_24_threads_that_submit_the_same_urls_leave_one_row_for_each_key(frontier: FrontierBench) -> None:
    store = frontier.patient()
    jobs = [
        partial(store.submit, new_row(f"{spelling}{n}", spelling.format(n)))
        for n in range(40)
        for spelling in SPELLINGS
        for _ in range(2)
    ]
    answers = at_once(jobs)
    assert len({answer.row.row_id for answer in answers}) == len(frontier.contents.rows()) == 40
    assert len(frontier.contents.claims()) == 40
    assert frontier.contents.faults_of_form() == []


def test_one_url_submitted_by_all_at_once_is_created_by_one_and_waited_for_by_all_runs(frontier: FrontierBench) -> None:
    store = frontier.patient()
    jobs = [
        partial(store.submit, new_row(f"row{n}", SPELLINGS[n % 3].format("one"), runs=frozenset({f"run{n}"})))
        for n in range(THREADS)
    ]
    answers = at_once(jobs)
    assert sum(answer.created for answer in answers) == 1
    [row_id] = frontier.contents.rows()
    assert frontier.row(row_id).runs == {f"run{n}" for n in range(THREADS)}
    assert frontier.row(row_id).rev == THREADS


def test_feeds_and_rows_that_claim_the_same_urls_at_once_all_get_them(frontier: FrontierBench) -> None:
    store, feeds = frontier.patient(), frontier.bench.store
    urls = [SPELLINGS[0].format(n) for n in range(24)]
    jobs: list[Callable[[], object]] = [partial(store.submit, new_row(url, url)) for url in urls]
    jobs += [partial(feeds.register, new_feed(url, url)) for url in urls]
    at_once(jobs)
    registered = frontier.bench.contents.urls().values()
    assert len(registered) == 24
    assert all("row_id" in each and "feed_id" in each for each in registered)
    assert frontier.contents.faults_of_form() == []


def test_concurrent_redirects_to_few_final_urls_give_each_to_one_row_and_are_all_successes(
    frontier: FrontierBench,
) -> None:
    store = frontier.patient()
    rows = [frontier.submit(f"row{n}", SPELLINGS[0].format(n)) for n in range(60)]
    finals = [f"https://final.example.org/{n}" for n in range(6)]

    def move(row: FrontierRow) -> FrontierRow | None:
        return store.update_fetched_with_final_url(row, finals[int(row.row_id, 36) % 6], fetched(row))

    assert set(at_once([partial(move, row) for row in rows])) == {None}
    now = [frontier.row(row.row_id) for row in rows]
    assert {row.status for row in now} == {RowStatus.FETCHED}
    assert {row.rev for row in now} == {2}
    at_final = Counter(row.url for row in now if row.url in finals)
    assert set(at_final.values()) == {1}
    assert set(at_final) == {row.final_url for row in now if row.final_url} | set(at_final)
    assert all((row.final_url in finals) != (row.url in finals) for row in now)
    assert frontier.contents.faults_of_form() == []


def test_moves_across_each_other_while_others_submit_leave_every_row_findable(frontier: FrontierBench) -> None:
    store = frontier.patient()
    urls = [SPELLINGS[0].format(n) for n in range(12)]
    draw = random.Random(7)

    def submit_and_move(n: int, url: str, to: str) -> None:
        row: FrontierRow | None = store.submit(new_row(f"row{n}", url, runs=frozenset({f"run{n}"}))).row
        for _ in range(3):
            if row is None:
                return
            row = store.update_fetched_with_final_url(row, to, fetched(row))

    at_once([partial(submit_and_move, n, *draw.sample(urls, 2)) for n in range(120)])
    assert frontier.contents.faults_of_form() == []


def test_a_failure_that_all_workers_report_at_once_counts_once(frontier: FrontierBench) -> None:
    store = frontier.patient()
    rows = [frontier.submit(f"row{n}", SPELLINGS[0].format(n), runs=frozenset({"run"})) for n in range(8)]
    answers = at_once([partial(store.update_failed, row, dead(row)) for row in rows for _ in range(6)])
    assert set(answers) == {None}
    assert frontier.dead_in("run") == 8
    assert {frontier.row(row.row_id).rev for row in rows} == {2}
