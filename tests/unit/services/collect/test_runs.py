"""Runs from their beginning to their end: sent on, counted, refused, resumed and found again."""

from __future__ import annotations

import contextlib
from typing import Any, Self

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.errors import InvalidInput, NotFound, QueueUnavailable, StoreUnavailable
from feedward.frontier.changes import RUNS_AT_MOST
from feedward.frontier.messages import Job, JobMessage
from feedward.frontier.row import RowStatus
from feedward.intake.job import ImportStep
from feedward.lineage.run import Counters, RunKind, RunStatus
from feedward.lineage.version import CURRENT_VERSION
from feedward.services.collect.collect_batch import collect_batch
from feedward.services.collect.fetch_row import fetch_row
from feedward.services.collect.read_lineage import find_item, find_run, item_chain, item_edges, list_items
from feedward.services.collect.row_answer import RowDisposition
from feedward.services.collect.run_jobs import LEFT_FOR_S, resume_open_jobs, run_job_step
from feedward.services.collect.start_run import URLS_AT_MOST, hand_on_urls
from tests.callers import of_tenant
from tests.fakes.collecting import run_id
from tests.unit.services.collect.collecting import A, B, C, Collecting, moved, page
from tests.unit.services.export.exporting import Exporting


class NothingToRekey:
    """A registry of the current key."""

    def within(self, _: object) -> Self:
        return self

    def rekeying(self, version: str, **_: object) -> object:
        from feedward.urls.rekey import Rekeying

        return Rekeying(version=version, done=True)


def test_a_run_makes_an_item_of_each_page_and_is_done() -> None:
    world = Collecting({A: page("one", "First"), B: page("two")})

    run = world.run([A, B])

    assert (run.status, run.pages, run.normalization_version) == (RunStatus.DONE, 2, CURRENT_VERSION)
    assert run.counters == Counters(items=2)
    first = next(item for item in world.items() if item["canonical_uri"] == A)
    assert (first["title"], first["text_length"], first["status"], first["fetched_url"]) == ("First", 3, 200, A)
    assert world.ports.bodies.read(first["body_sha256"]) == page("one", "First")["body"].encode()
    assert world.faults() == []


def test_a_run_answers_before_anything_is_fetched() -> None:
    world = Collecting({A: page("one")})

    started = world.begin([A])

    assert (started.run.status, started.run.pages, world.internet.requests) == (RunStatus.PENDING, 1, [])
    assert [(each.job, each.job_id) for each in world.queue.jobs] == [(Job.RUN, started.run.run_id)]


@pytest.mark.parametrize(("tenant_id", "url"), [(None, A), ("acme", A)])
def test_an_item_of_a_shared_row_shows_no_url_with_a_token(tenant_id: str | None, url: str) -> None:
    secret = f"{B}?access_token=1f3a"
    world = Collecting({A: moved(secret), secret: page("one") | {"headers": {"ETag": '"1"'}}})

    world.run([url], tenant_id=tenant_id)
    world.run([url], tenant_id=tenant_id)

    (item,) = world.items()
    (row,) = world.rows()
    assert (item["canonical_uri"], item["fetched_url"]) == (A, A)
    assert (row.url, row.final_url) == (A, None)
    assert "1f3a" not in repr([*world.lineage.contents.rows(), *world.rows()])


def test_a_url_that_too_many_runs_wait_for_is_refused_and_the_run_ends_without_it() -> None:
    world = Collecting({A: page("one"), B: page("two")})
    runs = [world.begin([A, B], version=None).run for _ in range(3)]
    row = world.add(A)
    world.change(row, runs=frozenset(run_id(str(n)) for n in range(RUNS_AT_MOST - 1)))

    for run in runs:
        hand_on_urls(run.run_id, ports=world.ports, within_s=60.0)
    world.work_off()

    ended = [world.now(run) for run in runs]
    assert [run.counters.refused for run in ended] == [0, 1, 1]
    assert sum(run.counters.items + run.counters.sightings for run in ended) == 4
    assert [(run.pages, run.status) for run in ended] == [(2, RunStatus.DONE)] * 3


