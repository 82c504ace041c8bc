"""Runs: made once with all their URLs, worked through chunk by chunk, found again when left (rules I6, I7)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from feedward.adapters.dynamodb.lineage.lineage_store import DynamoLineageStore
from feedward.adapters.dynamodb.lineage.runs import CHUNK_BYTES, CHUNKS_AT_ONCE, URLS_IN_A_CHUNK
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.errors import InvalidInput
from feedward.lineage.run import OpenRun, ReprocessPlace, Run, RunKind, RunStatus
from tests.contract.benches.lineage import NOW, V1, V2, LineageBench, new_run, run_id
from tests.fakes.dynamodb_faults import Died
from tests.fakes.feed_store import PATIENT
from tests.fakes.lifespan import Lifespan, Mortal

RUN_ID = run_id("run")


def some_urls(number: int) -> list[str]:
    return [f"https://example.com/{n}" for n in range(number)]


def handed_on(store: DynamoLineageStore, run: str = RUN_ID, *, now: int = NOW) -> list[str]:
    """Work through a run's URLs, and return them."""
    urls: list[str] = []
    while chunk := store.next_urls(run):
        urls += chunk[1]
        store.urls_done(run, chunk[0], refused=0, now=now)
    return urls


def the_run(lineage: LineageBench, run: str = RUN_ID) -> Run:
    found = lineage.store.run(run)
    assert found is not None
    return found


def open_ids(lineage: LineageBench, before: int = NOW + 1) -> set[str]:
    return {run.run_id for run in lineage.store.open_runs(before=before)}


# --- making one ----------------------------------------------------------------------------------


@pytest.mark.parametrize("run", [
    new_run("run", pages=3),
    new_run("run", pages=3, tenant_id="acme"),
    new_run("run", kind=RunKind.REPROCESSING, reprocessing_of_run_id=run_id("old")),
    new_run("run", kind=RunKind.STANDING, started=True),
])  # fmt: skip
def test_a_run_is_read_as_it_was_made(lineage: LineageBench, run: Run) -> None:
    urls = some_urls(3) if run.pages else ()

    assert lineage.store.create_run(run, urls) == run
    assert the_run(lineage) == run


def test_a_run_that_is_not_there_is_none(lineage: LineageBench) -> None:
    assert lineage.store.run(RUN_ID) is None
    assert lineage.store.next_urls(RUN_ID) is None
    assert lineage.store.reprocess_place(RUN_ID) is None
    assert list(lineage.store.items_of_run(RUN_ID)) == []
    assert not lineage.store.urls_done(RUN_ID, 0, refused=3, now=NOW)
    assert lineage.contents.rows() == []


def test_a_run_without_urls_is_started_at_once(lineage: LineageBench) -> None:
    lineage.begin(pages=0)

    assert the_run(lineage).status is RunStatus.DONE
    assert open_ids(lineage) == set()


@pytest.mark.parametrize("number", [1, URLS_IN_A_CHUNK, URLS_IN_A_CHUNK + 1, URLS_IN_A_CHUNK * (CHUNKS_AT_ONCE + 2)])
def test_all_urls_of_a_run_are_handed_on_in_their_order(lineage: LineageBench, number: int) -> None:
    lineage.begin(urls=some_urls(number), pages=number)

    assert handed_on(lineage.store) == some_urls(number)


def test_long_urls_share_a_chunk_as_far_as_an_item_holds_them(lineage: LineageBench) -> None:
    urls = [f"https://example.com/{n}/" + "\u00e4" * 20_000 for n in range(30)]
    lineage.begin(urls=urls, pages=30)

    chunks = lineage.contents.rows("RUN#", "CHUNK#")
    assert 1 < len(chunks) < 30
    assert handed_on(lineage.store) == urls


