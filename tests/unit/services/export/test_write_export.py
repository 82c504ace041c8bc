"""Jobs that write large exports (rule EX1): in parts, killed anywhere, resumed, by two concurrent workers."""

from __future__ import annotations

import contextlib
import hashlib
import json
import tracemalloc
from base64 import b64decode
from dataclasses import replace

import pytest

from feedward.errors import FeedwardError, NotFound
from feedward.exports import document
from feedward.exports.export_entry import ExportEntry
from feedward.exports.job import ExportFormat, ExportQuery, ExportStatus
from feedward.services.export import export_now, write_export
from feedward.services.export.export_now import LEFT_FOR_S
from feedward.services.export.write_export import do_export_step
from tests.fakes.dynamodb_faults import Died
from tests.fakes.export_files import FakeKms, fake_signer
from tests.unit.services.export.exporting import Exporting

FEEDS = 40


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer has 2 KB, a part 1 KB."""
    monkeypatch.setattr(export_now, "INLINE_BYTES", 2000)
    monkeypatch.setattr(write_export, "PART_BYTES", 1000)


@pytest.fixture
def directory() -> Exporting:
    directory = Exporting()
    for number in range(FEEDS):
        directory.feed(f"n{number:02}", category="Food")
    return directory


def file_of(directory: Exporting, export_id: str) -> bytes:
    found = directory.found_job(export_id)
    assert found.job.status is ExportStatus.DONE
    return directory.export_files.s3.objects["exports/" + found.job.file_key]


@pytest.mark.parametrize("form", ["opml", "json", "csv"])
def test_a_large_export_is_a_job_whose_file_is_that_of_an_answer(
    directory: Exporting, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    job = directory.job(form)
    assert (job.job.status, job.url) == (ExportStatus.WAITING, None)
    assert directory.steps() == 1

    found = directory.found_job(job.job.export_id)

    monkeypatch.setattr(export_now, "INLINE_BYTES", 10**6)
    whole = directory.exported(form)
    assert file_of(directory, job.job.export_id) == whole.body
    assert (found.job.entries, found.job.size) == (FEEDS, len(whole.body))
    assert found.job.sha256 == hashlib.sha256(whole.body).hexdigest()
    assert str(found.url).startswith(f"https://bodies.example/exports/{job.job.export_id}/feeds.{form}")
    assert directory.export_files.s3.begun[0]["ContentDisposition"] == f'attachment; filename="feeds.{form}"'


def test_a_step_without_time_leaves_the_rest_to_the_next_one(directory: Exporting) -> None:
    job = directory.job("json")

    assert directory.steps(within_s=1.0) > 3

    assert len(json.loads(file_of(directory, job.job.export_id))) == FEEDS


def test_a_job_that_is_killed_anywhere_goes_on(directory: Exporting) -> None:
    """The message comes again, as from a queue."""
    job = directory.job("json").job
    directory.frontier_queue.take()
    steps = 0
    while directory.found_job(job.export_id).job.status is not ExportStatus.DONE:
        directory.lifespan.end_at(60 + 3 * steps, makes_last=steps % 2 == 1)
        with contextlib.suppress(Died):
            do_export_step(job.export_id, ports=directory, within_s=600.0)
        directory.lifespan.live_on()
        directory.frontier_queue.take()
        steps += 1

    assert steps > 2
    entries = json.loads(file_of(directory, job.export_id))
    assert sorted(each["url"] for each in entries) == sorted({each["url"] for each in entries})
    assert len(entries) == FEEDS


def test_an_upload_that_has_gone_is_begun_again(directory: Exporting) -> None:
    job = directory.job("csv").job
    directory.frontier_queue.take()
    do_export_step(job.export_id, ports=directory, within_s=1.0)
    directory.export_files.s3.uploads.clear()

    directory.steps()

    assert file_of(directory, job.export_id).count(b"\r\n") == FEEDS + 1


def test_two_workers_at_once_write_each_feed_once(directory: Exporting) -> None:
    """The slower worker, which read more, loses: neither its remainder nor its parts are in the file."""
    job = directory.job("json").job
    directory.frontier_queue.take()
    do_export_step(job.export_id, ports=directory, within_s=1.0)
    seen = directory.export_jobs.get(job.export_id)
    assert seen is not None
    do_export_step(job.export_id, ports=directory, within_s=1.0)
    slower = replace(seen, rest=True, place=directory.feed("n39"))
    directory.export_files.put(slower.rest_key, b"what the slower one read")
    assert not directory.export_jobs.save(slower)

    directory.steps()

    entries = json.loads(file_of(directory, job.export_id))
    assert len({each["url"] for each in entries}) == len(entries) == FEEDS


def test_a_step_that_comes_twice_changes_nothing(directory: Exporting) -> None:
    job = directory.job("opml").job
    directory.steps()
    before = file_of(directory, job.export_id)

    do_export_step(job.export_id, ports=directory, within_s=600.0)

    assert file_of(directory, job.export_id) == before
    assert len(directory.export_files.s3.begun) == 1


def test_asking_twice_at_once_is_one_job(directory: Exporting) -> None:
    first, second = directory.job("opml").job, directory.job("opml").job
    assert first.export_id == second.export_id
    assert directory.job("csv").job.export_id != first.export_id
    assert directory.job("opml", tenant="other").job.export_id != first.export_id


def test_an_abandoned_job_is_sent_again_when_it_is_read(directory: Exporting) -> None:
    job = directory.job("json").job
    directory.frontier_queue.take()
    directory.found_job(job.export_id)
    assert directory.frontier_queue.take() == []
    directory.clock.advance(LEFT_FOR_S + 1)

    directory.found_job(job.export_id)
    directory.steps()

    assert directory.found_job(job.export_id).job.status is ExportStatus.DONE


def test_another_tenants_job_is_not_found(directory: Exporting) -> None:
    job = directory.job("json", tenant="one").job

    with pytest.raises(NotFound):
        directory.found_job(job.export_id, "other")


def test_a_tenants_long_list_is_a_job_too(directory: Exporting) -> None:
    outlines = "".join(
        f'<outline text="F"><outline text="{n}" xmlUrl="https://s{n}.example/"/></outline>' for n in range(60)
    )
    directory.imported(f"<opml><body>{outlines}</body></opml>")

    job = directory.job("opml", tag="F").job
    directory.steps(within_s=1.0)

    found = directory.found_job(job.export_id).job
    assert (found.entries, found.private) == (60, 0)
    assert file_of(directory, job.export_id).count(b'type="rss"') == 60


def test_a_signature_lies_beside_the_file(directory: Exporting) -> None:
    directory.export_signer = fake_signer(FakeKms())
    job = directory.job("json").job
    directory.steps()

    found = directory.found_job(job.export_id)

    stored = directory.export_files.s3.objects[f"exports/{found.job.file_key}.sig"]
    assert stored == b64decode(found.job.signature or "")
    assert ".sig?" in str(found.signature_url)


def test_a_queue_that_is_away_is_said_and_the_next_request_sends_the_job(directory: Exporting) -> None:
    directory.frontier_queue.sqs.fails = 100
    with pytest.raises(FeedwardError):
        directory.job("json")
    directory.frontier_queue.sqs.fails = 0

    job = directory.job("json").job

    assert directory.steps() == 1
    assert directory.found_job(job.export_id).job.status is ExportStatus.DONE


def test_memory_does_not_grow_with_the_number_of_feeds() -> None:
    def peak_of(number: int) -> int:
        feeds = (
            ExportEntry(url=f"https://n{n}.example/feed", title="A feed of many", place=str(n)) for n in range(number)
        )
        tracemalloc.start()
        size = sum(len(piece.body) for piece in document.pieces(ExportQuery(format=ExportFormat.CSV), feeds, now=0))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert size > 60 * number
        return peak

    assert peak_of(4000) < 500_000


def test_each_message_of_a_tenants_export_is_of_the_tenants_group(directory: Exporting) -> None:
    directory.job("json", tenant="acme")

    assert [each.group for each in directory.frontier_queue.jobs] == ["acme"]