def test_urls_that_are_one_by_their_key_are_one_page() -> None:
    world = Collecting({"http://a.example/": page("one"), A: page("one")})

    run = world.run([A, "http://a.example/?utm_source=x", "https://a.example"])

    assert (run.pages, run.counters.items, run.status) == (1, 1, RunStatus.DONE)


def test_urls_that_cannot_be_rows_are_reported_by_position_and_the_rest_is_collected() -> None:
    world = Collecting({A: page("one")})

    started = world.begin(["javascript:alert(1)", A, "http://169.254.169.254/"])
    world.work_off()

    assert [error.field for error in started.refused] == ["urls[0]", "urls[2]"]
    assert (world.now(started.run).pages, world.now(started.run).status) == (1, RunStatus.DONE)


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"urls": []}, "urls"),
        ({"urls": ["nonsense: x"]}, "urls[0]"),
        ({"urls": [A] * (URLS_AT_MOST + 1)}, "urls"),
        ({"urls": [A], "collector": "rss"}, "collector"),
        ({"urls": [A], "version": "http_snapshot_url_v0_text_v1"}, "version"),
        ({"urls": [A], "version": "nonsense"}, "version"),
    ],
)
def test_a_run_that_cannot_be_begun_names_the_field(asked: dict[str, object], field: str) -> None:
    world = Collecting({})

    with pytest.raises(InvalidInput) as refused:
        world.begin(**asked)  # type: ignore[arg-type]

    assert refused.value.field == field
    assert world.queue.messages == []


def test_two_urls_that_land_on_one_page_are_an_item_and_a_duplicate_fetch() -> None:
    world = Collecting({A: moved(C), B: moved(C), C: page("one")})

    run = world.run([A, B])

    assert (run.counters.items, run.counters.sightings, run.status) == (1, 1, RunStatus.DONE)
    assert len(world.items()) == 1
    (item,) = world.items()
    assert [each.run_id for each in item_edges(SELF_HOSTED, item["item_id"], ports=world.ports).sightings] == [
        run.run_id
    ]


def test_two_urls_that_one_row_has_are_one_page_of_a_run() -> None:
    world = Collecting({A: moved(C), C: page("one")})
    world.run([A])

    run = world.run([A, C])

    assert (run.pages, run.counters, run.status) == (2, Counters(sightings=1, duplicates=1), RunStatus.DONE)


def test_a_row_that_moves_onto_a_url_of_a_later_chunk_is_one_page_of_its_run(monkeypatch: pytest.MonkeyPatch) -> None:
    others = [f"https://h{number}.example/" for number in range(99)]
    world = Collecting({A: moved(C), C: page("one")} | {url: page(url) for url in others})
    started = world.begin([A, *others, C])
    urls_done = world.lineage.urls_done

    def then_rows_are_fetched(*chunk: Any, **members: Any) -> bool:
        is_ours = urls_done(*chunk, **members)
        collect_batch(world.queue.take(), ports=world.ports, do_job=lambda *_: None, within_s=600)
        return is_ours

    monkeypatch.setattr(world.lineage, "urls_done", then_rows_are_fetched)
    world.work_off()

    run = world.now(started.run)
    assert (run.pages, run.status) == (101, RunStatus.DONE)
    assert run.counters == Counters(items=100, duplicates=1)