def test_a_url_that_no_item_holds_is_named(lineage: LineageBench) -> None:
    with pytest.raises(InvalidInput) as raised:
        lineage.begin(urls=["https://example.com/", "https://example.com/" + "a" * CHUNK_BYTES])

    assert raised.value.field == "urls[1]"
    assert lineage.contents.rows() == []


def test_the_same_run_again_is_the_one_that_is_there(lineage: LineageBench) -> None:
    lineage.begin(urls=some_urls(3), pages=3)
    lineage.collect("p1", "page", "text")
    again = lineage.store.create_run(new_run(pages=3), some_urls(3))

    assert again == the_run(lineage)
    assert again.counters.items == 1


@pytest.mark.parametrize("chunks", [1, CHUNKS_AT_ONCE + 1])
def test_submitted_chunks_are_not_restored_when_the_run_is_made_again(lineage: LineageBench, chunks: int) -> None:
    urls = some_urls(URLS_IN_A_CHUNK * chunks)
    lineage.begin(urls=urls, pages=len(urls))
    handed_on(lineage.store)
    lineage.store.create_run(new_run(pages=len(urls)), urls)

    assert lineage.store.next_urls(RUN_ID) is None
    assert the_run(lineage).started


@pytest.mark.parametrize("makes_last", [False, True])
@pytest.mark.parametrize("call", range(4))
def test_a_process_killed_while_making_a_run_makes_it_again(lineage: LineageBench, call: int, makes_last: bool) -> None:
    urls = some_urls(URLS_IN_A_CHUNK * (2 * CHUNKS_AT_ONCE + 1))
    lifespan = Lifespan()
    lifespan.end_at(call, makes_last=makes_last)
    client: Any = Mortal(lineage.faults, lifespan)
    mortal = DynamoLineageStore(Tables(client, lineage.contents.names, PATIENT))
    with contextlib.suppress(Died):
        mortal.create_run(new_run(pages=len(urls)), urls)
    assert lineage.store.create_run(new_run(pages=len(urls)), urls).pages == len(urls)

    assert handed_on(lineage.store) == urls
    assert the_run(lineage).started


def test_one_run_made_by_many_at_once_is_one(lineage: LineageBench) -> None:
    urls = some_urls(250)
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: lineage.store.create_run(new_run(pages=250), urls), range(16)))

    assert set(made) == {new_run(pages=250)}
    assert handed_on(lineage.store) == urls


# --- versions ------------------------------------------------------------------------------------


def test_versions_are_those_that_runs_were_made_under(lineage: LineageBench) -> None:
    assert list(lineage.store.versions()) == []
    for name, version in (("a", V2), ("b", V1), ("c", V2)):
        lineage.begin(name, version=version)

    assert list(lineage.store.versions()) == [V1, V2]


def test_versions_are_a_tenants_own(lineage: LineageBench) -> None:
    for name, version, tenant_id in (("a", V1, None), ("b", V2, "acme"), ("c", V1, "other")):
        lineage.begin(name, version=version, tenant_id=tenant_id)

    assert [list(lineage.store.versions(scope=scope)) for scope in ("", "acme", "other", "unknown")] == [
        [V1], [V2], [V1], [],
    ]  # fmt: skip


def test_a_version_that_is_known_is_not_written_again(lineage: LineageBench) -> None:
    lineage.begin("a")
    sent: list[Any] = []
    recorded = DynamoLineageStore(Tables(_Recorder(lineage.faults, sent), lineage.contents.names, PATIENT))  # type: ignore[arg-type]
    recorded.create_run(new_run("b"))

    (writes,) = sent
    assert [next(iter(write)) for write in writes] == ["Put", "Put"], "the run, and its place in the list"


# --- working through it --------------------------------------------------------------------------


def test_a_run_is_started_when_its_last_chunk_is_struck_off(lineage: LineageBench) -> None:
    lineage.begin(urls=some_urls(150), pages=150)
    assert the_run(lineage).status is RunStatus.PENDING
    lineage.store.urls_done(RUN_ID, 0, refused=2, now=NOW)
    assert (the_run(lineage).status, the_run(lineage).started) == (RunStatus.RUNNING, False)
    lineage.store.urls_done(RUN_ID, 1, refused=0, now=NOW)

    assert (the_run(lineage).status, the_run(lineage).started) == (RunStatus.RUNNING, True)


