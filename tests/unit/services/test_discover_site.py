"""A site is discovered once, kept, reused, and goes on as a job where time ends the search."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.discovery.candidate import Kind, ValidationStatus
from feedward.discovery.result import DiscoveryOutcome
from feedward.discovery.site import JobStatus
from feedward.errors import Conflict, InvalidInput, NotFound, StoreUnavailable
from feedward.services.discover_job import fail_job, find_job, find_site, run_job
from feedward.services.discover_site import (
    JOB_YOUNG_S,
    REUSE_S,
    answer_discovery,
    discover_for_subscription,
    discover_message,
)
from feedward.services.register import canonicalize_and_register
from feedward.services.site_run import RETRIES
from feedward.urls.key import url_hash
from tests.fakes.directory import NOW, FakeDirectory
from tests.fakes.dynamodb_faults import FOR_EVER
from tests.unit.canonical.documents import atom

HOME = "https://blog.example.com/"
FEED = "https://blog.example.com/feed.xml"
COMMENTS = "https://blog.example.com/comments.xml"
SITE_ID = url_hash(HOME)
HTML = {"Content-Type": "text/html; charset=utf-8"}
SLOW_S = 6.0


def page(*links: str, **members: Any) -> dict[str, Any]:
    tags = "".join(f'<link rel="alternate" type="application/atom+xml" href="{link}">' for link in links)
    return {"body": f"<!doctype html><title>A Blog</title>{tags}<p>Hello", "headers": HTML, **members}


def document(url: str = FEED, **members: Any) -> dict[str, Any]:
    body = atom(self_url=url, items=("1", "2", "3")).replace("<id>urn:f</id>", f'<id>urn:f</id><link href="{HOME}"/>')
    return {"body": body, "headers": {"Content-Type": "application/atom+xml"}, **members}


def site(**members: Any) -> dict[str, Any]:
    """A home page that advertises one feed."""
    return {HOME: page("/feed.xml", **members), FEED: document(**members)}


def slow_site() -> FakeDirectory:
    return FakeDirectory(site(delay_s=SLOW_S))


def requested(directory: FakeDirectory) -> int:
    return len(directory.internet.requests)


def detail(url: str = "blog.example.com") -> dict[str, Any]:
    return {
        "version": 1,
        "id": "01K00000000000000000000000",
        "occurred_at": NOW,
        "tenant_id": None,
        "subscription_id": "01K00000000000000000000001",
        "url": url,
    }


# --- found within the answer's time -----------------------------------------------------------------


def test_a_site_is_answered_with_its_canonical_feed_and_kept() -> None:
    directory = FakeDirectory(site())
    answer = answer_discovery("blog.example.com", directory=directory)
    found = answer.site.site
    assert (answer.job, answer.reused, answer.stored) == (None, False, True)
    assert (found.site_id, found.outcome, found.complete) == (SITE_ID, DiscoveryOutcome.FOUND, True)
    assert (found.input_url, found.canonical_url, found.title) == ("blog.example.com", HOME, "A Blog")
    assert found.canonical_feed_url == FEED
    assert directory.sites.site(SITE_ID) == answer.site


def test_the_canonical_feed_is_registered_with_the_sites_choice() -> None:
    directory = FakeDirectory(site())
    answer = answer_discovery(HOME, directory=directory)
    (feed,) = directory.contents.live().values()
    (meta,) = directory.contents.under(feed["feed_id"], "META")
    chosen = answer.site.candidates[0]
    assert feed["url"] == FEED
    assert answer.site.site.feed_id == chosen.feed_id == feed["feed_id"]
    assert (meta["site_id"], meta["is_canonical"], meta["canonical_score"]) == (SITE_ID, True, chosen.score)


def meta_of(directory: FakeDirectory, feed_id: str | None) -> dict[str, Any]:
    (meta,) = directory.contents.under(feed_id or "", "META")
    return {name: meta.get(name) for name in ("site_id", "is_canonical", "canonical_score")}


def test_a_feed_that_the_directory_had_before_becomes_the_sites_choice() -> None:
    directory = FakeDirectory(site())
    canonicalize_and_register(FEED, fetcher=directory.fetcher, store=directory.store, now=NOW)
    answer = answer_discovery(HOME, directory=directory)
    expected = {"site_id": SITE_ID, "is_canonical": True, "canonical_score": answer.site.candidates[0].score}
    assert meta_of(directory, answer.site.site.feed_id) == expected


def test_a_site_that_chooses_another_feed_takes_its_choice_back() -> None:
    directory = FakeDirectory(site())
    first = answer_discovery(HOME, directory=directory)
    moved = "https://blog.example.com/new.xml"
    directory.internet.network = FakeDirectory({HOME: page("/new.xml"), moved: document(moved)}).internet.network
    directory.internet.network[moved] = document(moved, body=atom("Other", self_url=moved, items=("8", "9")))
    directory.clock.advance(REUSE_S + 1)
    again = answer_discovery(HOME, directory=directory)
    assert first.site.site.feed_id != again.site.site.feed_id
    assert meta_of(directory, first.site.site.feed_id)["is_canonical"] is None
    assert meta_of(directory, again.site.site.feed_id)["is_canonical"] is True


def test_canonicalizing_asks_nothing_that_the_search_asked_already() -> None:
    directory = FakeDirectory(site())
    answer_discovery(HOME, directory=directory)
    assert directory.internet.requests == [HOME, FEED]


def test_a_feed_is_told_to_the_bus_and_owed_no_more() -> None:
    directory = FakeDirectory(site())
    answer = answer_discovery(HOME, directory=directory)
    assert [(each["feed_id"], each["url"]) for each in directory.bus.details] == [(answer.site.site.feed_id, FEED)]
    assert directory.contents.owed("event") == []


def test_the_cleaner_url_of_the_feed_is_the_one_that_is_registered() -> None:
    tracked = f"{FEED}?utm_source=page"
    directory = FakeDirectory({HOME: page(tracked), tracked: document(), FEED: document()})
    answer = answer_discovery(HOME, directory=directory)
    assert answer.site.site.canonical_feed_url == FEED
    assert [feed["url"] for feed in directory.contents.live().values()] == [FEED]
    known = directory.store.find([tracked])
    assert known is not None
    assert known.url == FEED


def test_a_feed_that_the_directory_has_is_joined_and_not_announced_again() -> None:
    directory = FakeDirectory({**site(), "https://other.example.com/": page(FEED)})
    answer_discovery(HOME, directory=directory)
    directory.bus.events.entries.clear()
    answer = answer_discovery("https://other.example.com/", directory=directory)
    assert len(directory.contents.live()) == 1
    assert directory.bus.details == []
    assert answer.stored


def test_a_site_without_a_feed_is_kept_as_that() -> None:
    directory = FakeDirectory({HOME: page()})
    answer = answer_discovery(HOME, directory=directory)
    assert answer.site.site.outcome is DiscoveryOutcome.NO_FEED
    assert (answer.job, answer.site.site.feed_id) == (None, None)
    assert SITE_ID in directory.contents.sites()
    assert directory.contents.feeds() == {}


@pytest.mark.parametrize(
    ("url", "outcome"),
    [
        ("not a url", DiscoveryOutcome.BAD_URL),
        ("", DiscoveryOutcome.BAD_URL),
        ("javascript:alert(1)", DiscoveryOutcome.BAD_URL),
        ("https://example.com/" + "a" * 3000, DiscoveryOutcome.BAD_URL),
        ("http://169.254.169.254/latest/meta-data/", DiscoveryOutcome.BLOCKED),
        ("http://localhost/", DiscoveryOutcome.BLOCKED),
        ("http://[::1]/", DiscoveryOutcome.BLOCKED),
        ("http://user:secret@example.com/", DiscoveryOutcome.BLOCKED),
        ("https://moved.example.com/", DiscoveryOutcome.BLOCKED),
    ],
)
def test_what_may_not_be_fetched_is_answered_and_never_kept(url: str, outcome: DiscoveryOutcome) -> None:
    inside = {"status": 302, "headers": {"Location": "http://10.0.0.1/"}}
    directory = FakeDirectory({"https://moved.example.com/": inside})
    answer = answer_discovery(url, directory=directory)
    assert (answer.site.site.outcome, answer.job, answer.stored) == (outcome, None, False)
    assert directory.contents.sites() == {}
    assert directory.contents.jobs() == {}
    assert all("10.0.0.1" not in asked for asked in directory.internet.requests)


def test_a_private_url_is_a_tenants_own() -> None:
    directory = FakeDirectory(site())
    answer_discovery(HOME, directory=directory)
    answer = answer_discovery(HOME, directory=directory, scope="tenant")
    assert answer.site.site.site_id == url_hash(HOME, "tenant")
    assert (answer.reused, answer.site.site.scope) == (False, "tenant")
    assert len(directory.contents.live()) == 2
    assert {each["tenant_id"] for each in directory.bus.details} == {None, "tenant"}


# --- reused -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("url", [HOME, "blog.example.com", "http://blog.example.com", f"{HOME}#top"])
def test_what_was_found_a_moment_ago_is_answered_without_a_request(url: str) -> None:
    directory = FakeDirectory(site())
    first = answer_discovery(HOME, directory=directory)
    before = requested(directory)
    directory.clock.advance(REUSE_S)
    again = answer_discovery(url, directory=directory)
    assert (again.reused, again.site) == (True, first.site)
    assert requested(directory) == before


def test_after_15_minutes_the_site_is_looked_at_again() -> None:
    directory = FakeDirectory(site())
    answer_discovery(HOME, directory=directory)
    before = requested(directory)
    directory.clock.advance(REUSE_S + 1)
    again = answer_discovery(HOME, directory=directory)
    assert not again.reused
    assert requested(directory) > before
    assert again.site.site.last_discovered_at == NOW + REUSE_S + 1


def test_refresh_looks_again_at_once() -> None:
    directory = FakeDirectory(site())
    answer_discovery(HOME, directory=directory)
    before = requested(directory)
    assert not answer_discovery(HOME, directory=directory, refresh=True).reused
    assert requested(directory) > before


def test_another_intent_looks_again_and_the_same_one_does_not() -> None:
    directory = FakeDirectory(
        {HOME: page("/feed.xml", "/comments.xml"), FEED: document(), COMMENTS: document(COMMENTS)}
    )
    answer_discovery(HOME, directory=directory)
    assert answer_discovery(HOME, directory=directory, intent=Kind.MAIN).reused
    assert not answer_discovery(HOME, directory=directory, intent=Kind.COMMENTS).reused
    assert answer_discovery(HOME, directory=directory, intent=Kind.COMMENTS).reused


def test_rediscovery_updates_in_place_and_forgets_no_candidate() -> None:
    directory = FakeDirectory(site())
    first = answer_discovery(HOME, directory=directory)
    moved = "https://blog.example.com/new.xml"
    directory.internet.network = FakeDirectory({HOME: page("/new.xml"), moved: document(moved)}).internet.network
    directory.clock.advance(REUSE_S + 1)
    again = answer_discovery(HOME, directory=directory)
    old = next(each for each in again.site.candidates if each.candidate_url == FEED)
    assert again.site.candidates[0].candidate_url == moved
    assert (old.is_canonical, old.feed_id, old.missing_since) == (False, first.site.site.feed_id, NOW + REUSE_S + 1)
    assert again.site.site.created_at == NOW
    assert len(directory.contents.sites()) == 1
    assert directory.sites.site(SITE_ID) == again.site


def test_what_a_crash_left_owed_is_sent_when_the_site_is_asked_for_again() -> None:
    directory = FakeDirectory(site())
    directory.bus.events.fails = FOR_EVER
    answer_discovery(HOME, directory=directory)
    assert len(directory.contents.owed("event")) == 1
    directory.bus.events.fails = 0
    assert answer_discovery(HOME, directory=directory).reused
    assert directory.contents.owed("event") == []
    assert len(directory.bus.details) == 1


# --- what stores, bus and queue do ------------------------------------------------------------------


@pytest.mark.parametrize("knob", ["fails", "throttles", "refuses"])
def test_a_bus_that_fails_costs_no_answer_and_the_event_stays_owed(knob: str) -> None:
    directory = FakeDirectory(site())
    setattr(directory.bus.events, knob, FOR_EVER)
    answer = answer_discovery(HOME, directory=directory)
    assert answer.site.site.feed_id is not None
    assert answer.left_owed == ("throttled" if knob == "throttles" else "bus_unavailable",)
    assert directory.sites.site(SITE_ID) == answer.site
    (owed,) = directory.contents.owed("event")
    assert owed["detail_type"] == "FeedDiscovered"


def test_a_queue_that_fails_costs_no_answer_and_the_job_stays_pending() -> None:
    directory = slow_site()
    directory.queue.sqs.fails = FOR_EVER
    answer = answer_discovery(HOME, directory=directory)
    assert answer.job is not None
    job = directory.contents.jobs()[answer.job.job_id]
    assert (job["status"], "pending_shard" in job) == ("pending", True)
    assert answer.left_owed == ("queue_unavailable",)
    assert directory.queue.messages == []


def test_a_store_that_is_away_is_said() -> None:
    directory = FakeDirectory(site())
    directory.faults.throttles = FOR_EVER
    with pytest.raises(Exception, match="slow down"):
        answer_discovery(HOME, directory=directory)


def test_a_write_that_lost_to_another_is_decided_again() -> None:
    directory = FakeDirectory(site())
    save = directory.sites.save
    others: list[int] = []

    def interrupted(*args: Any, **options: Any) -> bool:
        if len(others) < RETRIES:
            others.append(1)
            before = directory.sites.site(SITE_ID)
            theirs = before or answer_site()
            assert save(theirs, changed=theirs.candidates, seen_rev=before.site.rev if before else 0)
        return save(*args, **options)

    def answer_site() -> Any:
        elsewhere = FakeDirectory({HOME: page("/other.xml"), "https://blog.example.com/other.xml": {"status": 404}})
        return answer_discovery(HOME, directory=elsewhere).site

    directory.sites.save = interrupted  # type: ignore[method-assign]
    answer = answer_discovery(HOME, directory=directory)
    stored = directory.sites.site(SITE_ID)
    assert stored == answer.site
    assert {each.candidate_url for each in stored.candidates} >= {FEED, "https://blog.example.com/other.xml"}


def test_who_loses_every_time_says_so() -> None:
    directory = FakeDirectory(site())
    tries: list[int] = []
    directory.sites.save = lambda *_, **__: tries.append(1)  # type: ignore[method-assign,assignment]
    with pytest.raises(Conflict):
        answer_discovery(HOME, directory=directory)
    assert len(tries) == 1 + RETRIES


# --- longer than an answer ---------------------------------------------------------------------------


def test_a_slow_site_is_answered_in_time_with_a_job_that_finds_the_feed() -> None:
    directory = slow_site()
    answer = answer_discovery(HOME, directory=directory)
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
    answer = answer_discovery(HOME, directory=directory)
    assert seen == [("pending", answer.site)]


def test_a_site_whose_job_goes_on_is_answered_with_that_job() -> None:
    directory = slow_site()
    first = answer_discovery(HOME, directory=directory)
    before = requested(directory)
    for refresh in (False, True):
        again = answer_discovery(HOME, directory=directory, refresh=refresh)
        assert (again.job, again.reused) == (first.job, True)
    assert requested(directory) == before
    assert len(directory.queue.messages) == 1


def test_a_job_that_nobody_took_up_for_long_is_not_waited_for() -> None:
    directory = slow_site()
    first = answer_discovery(HOME, directory=directory)
    directory.clock.advance(JOB_YOUNG_S + 1)
    again = answer_discovery(HOME, directory=directory)
    assert again.job is not None
    assert first.job is not None
    assert again.job.job_id != first.job.job_id


def test_a_failed_job_is_not_waited_for() -> None:
    directory = slow_site()
    first = answer_discovery(HOME, directory=directory)
    assert first.job is not None
    assert fail_job(first.job.job_id, "it died each time", directory=directory)
    again = answer_discovery(HOME, directory=directory)
    assert again.job is not None
    assert again.job.job_id != first.job.job_id


def test_the_last_word_of_a_job_is_reused_though_it_is_not_complete() -> None:
    directory = FakeDirectory(site(delay_s=100.0))
    first = answer_discovery(HOME, directory=directory)
    assert first.job is not None
    run_job(first.job.job_id, directory=directory)
    before = requested(directory)
    again = answer_discovery(HOME, directory=directory)
    assert again.job is None or again.job.status is JobStatus.DONE
    assert requested(directory) == before


def test_a_job_keeps_its_intent_and_scope() -> None:
    directory = slow_site()
    answer = answer_discovery(HOME, directory=directory, intent=Kind.COMMENTS, scope="tenant")
    assert answer.job is not None
    done = run_job(answer.job.job_id, directory=directory)
    assert done is not None
    assert (done.site.site.intent, done.site.site.scope) == (Kind.COMMENTS, "tenant")
    assert done.site.site.site_id == url_hash(HOME, "tenant")


def test_the_same_message_three_times_leaves_what_one_leaves() -> None:
    directory = slow_site()
    answer = answer_discovery(HOME, directory=directory)
    assert answer.job is not None
    assert run_job(answer.job.job_id, directory=directory) is not None
    once, before = directory.sites.site(SITE_ID), requested(directory)
    assert run_job(answer.job.job_id, directory=directory) is None
    assert run_job(answer.job.job_id, directory=directory) is None
    assert (directory.sites.site(SITE_ID), requested(directory)) == (once, before)
    assert len(directory.contents.live()) == len(directory.bus.details) == 1


def test_a_job_ends_within_the_time_that_its_function_has() -> None:
    directory = FakeDirectory(site(delay_s=10.0))
    answer = answer_discovery(HOME, directory=directory)
    assert answer.job is not None
    started = directory.clock.monotonic()
    done = run_job(answer.job.job_id, directory=directory, within_s=15.0)
    assert done is not None
    assert directory.clock.monotonic() - started <= 15.0
    assert done.job is not None
    assert done.job.status is JobStatus.DONE


def test_a_store_that_fails_in_a_job_leaves_it_to_the_next_delivery() -> None:
    directory = slow_site()
    answer = answer_discovery(HOME, directory=directory)
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


def test_a_job_after_its_last_delivery_has_failed_with_a_reason() -> None:
    directory = slow_site()
    answer = answer_discovery(HOME, directory=directory)
    assert answer.job is not None
    assert fail_job(answer.job.job_id, "store_unavailable", directory=directory)
    assert not fail_job(answer.job.job_id, "again", directory=directory)
    found = find_job(answer.job.job_id, directory=directory)
    assert (found.job.status, found.job.reason) == (JobStatus.FAILED, "store_unavailable")
    assert run_job(answer.job.job_id, directory=directory) is None


# --- looked up ---------------------------------------------------------------------------------------


def test_a_job_and_a_site_are_found_by_their_ids() -> None:
    directory = slow_site()
    answer = answer_discovery(HOME, directory=directory)
    assert answer.job is not None
    found = find_job(answer.job.job_id, directory=directory)
    assert (found.job, found.site) == (answer.job, answer.site)
    assert find_site(SITE_ID, directory=directory).job == answer.job
    run_job(answer.job.job_id, directory=directory)
    assert find_site(SITE_ID, directory=directory).job is None
    assert find_job(answer.job.job_id, directory=directory).job.status is JobStatus.DONE


def test_what_is_not_there_is_not_found() -> None:
    directory = FakeDirectory({})
    with pytest.raises(NotFound):
        find_job(f"{SITE_ID}.01K00000000000000000000000", directory=directory)
    with pytest.raises(NotFound):
        find_site(SITE_ID, directory=directory)
    assert run_job(f"{SITE_ID}.01K00000000000000000000000", directory=directory) is None


# --- subscriptions -----------------------------------------------------------------------------------


def test_a_subscription_finds_and_registers_the_feed_of_a_slow_site() -> None:
    directory = slow_site()
    answer = discover_for_subscription(detail(), directory=directory)
    assert (answer.site.site.canonical_feed_url, answer.job, answer.reused) == (FEED, None, False)
    assert len(directory.contents.live()) == 1
    assert directory.queue.messages == []


def test_a_subscription_takes_what_was_found_a_moment_ago() -> None:
    directory = slow_site()
    first = discover_for_subscription(detail(), directory=directory)
    before = requested(directory)
    again = discover_for_subscription(detail(HOME), directory=directory)
    assert (again.reused, again.site) == (True, first.site)
    assert requested(directory) == before


@pytest.mark.parametrize(
    ("members", "field"),
    [
        ({"url": None}, "url"),
        ({"url": 5}, "url"),
        ({"url": ""}, "url"),
        ({"version": 2}, "version"),
        ({"tenant_id": 7}, "tenant_id"),
        ({"subscription_id": []}, "subscription_id"),
    ],
)
def test_a_detail_that_names_no_url_is_bad_input(members: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        discover_for_subscription(detail() | members, directory=FakeDirectory({}))
    assert caught.value.field == field


def test_a_subscription_to_what_may_not_be_fetched_is_answered_and_not_kept() -> None:
    directory = FakeDirectory({})
    answer = discover_for_subscription(detail("http://127.0.0.1/"), directory=directory)
    assert (answer.site.site.outcome, answer.stored) == (DiscoveryOutcome.BLOCKED, False)
    assert directory.contents.sites() == {}


def test_invalid_candidates_are_kept_with_why() -> None:
    directory = FakeDirectory(
        {HOME: page("/gone.xml", "/feed.xml"), FEED: document()} | {f"{HOME}gone.xml": {"status": 410}}
    )
    answer = answer_discovery(HOME, directory=directory)
    gone = next(each for each in answer.site.candidates if each.candidate_url == f"{HOME}gone.xml")
    assert (gone.validation_status, gone.last_error, gone.http_status) == (ValidationStatus.INVALID, "gone", 410)
