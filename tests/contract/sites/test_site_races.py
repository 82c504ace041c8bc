"""Concurrent discoveries of one site: one site, all its candidates, one feed, one job (rules I1, I6)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.adapters.aws_calls import Backoff
from feedward.adapters.dynamodb.access.key_store import DynamoKeyStore
from feedward.adapters.dynamodb.feeds.feed_store import DynamoFeedStore
from feedward.adapters.dynamodb.feeds.outbox import DynamoOutbox
from feedward.adapters.dynamodb.sites.site_store import DynamoSiteStore
from feedward.adapters.dynamodb.state.host_limiter import DynamoHostLimiter
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.deadline import Deadline
from feedward.discovery.site import JobStatus, SiteCandidate
from feedward.services.discover.discover_site import answer_discovery, run_job
from tests.contract.benches.feeds import NOW
from tests.contract.benches.sites import SITE_ID, candidate, new_job, stored_site
from tests.contract.conftest import Bench
from tests.fakes.directory import FakeClock
from tests.fakes.discover_queue import FakeDiscoverQueue
from tests.fakes.event_bus import FakeEventBus
from tests.fakes.fetcher import FakeFetcher
from tests.fakes.uncharged import Uncharged
from tests.unit.canonical.documents import atom

THREADS = 16
HOME = "https://example.com/"
FEED = "https://example.com/feed.xml"
COMMENTS = "https://example.com/comments.xml"
PATIENCE_S = 60.0  # of the stores, on a machine that does other things too

Result = TypeVar("Result")


def at_once(work: Callable[[int], Result], threads: int = THREADS) -> list[Result]:
    """Do the work on so many threads that start together; raise any error of theirs."""
    barrier = threading.Barrier(threads)

    def start(n: int) -> Result:
        barrier.wait()
        return work(n)

    with ThreadPoolExecutor(threads) as pool:
        return [done.result() for done in [pool.submit(start, n) for n in range(threads)]]


def network(delay_s: float = 0.0) -> dict[str, dict[str, Any]]:
    links = "".join(
        f'<link rel="alternate" type="application/atom+xml" href="{path}">' for path in ("/feed.xml", "/comments.xml")
    )
    html = {"Content-Type": "text/html"}
    return {
        HOME: {"body": f"<!doctype html><title>Blog</title>{links}", "headers": html, "delay_s": delay_s},
        FEED: {"body": atom(self_url=FEED, items=("1", "2")), "delay_s": delay_s},
        COMMENTS: {"body": atom("Comments", self_url=COMMENTS, items=("8", "9")), "delay_s": delay_s},
    }


@dataclass
class Town:
    """The shared parts of all processes: one directory, one queue, one bus."""

    bench: Bench
    delay_s: float = 0.0
    queue: FakeDiscoverQueue = field(default_factory=FakeDiscoverQueue)
    bus: FakeEventBus = field(default_factory=FakeEventBus)

    def process(self) -> Process:
        """A function of its own: with its own clock, and stores that really wait."""
        return Process(self)


class Process:
    """services.discover.site_run.Directory, for one of several processes."""

    rsshub_base = None

    def __init__(self, town: Town) -> None:
        client: Any = town.bench.faults
        tables = Tables(client, town.bench.contents.names, Backoff(attempts=12))
        self.clock = FakeClock()
        self.fetcher = FakeFetcher(network(town.delay_s), clock=self.clock)
        self.store = DynamoFeedStore(tables)
        self.sites = DynamoSiteStore(tables)
        self.outbox = DynamoOutbox(tables)
        self.limiter = DynamoHostLimiter(tables)
        self.queue = town.queue
        self.bus = town.bus
        self.charges = Uncharged()
        self.keys = DynamoKeyStore(tables)


def assert_one_site_one_feed(town: Town) -> None:
    contents = town.bench.contents
    (site,) = contents.sites().values()
    (feed,) = contents.live().values()
    assert contents.faults_of_form() == []
    assert set(contents.candidates(SITE_ID)) >= {FEED, COMMENTS}
    assert (site["feed_id"], site["complete"], site["canonical_feed_url"]) == (feed["feed_id"], True, FEED)
    assert [url for url, each in contents.candidates(SITE_ID).items() if each["is_canonical"]] == [FEED]
    assert contents.pending("event") == []
    assert len({each["id"] for each in town.bus.details}) == 1


# --- the store ----------------------------------------------------------------------------------------


def save_until_done(sites: DynamoSiteStore, mine: SiteCandidate, all_have_read: threading.Barrier) -> int:
    """Read, decide and save until it is done, and return the number of attempts. All share the first read."""
    for tries in range(1, 200):
        before = sites.site(SITE_ID)
        if tries == 1:
            all_have_read.wait()
        rev = before.site.rev if before else 0
        others = before.candidates if before else ()
        if sites.save(stored_site(*others, mine), changed=[mine], seen_rev=rev):
            return tries
    raise AssertionError("never done")


def test_16_threads_that_save_their_candidates_leave_all_of_them(bench: Bench) -> None:
    mine = [candidate(f"https://example.com/{n}", title=str(n)) for n in range(THREADS)]
    town, all_have_read = Town(bench), threading.Barrier(THREADS)
    tries = at_once(lambda n: save_until_done(town.process().sites, mine[n], all_have_read))
    found = bench.sites.site(SITE_ID)
    assert found is not None
    assert {each.candidate_url: each.title for each in found.candidates} == {
        each.candidate_url: each.title for each in mine
    }
    assert found.site.rev == THREADS
    assert tries.count(1) == 1


def test_of_16_threads_that_write_over_one_state_one_does(bench: Bench) -> None:
    bench.sites.save(stored_site(), changed=(), seen_rev=0)
    done = at_once(lambda n: bench.sites.save(stored_site(title=str(n)), changed=(), seen_rev=1))
    found = bench.sites.site(SITE_ID)
    assert found is not None
    assert (done.count(True), found.site.rev) == (1, 2)
    assert found.site.title == str(done.index(True))


def test_a_job_that_many_take_and_end_ends_once(bench: Bench) -> None:
    job = new_job()
    bench.sites.open_job(job)
    taken = at_once(lambda _: bench.sites.take_job(job.job_id, now=NOW))
    stored = bench.sites.job(job.job_id)
    assert stored is not None
    assert stored.attempts == len([each for each in taken if each]) == THREADS
    ended = at_once(lambda n: bench.sites.end_job(job.job_id, status=JobStatus.DONE, now=NOW + n, reason=str(n)))
    assert ended.count(True) == 1
    last = bench.sites.job(job.job_id)
    assert last is not None
    assert last.reason == str(ended.index(True))
    assert not any(at_once(lambda _: bench.sites.take_job(job.job_id, now=NOW)))


# --- the use case -------------------------------------------------------------------------------------


def test_16_discoveries_of_one_site_at_once_leave_one_site_and_one_feed(bench: Bench) -> None:
    town = Town(bench)
    answers = at_once(
        lambda _: answer_discovery(SELF_HOSTED, HOME, directory=town.process(), deadline=Deadline.after(PATIENCE_S))
    )
    assert len({answer.site.site.feed_id for answer in answers}) == 1
    assert all(answer.job is None for answer in answers)
    assert_one_site_one_feed(town)


def test_16_spellings_of_one_site_are_one_site(bench: Bench) -> None:
    town = Town(bench)
    spellings = ("example.com", HOME, f"{HOME}#top", "https://EXAMPLE.com:443")
    at_once(
        lambda n: answer_discovery(
            SELF_HOSTED, spellings[n % 4], directory=town.process(), deadline=Deadline.after(PATIENCE_S)
        )
    )
    assert_one_site_one_feed(town)


def test_a_slow_site_asked_for_by_many_has_one_job_that_goes_on(bench: Bench) -> None:
    town = Town(bench, delay_s=6.0)
    answers = at_once(
        lambda _: answer_discovery(SELF_HOSTED, HOME, directory=town.process(), deadline=Deadline.after(PATIENCE_S))
    )
    jobs = [answer.job for answer in answers if answer.job]
    assert len(jobs) == THREADS
    assert len({job.job_id for job in jobs}) == 1
    open_jobs = [job for job in bench.contents.jobs().values() if "pending_shard" in job]
    assert [job["job_id"] for job in open_jobs] == [jobs[0].job_id]
    assert town.queue.messages == [{"version": 1, "type": "discover", "job_id": jobs[0].job_id}]


@pytest.mark.parametrize("workers", [2, 8])
def test_one_message_delivered_to_many_workers_has_the_result_of_one(bench: Bench, workers: int) -> None:
    town = Town(bench, delay_s=6.0)
    answer = answer_discovery(SELF_HOSTED, HOME, directory=town.process(), deadline=Deadline.after(PATIENCE_S))
    assert answer.job is not None
    job_id = answer.job.job_id
    at_once(lambda _: run_job(job_id, directory=town.process()), threads=workers)
    assert_one_site_one_feed(town)
    (job,) = bench.contents.jobs().values()
    assert (job["status"], "pending_shard" in job) == ("done", False)
    assert run_job(job_id, directory=town.process()) is None


def test_discoveries_amid_conflicts_and_throttling_end_the_same(fake_bench: Bench) -> None:
    fake_bench.faults.conflicts = 20
    fake_bench.faults.throttles = 20
    town = Town(fake_bench)
    at_once(
        lambda _: answer_discovery(SELF_HOSTED, HOME, directory=town.process(), deadline=Deadline.after(PATIENCE_S))
    )
    assert_one_site_one_feed(town)


def test_a_later_discovery_beside_a_job_loses_nothing(bench: Bench) -> None:
    town = Town(bench, delay_s=6.0)
    answer = answer_discovery(SELF_HOSTED, HOME, directory=town.process(), deadline=Deadline.after(PATIENCE_S))
    assert answer.job is not None
    job = answer.job
    fast = Town(bench, queue=town.queue, bus=town.bus)

    def work(n: int) -> object:
        if n % 2:
            return run_job(job.job_id, directory=town.process())
        return answer_discovery(
            SELF_HOSTED, HOME, directory=fast.process(), refresh=True, deadline=Deadline.after(PATIENCE_S)
        )

    at_once(work, threads=8)
    assert_one_site_one_feed(town)