def test_a_chunk_is_struck_off_and_counted_once(lineage: LineageBench) -> None:
    lineage.begin(urls=some_urls(150), pages=150)
    struck_off = [lineage.store.urls_done(RUN_ID, 0, refused=2, now=NOW + seconds) for seconds in (0, 0, 60)]

    assert struck_off == [True, False, False]
    assert the_run(lineage).counters.refused == 2
    assert not the_run(lineage).started
    assert lineage.store.next_urls(RUN_ID) == (1, some_urls(150)[100:])


def test_chunks_that_many_strike_off_at_once_are_counted_once(lineage: LineageBench) -> None:
    lineage.begin(urls=some_urls(800), pages=800)
    with ThreadPoolExecutor(8) as pool:
        for _ in pool.map(lambda n: _tried(lineage, n % 8), range(32)):
            pass
    for chunk in range(8):
        lineage.store.urls_done(RUN_ID, chunk, refused=1, now=NOW)

    assert the_run(lineage).counters.refused == 8
    assert the_run(lineage).started
    assert open_ids(lineage) == set()


def _tried(lineage: LineageBench, chunk: int) -> None:
    lineage.store.urls_done(RUN_ID, chunk, refused=1, now=NOW)


def test_a_run_is_done_when_all_its_pages_have_ended(lineage: LineageBench) -> None:
    lineage.begin(urls=some_urls(3), pages=3)
    lineage.store.urls_done(RUN_ID, 0, refused=1, now=NOW)
    lineage.collect("p1", "page", "text")
    assert the_run(lineage).status is RunStatus.RUNNING
    lineage.collect("p2", "page", "text")

    run = the_run(lineage)
    assert run.status is RunStatus.DONE
    assert (run.counters.items, run.counters.sightings, run.counters.refused) == (1, 1, 1)


# --- abandoned runs ------------------------------------------------------------------------------


def test_a_run_with_urls_left_is_open_until_its_last_chunk(lineage: LineageBench) -> None:
    lineage.begin("run", some_urls(150), pages=150)
    lineage.begin("other", some_urls(1), pages=1, created_at=NOW + 500)

    assert list(lineage.store.open_runs(before=NOW + 1)) == [
        OpenRun(run_id=RUN_ID, kind=RunKind.URLS, pending_since=NOW)
    ]
    assert open_ids(lineage, NOW + 501) == {RUN_ID, run_id("other")}
    lineage.store.urls_done(RUN_ID, 0, refused=0, now=NOW + 300)
    assert open_ids(lineage, NOW + 300) == set()
    assert open_ids(lineage, NOW + 301) == {RUN_ID}
    lineage.store.urls_done(RUN_ID, 1, refused=0, now=NOW + 301)
    assert open_ids(lineage, NOW + 9999) == {run_id("other")}


@pytest.mark.parametrize("before", [-5, 0, NOW])
def test_nothing_is_open_before_it_was_left(lineage: LineageBench, before: int) -> None:
    lineage.begin(urls=some_urls(1), pages=1)

    assert open_ids(lineage, before) == set()


def test_runs_that_have_nothing_left_are_not_open(lineage: LineageBench) -> None:
    lineage.begin("standing", kind=RunKind.STANDING, started=True)
    lineage.begin("empty")

    assert open_ids(lineage) == set()


def test_a_run_that_was_sent_again_is_counted_and_waits(lineage: LineageBench) -> None:
    lineage.begin(urls=some_urls(1), pages=1)
    (left,) = lineage.store.open_runs(before=NOW + 1)
    lineage.store.run_sent_again(left, now=NOW + 300)
    lineage.store.run_sent_again(left, now=NOW + 300)

    assert open_ids(lineage, NOW + 300) == set()
    assert list(lineage.store.open_runs(before=NOW + 301)) == [replace(left, pending_since=NOW + 300, sent_again=1)]