@pytest.mark.parametrize("struck_off_by_the_other", [1, 2, 3])
def test_two_workers_that_hand_a_run_on_know_of_each_others_rows(
    struck_off_by_the_other: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One worker stops with a chunk; the other completes that chunk, and some more, before the first continues."""
    firsts, seconds, thirds = ([f"https://{name}{number}.example/" for number in range(99)] for name in "fst")
    urls = [*firsts, A + "other", *seconds, A, *thirds, C]
    world = Collecting({url: page(url) for url in urls} | {A: moved(C)})
    world.run([A])
    started = world.begin(urls)
    world.queue.take()
    urls_done, calls = world.lineage.urls_done, [0]

    def late(*chunk: Any, **members: Any) -> bool:
        calls[0] += 1
        if calls[0] == 1:
            with contextlib.suppress(KeyboardInterrupt):
                hand_on_urls(started.run.run_id, ports=world.ports, within_s=600)
        elif calls[0] == struck_off_by_the_other + 2:
            raise KeyboardInterrupt
        return urls_done(*chunk, **members)

    monkeypatch.setattr(world.lineage, "urls_done", late)
    hand_on_urls(started.run.run_id, ports=world.ports, within_s=600)
    world.work_off()

    run = world.now(started.run)
    assert (run.pages, run.counters.duplicates, run.status) == (300, 1, RunStatus.DONE)


def test_a_second_run_over_unchanged_pages_only_sees_them_again() -> None:
    world = Collecting({A: page("one")})
    world.run([A])

    again = world.run([A])

    assert (again.counters, again.status) == (Counters(sightings=1), RunStatus.DONE)
    assert len(world.items()) == 1


def test_a_304_is_counted_as_an_unmodified_duplicate_fetch() -> None:
    world = Collecting({A: page("one") | {"headers": {"Content-Type": "text/html", "ETag": '"1"'}}})
    world.run([A])
    world.internet.network[A] = {"status": 304}

    again = world.run([A])

    assert (again.counters, again.status) == (Counters(sightings=1, not_modified=1), RunStatus.DONE)


def test_a_changed_page_supersedes_its_earlier_item() -> None:
    world = Collecting({A: page("one")})
    first = world.run([A])
    world.internet.network[A] = page("two")
    world.clock.advance(60)

    second = world.run([A])

    assert second.counters == Counters(items=1, superseded=1)
    older, newer = world.items()
    chain = item_chain(SELF_HOSTED, newer["item_id"], ports=world.ports)
    assert [link.item.item_id for link in chain.links] == [newer["item_id"], older["item_id"]]
    edge = chain.links[0].edge
    assert edge is not None
    assert (edge.metadata.reason, edge.metadata.selected) == ("same_canonical_uri", "canonical_uri")
    assert (first.run_id, second.run_id) == (older["run_id"], newer["run_id"])


def test_content_wins_where_two_items_match_and_the_conflict_is_counted_and_told() -> None:
    world = Collecting({A: page("shared"), B: page("old")})
    world.run([A, B])
    world.internet.network[B] = page("shared")
    world.clock.advance(60)

    started = world.begin([B])
    reports = world.work_off()

    assert world.now(started.run).counters == Counters(items=1, superseded=1, conflicts=1)
    (conflict,) = [edge for report in reports for answer in report.answers for edge in answer.conflicts]
    assert (conflict.metadata.reason, conflict.metadata.conflict_resolved) == ("same_content_sha256", True)
    assert world.faults() == []


def test_a_page_that_has_its_earlier_content_again_is_a_duplicate_fetch() -> None:
    world = Collecting({A: page("one")})
    world.run([A])
    for text in ("two", "one"):
        world.internet.network[A] = page(text)
        world.clock.advance(60)
        run = world.run([A])

    assert run.counters == Counters(sightings=1)
    assert len(world.items()) == 2


def test_a_page_that_has_its_earlier_content_again_is_a_duplicate_fetch_even_if_both_heads_are_others() -> None:
    world = Collecting({A: page("one"), B: page("other")})
    world.run([A, B])
    (was,) = [item for item in world.items() if item["canonical_uri"] == A]
    for url, text in ((B, "one"), (A, "two"), (A, "one")):
        world.internet.network[url] = page(text)
        world.clock.advance(60)
        run = world.run([url])

    assert (run.counters, len(world.items())) == (Counters(sightings=1), 4)
    assert [seen.run_id for seen in item_edges(SELF_HOSTED, was["item_id"], ports=world.ports).sightings] == [
        run.run_id
    ]
    assert world.faults() == []


SHELL = "<title>{}</title><body><div id=app></div><script>app()</script></body>"
FRAMES = "<html><head><title>{}</title></head><frameset><frame src=a.html></frameset></html>"
PICTURE = "<title>{}</title><body><img src=b.png alt=b></body>"


@pytest.mark.parametrize(("one", "other"), [(SHELL, SHELL), (SHELL, FRAMES), (FRAMES, PICTURE), (PICTURE, PICTURE)])
def test_pages_without_text_are_nothing_to_each_other(one: str, other: str) -> None:
    html = {"Content-Type": "text/html"}
    world = Collecting({A: {"body": one.format("1"), "headers": html}, B: {"body": other.format("2"), "headers": html}})

    run = world.run([A, B])

    assert run.counters == Counters(items=2)
    assert world.lineage.contents.edges() == {}
    assert world.faults() == []


def test_a_page_that_loses_its_text_supersedes_its_item_and_is_superseded_by_its_next_text() -> None:
    world = Collecting({A: page("one"), B: page("")})
    world.run([A, B])
    world.internet.network[A] = page("")
    lost = world.run([A])
    world.internet.network[A] = page("two")
    found = world.run([A])
    world.internet.network[A] = page("")
    again = world.run([A])

    assert (lost.counters, found.counters) == (Counters(items=1, superseded=1),) * 2
    assert again.counters == Counters(sightings=1)
    assert [item["canonical_uri"] for item in world.items()].count(A) == 3
    assert world.faults() == []


def test_a_dead_page_ends_its_run() -> None:
    world = Collecting({A: {"status": 404}, B: page("two")})

    run = world.run([A, B])

    assert (run.counters, run.status) == (Counters(items=1, dead=1), RunStatus.DONE)


def test_a_page_that_fails_for_now_keeps_its_run_running() -> None:
    world = Collecting({A: {"status": 500}})

    run = world.run([A])

    assert (run.counters, run.status) == (Counters(), RunStatus.RUNNING)


def test_a_chunk_that_is_handed_on_twice_adds_nothing() -> None:
    world = Collecting({A: page("one"), B: {"status": 404}})
    started = world.begin([A, B])
    (message,) = world.queue.take()
    world.queue.send_batch([message])
    world.work_off()
    before = world.now(started.run)

    world.queue.send_batch([message, message])
    world.work_off()

    assert world.now(started.run) == before
    assert before.counters == Counters(items=1, dead=1)


def test_a_chunk_whose_worker_was_killed_before_it_was_struck_off_counts_each_page_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = Collecting({A: page("one"), B: {"status": 404}})
    started = world.begin([A, B])
    [message] = world.queue.jobs
    world.queue.take()
    urls_done = world.lineage.urls_done

    def killed(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(world.lineage, "urls_done", killed)
    with pytest.raises(KeyboardInterrupt):
        run_job_step(message, ports=world.ports, rekeys=world.rekeys, within_s=600)
    world.work_off()
    monkeypatch.setattr(world.lineage, "urls_done", urls_done)
    world.queue.send_batch([message])
    world.work_off()

    run = world.now(started.run)
    assert (run.counters, run.status) == (Counters(items=1, dead=1), RunStatus.DONE)


def test_a_page_that_died_for_a_run_and_lives_again_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    world = Collecting({A: {"status": 404}})
    run = world.run([A])
    world.internet.network[A] = page("one")
    (row,) = world.rows()
    world.change(row, status=RowStatus.FAILED, runs=frozenset({run.run_id}), next_fetch_at=world.clock.now())

    answer = fetch_row(world.row(row.row_id), ports=world.ports)

    assert (answer.disposition, world.now(run).counters) == (RowDisposition.APPLIED, Counters(dead=1))


def test_a_run_whose_message_was_lost_is_sent_again() -> None:
    world = Collecting({A: page("one")})
    started = world.begin([A])
    world.queue.take()
    world.clock.advance(LEFT_FOR_S + 1)

    report = resume_open_jobs(ports=world.ports, rekeys=NothingToRekey())  # type: ignore[arg-type]
    world.work_off()

    assert (report.runs, report.rekey) == (1, False)
    assert world.now(started.run).status is RunStatus.DONE
    assert resume_open_jobs(ports=world.ports, rekeys=NothingToRekey()).runs == 0  # type: ignore[arg-type]


def test_a_page_that_no_run_asked_for_belongs_to_the_run_of_the_day() -> None:
    world = Collecting({A: page("one")})
    world.add(A)
    world.queue.send_batch([])
    row = world.rows()[0]

    fetch_row(row, ports=world.ports)

    (item,) = world.items()
    run = find_run(SELF_HOSTED, item["run_id"], ports=world.ports)
    assert (run.kind, run.counters.items, run.pages) == (RunKind.STANDING, 1, None)


def test_another_tenants_runs_and_items_are_not_there() -> None:
    world = Collecting({A: page("one")})
    run = world.run([A], tenant_id="acme")
    (item,) = world.items()

    assert find_item(of_tenant("acme"), item["item_id"], ports=world.ports).run_id == run.run_id
    for tenant_id in (None, "other"):
        with pytest.raises(NotFound):
            find_run(of_tenant(tenant_id), run.run_id, ports=world.ports)
        with pytest.raises(NotFound):
            find_item(of_tenant(tenant_id), item["item_id"], ports=world.ports)
        with pytest.raises(NotFound):
            world.begin([], tenant_id=tenant_id, reprocessing_of_run_id=run.run_id)


def test_tenants_have_lineages_of_their_own() -> None:
    world = Collecting({A: page("one")})
    world.run([A])

    theirs = world.run([A], tenant_id="acme")

    assert theirs.counters == Counters(items=1)
    assert world.lineage.contents.edges() == {}


def test_the_items_of_a_run_are_listed_page_by_page() -> None:
    urls = [f"https://h{number}.example/" for number in range(5)]
    world = Collecting({url: page(url) for url in urls})
    run = world.run(urls)

    pages, cursor = [], None
    while True:
        listed = list_items(SELF_HOSTED, ports=world.ports, run=run.run_id, cursor=cursor, limit=2)
        pages.append([item.canonical_uri for item in listed.items])
        cursor = listed.cursor
        if cursor is None:
            break

    assert [len(each) for each in pages] == [2, 2, 1]
    assert sorted(uri for each in pages for uri in each) == sorted(urls)


def test_each_message_of_a_tenants_run_is_of_the_tenants_group() -> None:
    world = Collecting({A: page("one")})
    world.begin([A], tenant_id="acme")
    [first] = world.queue.jobs
    world.queue.take()
    run_job_step(first, ports=world.ports, rekeys=world.rekeys, within_s=1.0)  # too little time for its URLs
    [later] = world.queue.jobs
    world.queue.take()
    world.clock.advance(LEFT_FOR_S + 1)
    resume_open_jobs(ports=world.ports, rekeys=NothingToRekey())  # type: ignore[arg-type]
    [resumed] = world.queue.jobs

    assert [each.group for each in (first, later, resumed)] == ["acme"] * 3


def test_a_step_whose_successor_the_queue_refuses_fails_so_that_it_comes_again() -> None:
    world = Collecting({A: page("one")})
    world.begin([A])
    [first] = world.queue.jobs
    world.queue.sqs.refuses = 20

    with pytest.raises(QueueUnavailable):
        run_job_step(first, ports=world.ports, rekeys=world.rekeys, within_s=1.0)


def test_no_store_call_of_a_job_begins_after_its_time() -> None:
    world = Collecting({A: page("one")})
    world.begin([A])
    [first] = world.queue.jobs

    with pytest.raises(StoreUnavailable):
        run_job_step(first, ports=world.ports, rekeys=world.rekeys, within_s=0.0)


def test_no_store_call_of_an_import_or_an_export_begins_after_the_time_of_its_step() -> None:
    world, directory = Collecting({}), Exporting()
    import_id = directory.begin("https://a.example/feed")
    steps = {Job.IMPORT: ImportStep(tenant_id=None, import_id=import_id).job_id, Job.EXPORT: "unknown"}

    for job, job_id in steps.items():
        message = JobMessage(job=job, job_id=job_id, sent_at=world.clock.now())
        with pytest.raises(StoreUnavailable):
            run_job_step(message, world.ports, world.rekeys, within_s=0.0, imports=directory, exports=lambda: directory)
