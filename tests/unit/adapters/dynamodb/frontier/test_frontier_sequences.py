"""The frontier in any order of its operations, interleaved in any way, with any fault between them (rules I2, I6)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, TypeAlias

from hypothesis import given, settings
from hypothesis import strategies as st

from feedward.adapters.dynamodb.frontier.frontier_store import DynamoFrontierStore
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.frontier.row import FailedParams, FetchedParams, FrontierRow, RowStatus, address_of
from feedward.ulid import derived_ulid
from tests.fakes.dynamodb_faults import Died
from tests.fakes.feed_store import PATIENT
from tests.fakes.frontier import FakeFrontierStore
from tests.fakes.interleaving import run_interleaved

NOW = 1_800_000_000
HOSTS = ("a.example.com", "b.example.org", "c.example.net")
URLS = [f"https://{host}/{path}" for host in HOSTS for path in ("", "page")]
SPELLED = [*URLS, *(url.replace("https:", "http:") + "?utm_source=x" for url in URLS)]
RUNS = ("r1", "r2", "r3")

Step: TypeAlias = tuple[str, int, str, str]
steps = st.tuples(
    st.sampled_from(["submit", "move", "fetch", "fail", "die"]),
    st.integers(0, 20),
    st.sampled_from(SPELLED),
    st.sampled_from(RUNS),
)
turns = st.tuples(st.integers(0, 2), st.integers(1, 4) | st.just(30))
schedules = st.lists(turns, max_size=8).map(lambda each: [worker for worker, calls in each for _ in range(calls)])


class Actor:
    """Does the steps: a submitter, and a worker that saw rows at earlier revisions."""

    def __init__(self, store: DynamoFrontierStore, seen: list[FrontierRow], name: str = "") -> None:
        self._store, self._seen, self._name, self._count = store, seen, name, 0

    def do(self, step: Step) -> None:
        kind, which, url, run_id = step
        if kind == "submit" or not self._seen:
            self._submit(url, run_id)
            return
        row = self._seen[which % len(self._seen)]
        for _ in range(4):
            now = self._write(kind, row, url)
            if now is None:
                break
            row = now
        found = self._store.row(row.row_id)
        assert found is not None
        self._seen.append(found)

    def _submit(self, url: str, run_id: str) -> None:
        self._count += 1
        at, row_id = address_of(url), derived_ulid(NOW, self._name, str(self._count))
        runs = frozenset({run_id}) if run_id != "r3" else frozenset[str]()
        row = FrontierRow(
            row_id=row_id, url=at.url, url_hash=at.url_hash, host=at.host, next_fetch_at=NOW + 60, runs=runs
        )
        self._seen.append(self._store.submit(row).row)

    def _write(self, kind: str, row: FrontierRow, url: str) -> FrontierRow | None:
        ok = FetchedParams(now=NOW, http_status=200, runs=row.runs)
        failed = FailedParams(
            now=NOW, status=RowStatus.FAILED, reason="timeout", attempts=row.attempts + 1, next_fetch_at=NOW + 300
        )
        dead = FailedParams(now=NOW, status=RowStatus.DEAD, reason="gone", attempts=1, ended_runs=row.runs)
        writes: dict[str, Callable[[], FrontierRow | None]] = {
            "move": lambda: self._store.update_fetched_with_final_url(row, url, ok),
            "fetch": lambda: self._store.update_fetched(row, ok),
            "fail": lambda: self._store.update_failed(row, failed),
            "die": lambda: self._store.update_failed(row, dead),
        }
        return writes[kind]()


def assert_whole(fake: FakeFrontierStore, submitted: set[str]) -> None:
    """No hash points to nowhere, every row is found by its own URL, and so is every URL that was ever submitted."""
    assert fake.contents.faults_of_form() == []
    rows = fake.contents.rows()
    found = fake.find([row["url"] for row in rows.values()])
    assert all(found[row["url"]] == row_id for row_id, row in rows.items())
    assert fake.find(sorted(submitted)).keys() == submitted


def submitted_in(sequence: list[Step]) -> set[str]:
    return {url for kind, _, url, _ in sequence if kind == "submit"}


@settings(max_examples=80)
@given(st.lists(steps, max_size=25))
def test_any_sequence_leaves_no_hash_to_nowhere_and_every_row_findable(sequence: list[Step]) -> None:
    fake, seen = FakeFrontierStore(), list[FrontierRow]()
    actor = Actor(fake, seen)
    for step in sequence:
        actor.do(step)
        assert fake.contents.faults_of_form() == []
    assert_whole(fake, submitted_in(sequence))


@settings(max_examples=60)
@given(
    st.lists(st.lists(steps, min_size=1, max_size=5), min_size=2, max_size=3), st.lists(steps, max_size=4), schedules
)
def test_workers_side_by_side_leave_the_same(racing: list[list[Step]], before: list[Step], schedule: list[int]) -> None:
    fake, known = FakeFrontierStore(), list[FrontierRow]()
    first = Actor(fake, known, "before")
    for step in before:
        first.do(step)

    def job(name: str, sequence: list[Step]) -> Callable[[Any], None]:
        def run(client: Any) -> None:
            actor = Actor(DynamoFrontierStore(Tables(client, fake.contents.names, PATIENT)), list(known), name)
            for step in sequence:
                actor.do(step)

        return run

    run_interleaved(fake.faults, [job(str(n), sequence) for n, sequence in enumerate(racing)], schedule)
    assert_whole(fake, submitted_in(before).union(*map(submitted_in, racing)))


faulty = st.tuples(steps, st.none() | st.integers(0, 2), st.integers(0, 2), st.integers(0, 1))


@settings(max_examples=60)
@given(st.lists(faulty, max_size=12))
def test_deaths_conflicts_and_lost_answers_leave_the_same(
    sequence: list[tuple[Step, int | None, int, int]],
) -> None:
    fake, seen = FakeFrontierStore(), list[FrontierRow]()
    actor = Actor(fake, seen)
    for step, dies_before, conflicts, lost in sequence:
        fake.faults.dies_before, fake.faults.conflicts, fake.faults.lost_answers = dies_before, conflicts, lost
        with contextlib.suppress(Died):
            actor.do(step)
        assert fake.contents.faults_of_form() == []
    fake.faults.dies_before, fake.faults.conflicts, fake.faults.lost_answers = None, 0, 0
    for step, *_ in sequence:
        if step[0] == "submit":
            actor.do(step)
    assert_whole(fake, submitted_in([step for step, *_ in sequence]))
