"""Where time ends a search, a job goes on: written first, taken up as often as it comes, ended once."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.deadline import Deadline
from feedward.discovery.candidate import Kind
from feedward.discovery.site import JobStatus
from feedward.errors import NotFound, StoreUnavailable
from feedward.services.discover.discover_site import answer_discovery, fail_job, run_job
from feedward.services.discover.read_sites import find_job, find_site
from feedward.services.discover.reuse import JOB_YOUNG_S, TAKEN_UP_S
from feedward.services.discover.site_run import DiscoveryAnswer, discover_message
from feedward.urls.key import url_hash
from tests.callers import of_tenant
from tests.fakes.directory import FakeDirectory
from tests.fakes.dynamodb_faults import FOR_EVER
from tests.unit.services.discover.blog import (
    COMMENTS,
    FEED,
    HOME,
    SITE_ID,
    SLOW_S,
    document,
    page,
    requested,
    site,
    slow_site,
)

# --- longer than an answer ---------------------------------------------------------------------------


def test_a_slow_site_is_answered_in_time_with_a_job_that_finds_the_feed() -> None:
    directory = slow_site()
    answer = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert directory.clock.monotonic() <= 4.0
    assert answer.job is not None
    assert (answer.job.status, answer.site.site.complete) == (JobStatus.PENDING, False)
    assert answer.job.job_id.startswith(f"{SITE_ID}.")
    assert answer.site.site.job_id == answer.job.job_id
    assert directory.queue.messages == [discover_message(answer.job.job_id)]

    done = run_job(answer.job.job_id, directory=directory)
    assert done is not None
    assert done.job is not None
    assert done.job.status is JobStatus.DONE
    assert (done.site.site.canonical_feed_url, done.site.site.complete) == (FEED, True)
    assert done.site.site.feed_id in directory.contents.live()
    assert len(directory.bus.details) == 1


def test_the_job_is_written_and_known_before_its_message_is_sent() -> None:
    directory = slow_site()
    seen: list[tuple[str, Any]] = []

    def spy(message: Any, **_: Any) -> None:
        seen.append((directory.contents.jobs()[message["job_id"]]["status"], directory.sites.site(SITE_ID)))

    directory.queue.send = spy  # type: ignore[method-assign]
    answer = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert seen == [("pending", answer.site)]


def test_a_site_whose_job_goes_on_is_answered_with_that_job() -> None:
    directory = slow_site()
    first = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    before = requested(directory)
    for refresh in (False, True):
        again = answer_discovery(SELF_HOSTED, HOME, directory=directory, refresh=refresh)
        assert (again.job, again.reused) == (first.job, True)
    assert requested(directory) == before
    assert len(directory.queue.messages) == 1


def test_an_abandoned_job_is_not_waited_for() -> None:
    directory = slow_site()
    first = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    directory.clock.advance(JOB_YOUNG_S + 1)
    again = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert again.job is not None
    assert first.job is not None
    assert again.job.job_id != first.job.job_id


def test_a_job_that_was_never_sent_is_sent_when_the_site_is_asked_for_again() -> None:
    directory = slow_site()
    directory.queue.sqs.fails = FOR_EVER
    first = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    directory.queue.sqs.fails = 0
    assert directory.queue.messages == []
    assert answer_discovery(SELF_HOSTED, HOME, directory=directory).job == first.job
    assert directory.queue.messages == []  # a moment later it may be on its way
    directory.clock.advance(TAKEN_UP_S + 1)
    again = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert first.job is not None
    assert (again.job, again.undelivered) == (first.job, ())
    assert directory.queue.messages == [discover_message(first.job.job_id)]


def test_a_failed_job_is_not_waited_for() -> None:
    directory = slow_site()
    first = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert first.job is not None
    assert fail_job(first.job.job_id, "it died each time", directory=directory)
    again = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert again.job is not None
    assert again.job.job_id != first.job.job_id


def test_the_last_word_of_a_job_is_reused_though_it_is_not_complete() -> None:
    directory = FakeDirectory(site(delay_s=100.0))
    first = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert first.job is not None
    run_job(first.job.job_id, directory=directory)
    before = requested(directory)
    again = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert again.job is None or again.job.status is JobStatus.DONE
    assert requested(directory) == before


def test_a_job_keeps_its_intent_and_scope() -> None:
    private = f"{HOME}?token=s3cret"
    directory = FakeDirectory({private: site(delay_s=SLOW_S)[HOME]})
    answer = answer_discovery(of_tenant("tenant"), private, directory=directory, intent=Kind.COMMENTS)
    assert answer.job is not None
    done = run_job(answer.job.job_id, directory=directory)
    assert done is not None
    assert (done.site.site.intent, done.site.site.scope) == (Kind.COMMENTS, "tenant")
    assert done.site.site.site_id == url_hash(private, "tenant")


def test_the_same_message_three_times_has_the_result_of_one() -> None:
    directory = slow_site()
    answer = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert answer.job is not None
    assert run_job(answer.job.job_id, directory=directory) is not None
    once, before = directory.sites.site(SITE_ID), requested(directory)
    assert run_job(answer.job.job_id, directory=directory) is None
    assert run_job(answer.job.job_id, directory=directory) is None
    assert (directory.sites.site(SITE_ID), requested(directory)) == (once, before)
    assert len(directory.contents.live()) == len(directory.bus.details) == 1


def test_a_job_ends_within_the_time_that_its_function_has() -> None:
    directory = FakeDirectory(site(delay_s=10.0))
    answer = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert answer.job is not None
    started = directory.clock.monotonic()
    done = run_job(answer.job.job_id, directory=directory, deadline=Deadline.after(15.0, directory.clock.monotonic))
    assert done is not None
    assert directory.clock.monotonic() - started <= 15.0
    assert done.job is not None
    assert done.job.status is JobStatus.DONE


def test_a_store_that_fails_in_a_job_leaves_it_to_the_next_delivery() -> None:
    directory = slow_site()
    answer = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert answer.job is not None
    save = directory.sites.save

    def failing(*_: Any, **__: Any) -> bool:
        raise StoreUnavailable("away")

    directory.sites.save = failing  # type: ignore[method-assign]
    with pytest.raises(StoreUnavailable):
        run_job(answer.job.job_id, directory=directory)
    assert directory.contents.jobs()[answer.job.job_id]["status"] == "running"
    directory.sites.save = save  # type: ignore[method-assign]
    done = run_job(answer.job.job_id, directory=directory)
    assert done is not None
    assert len(directory.contents.live()) == 1
    assert directory.contents.jobs()[answer.job.job_id]["attempts"] == 2


def test_a_job_that_was_killed_after_it_saved_has_nothing_left_to_ask() -> None:
    directory = slow_site()
    answer = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert answer.job is not None
    end_job = directory.sites.end_job

    def failing(*_: Any, **__: Any) -> bool:
        raise StoreUnavailable("away")

    directory.sites.end_job = failing  # type: ignore[method-assign]
    with pytest.raises(StoreUnavailable):
        run_job(answer.job.job_id, directory=directory)
    before = requested(directory)
    directory.sites.end_job = end_job  # type: ignore[method-assign]
    done = run_job(answer.job.job_id, directory=directory)
    assert done is not None
    assert (done.job and done.job.status, done.reused) == (JobStatus.DONE, True)
    assert requested(directory) == before


def test_a_job_whose_site_could_not_be_saved_is_sent_all_the_same() -> None:
    directory = slow_site()
    save = directory.sites.save

    def failing(*_: Any, **__: Any) -> bool:
        raise StoreUnavailable("away")

    directory.sites.save = failing  # type: ignore[method-assign]
    with pytest.raises(StoreUnavailable):
        answer_discovery(SELF_HOSTED, HOME, directory=directory)
    directory.sites.save = save  # type: ignore[method-assign]
    (job_id,) = directory.contents.jobs()
    assert directory.queue.messages == [discover_message(job_id)]
    done = run_job(job_id, directory=directory)
    assert done is not None
    assert done.site.site.canonical_feed_url == FEED


def test_a_slower_request_leaves_the_site_to_the_faster_ones_job() -> None:
    directory = slow_site()
    save = directory.sites.save
    quicker: list[DiscoveryAnswer] = []

    def interrupted(*args: Any, **options: Any) -> bool:
        if not quicker:
            directory.sites.save = save  # type: ignore[method-assign]
            began = directory.clock.time
            quicker.append(answer_discovery(SELF_HOSTED, HOME, directory=directory))
            directory.clock.time = began  # they ran side by side
        return save(*args, **options)

    directory.sites.save = interrupted  # type: ignore[method-assign]
    slower = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    (theirs,) = quicker
    assert theirs.job is not None
    assert (slower.job, slower.site) == (theirs.job, theirs.site)
    assert directory.queue.messages == [discover_message(theirs.job.job_id)]
    statuses = {job_id: job["status"] for job_id, job in directory.contents.jobs().items()}
    assert statuses.pop(theirs.job.job_id) == "pending"
    assert list(statuses.values()) == ["done"]


def test_a_job_after_its_last_delivery_has_failed_with_a_reason() -> None:
    directory = slow_site()
    answer = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert answer.job is not None
    assert fail_job(answer.job.job_id, "store_unavailable", directory=directory)
    assert not fail_job(answer.job.job_id, "again", directory=directory)
    found = find_job(SELF_HOSTED, answer.job.job_id, directory=directory)
    assert (found.job.status, found.job.reason) == (JobStatus.FAILED, "store_unavailable")
    assert run_job(answer.job.job_id, directory=directory) is None


# --- looked up ---------------------------------------------------------------------------------------


def test_a_job_and_a_site_are_found_by_their_ids() -> None:
    directory = slow_site()
    answer = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert answer.job is not None
    found = find_job(SELF_HOSTED, answer.job.job_id, directory=directory)
    assert (found.job, found.site) == (answer.job, answer.site)
    assert find_site(SELF_HOSTED, SITE_ID, directory=directory).job == answer.job
    run_job(answer.job.job_id, directory=directory)
    assert find_site(SELF_HOSTED, SITE_ID, directory=directory).job is None
    assert find_job(SELF_HOSTED, answer.job.job_id, directory=directory).job.status is JobStatus.DONE


def test_a_missing_object_is_not_found() -> None:
    directory = FakeDirectory({})
    with pytest.raises(NotFound):
        find_job(SELF_HOSTED, f"{SITE_ID}.01K00000000000000000000000", directory=directory)
    with pytest.raises(NotFound):
        find_site(SELF_HOSTED, SITE_ID, directory=directory)
    assert run_job(f"{SITE_ID}.01K00000000000000000000000", directory=directory) is None


def half_found() -> tuple[FakeDirectory, DiscoveryAnswer]:
    """A slow site with a feed of comments alone, and the job that had no time to look whether there is another."""
    directory = FakeDirectory(
        {HOME: page("/comments.xml", delay_s=SLOW_S), COMMENTS: document(COMMENTS, delay_s=SLOW_S)}
        | {f"{HOME}{path}": {"status": 404, "delay_s": SLOW_S} for path in ("*", "feed", "feed/", "index.xml")}
    )
    answer = answer_discovery(SELF_HOSTED, HOME, directory=directory)
    assert answer.job is not None
    done = run_job(
        answer.job.job_id, directory=directory, deadline=Deadline.after(2 * SLOW_S + 2.0, directory.clock.monotonic)
    )
    assert done is not None
    assert (done.site.site.complete, done.job and done.job.status) == (False, JobStatus.DONE)
    return directory, done


def test_the_feed_of_a_job_is_registered_although_time_ended_the_search() -> None:
    directory, done = half_found()
    assert done.site.site.canonical_feed_url == COMMENTS
    assert done.site.site.feed_id in directory.contents.live()


def test_a_refresh_searches_again_although_a_job_has_just_ended() -> None:
    directory, done = half_found()
    before = requested(directory)
    assert answer_discovery(SELF_HOSTED, HOME, directory=directory).site == done.site
    assert requested(directory) == before
    assert answer_discovery(SELF_HOSTED, HOME, directory=directory, refresh=True).job != done.job
    assert requested(directory) > before
