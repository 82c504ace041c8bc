"""After a kill at any call, the next run completes the work: one site, one feed, the same candidates."""

from __future__ import annotations

import contextlib
from typing import Any

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.discovery.site import JobStatus
from feedward.services.discover.discover_site import answer_discovery, run_job
from feedward.services.discover.reuse import REUSE_S
from feedward.services.subscribe.discover import discover_for_subscription
from tests.fakes.directory import FakeDirectory
from tests.fakes.dynamodb_faults import Died
from tests.unit.canonical.documents import atom
from tests.unit.services.discover.blog import HOME, SITE_ID, detail, document, page, site, slow_site

MOVED = "https://blog.example.com/new.xml"
MOST_CALLS = 60


def state(directory: FakeDirectory) -> dict[str, Any]:
    """The final contents, except for random ids."""
    found = directory.sites.site(SITE_ID)
    assert found is not None
    feeds = {feed_id: feed["url"] for feed_id, feed in directory.contents.live().items()}
    metas = {feed_id: meta for feed_id in feeds for meta in directory.contents.under(feed_id, "META")}
    return {
        "site": (found.site.outcome, found.site.complete, found.site.canonical_feed_url, found.site.title),
        "candidates": [
            (each.candidate_url, each.validation_status, each.score, each.is_canonical, feeds.get(each.feed_id or ""))
            for each in found.candidates
        ],
        "chosen": feeds.get(found.site.feed_id or ""),
        "feeds": {
            feeds[feed_id]: (meta.get("site_id"), meta.get("is_canonical"), meta.get("canonical_score"))
            for feed_id, meta in metas.items()
        },
        "registry": {row["url"] for row in directory.contents.urls().values()},
        "pending": directory.contents.pending("event"),
        "told": {(each["id"], each["url"]) for each in directory.bus.details if each["feed_id"] in feeds}
        == {(each["id"], each["url"]) for each in directory.bus.details},
        "told of": sorted({each["url"] for each in directory.bus.details}),
        "open jobs": [job for job in directory.contents.jobs().values() if "pending_shard" in job],
    }


def answer(directory: FakeDirectory) -> None:
    answer_discovery(SELF_HOSTED, HOME, directory=directory)


def subscribe(directory: FakeDirectory) -> None:
    discover_for_subscription(detail(), directory=directory)


def do_all_jobs(directory: FakeDirectory) -> None:
    """The work of the queue, and a sweep for messages that were never sent."""
    for job_id, job in list(directory.contents.jobs().items()):
        if job["status"] in (JobStatus.PENDING.value, JobStatus.RUNNING.value):
            run_job(job_id, directory=directory)


def calls_of(make: Any, act: Any) -> int:
    """The number of calls of the act without a kill."""
    directory = make()
    directory.lifespan.live_on()
    act(directory)
    return len(directory.lifespan.calls)


def moved_site() -> FakeDirectory:
    """A site that was discovered, and has another feed now."""
    directory = FakeDirectory(site())
    answer(directory)
    feed = document(MOVED, body=atom("Other", self_url=MOVED, items=("8", "9")))
    directory.internet.network |= FakeDirectory({HOME: page("/new.xml"), MOVED: feed}).internet.network
    directory.clock.advance(REUSE_S + 1)
    return directory


FAST = {
    "answer": (lambda: FakeDirectory(site()), answer),
    "subscription": (lambda: FakeDirectory(site()), subscribe),
    "rediscovery": (moved_site, answer),
}


@pytest.mark.parametrize("makes_last", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(("make", "act"), FAST.values(), ids=FAST)
def test_a_discovery_killed_at_any_call_and_run_again_ends_as_one_that_was_not(
    make: Any, act: Any, makes_last: bool
) -> None:
    whole = make()
    act(whole)
    calls = calls_of(make, act)
    assert 5 <= calls < MOST_CALLS
    for call in range(calls):
        directory = make()
        directory.lifespan.end_at(call, makes_last=makes_last)
        with pytest.raises(Died):
            act(directory)
        directory.lifespan.live_on()
        act(directory)
        assert state(directory) == state(whole), f"killed at call {call}"


@pytest.mark.parametrize("makes_last", [False, True], ids=["before", "after"])
def test_a_slow_answer_killed_at_any_call_loses_no_job(makes_last: bool) -> None:
    whole = slow_site()
    answer(whole)
    do_all_jobs(whole)
    calls = calls_of(slow_site, answer)
    assert 3 <= calls < MOST_CALLS
    for call in range(calls):
        directory = slow_site()
        directory.lifespan.end_at(call, makes_last=makes_last)
        with pytest.raises(Died):
            answer(directory)
        directory.lifespan.live_on()
        answer(directory)
        do_all_jobs(directory)
        assert state(directory) == state(whole), f"killed at call {call}"


@pytest.mark.parametrize("makes_last", [False, True], ids=["before", "after"])
def test_a_worker_killed_at_any_call_loses_nothing(makes_last: bool) -> None:
    whole = slow_site()
    answer(whole)
    do_all_jobs(whole)

    def make() -> FakeDirectory:
        directory = slow_site()
        answer(directory)
        return directory

    calls = calls_of(make, do_all_jobs)
    assert 8 <= calls < MOST_CALLS
    for call in range(calls):
        directory = make()
        directory.lifespan.end_at(call, makes_last=makes_last)
        with contextlib.suppress(Died):
            do_all_jobs(directory)
        directory.lifespan.live_on()
        for _ in range(3):  # the message comes again, and again
            do_all_jobs(directory)
        assert state(directory) == state(whole), f"killed at call {call}"


def test_a_worker_killed_again_and_again_is_done_by_the_first_that_lives() -> None:
    whole = slow_site()
    answer(whole)
    do_all_jobs(whole)
    directory = slow_site()
    answer(directory)
    for call in range(MOST_CALLS):
        directory.lifespan.end_at(call, makes_last=bool(call % 2))
        with contextlib.suppress(Died):
            do_all_jobs(directory)
    directory.lifespan.live_on()
    do_all_jobs(directory)
    assert state(directory) == state(whole)