def test_a_run_that_was_ended_meanwhile_is_not_opened_by_being_sent_again(lineage: LineageBench) -> None:
    lineage.begin(urls=some_urls(1), pages=1)
    (left,) = lineage.store.open_runs(before=NOW + 1)
    handed_on(lineage.store)
    lineage.store.run_sent_again(left, now=NOW + 300)

    assert open_ids(lineage, NOW + 9999) == set()


# --- reprocessing --------------------------------------------------------------------------------


def begin_again(lineage: LineageBench) -> None:
    lineage.begin(kind=RunKind.REPROCESSING, version=V2, reprocessing_of_run_id=run_id("old"))


def step(lineage: LineageBench, seen: ReprocessPlace, to: str | None, **members: Any) -> bool:
    plain: dict[str, Any] = {"pages": 2, "refused": 1, "done": False, "now": NOW + 10} | members
    return lineage.store.reprocess_advanced(RUN_ID, seen, to=to, **plain)


def test_a_reprocessing_run_goes_on_where_it_was(lineage: LineageBench) -> None:
    begin_again(lineage)
    first = lineage.store.reprocess_place(RUN_ID)
    assert first == ReprocessPlace()
    assert step(lineage, first, "item2")
    second = lineage.store.reprocess_place(RUN_ID)

    assert second == ReprocessPlace(after="item2", pages=2)
    assert open_ids(lineage, NOW + 10) == set()
    assert open_ids(lineage, NOW + 11) == {RUN_ID}
    assert the_run(lineage).pages is None


def test_the_last_step_says_how_many_pages_there_were(lineage: LineageBench) -> None:
    begin_again(lineage)
    step(lineage, ReprocessPlace(), "item2")
    assert step(lineage, ReprocessPlace(after="item2", pages=2), "item3", pages=1, refused=0, done=True)

    run = the_run(lineage)
    assert (run.pages, run.started, run.counters.refused) == (3, True, 1)
    assert lineage.store.reprocess_place(RUN_ID) is None
    assert open_ids(lineage, NOW + 9999) == set()


def test_a_run_over_no_items_is_done(lineage: LineageBench) -> None:
    begin_again(lineage)

    assert step(lineage, ReprocessPlace(), None, pages=0, refused=0, done=True)
    assert the_run(lineage).status is RunStatus.DONE


def test_a_step_from_a_place_that_was_left_writes_nothing(lineage: LineageBench) -> None:
    begin_again(lineage)
    step(lineage, ReprocessPlace(), "item2")

    assert not step(lineage, ReprocessPlace(), "item9", pages=9)
    assert not step(lineage, ReprocessPlace(after="item2", pages=1), "item9", pages=9)
    assert lineage.store.reprocess_place(RUN_ID) == ReprocessPlace(after="item2", pages=2)
    assert the_run(lineage).counters.refused == 1


def test_a_step_that_is_made_twice_counts_once(lineage: LineageBench) -> None:
    begin_again(lineage)

    assert [step(lineage, ReprocessPlace(), "item2", now=NOW + n) for n in range(3)] == [True, True, True]
    assert the_run(lineage).counters.refused == 1


def test_only_a_reprocessing_run_has_a_place(lineage: LineageBench) -> None:
    lineage.begin(urls=some_urls(1), pages=1)

    assert lineage.store.reprocess_place(RUN_ID) is None


class _Recorder:
    """Records the requests of transactions."""

    def __init__(self, client: Any, sent: list[Any]) -> None:
        self._client, self._sent = client, sent

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        def call(**request: Any) -> Any:
            if operation == "transact_write_items":
                self._sent.append(request["TransactItems"])
            return getattr(self._client, operation)(**request)

        return call
