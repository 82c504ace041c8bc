"""SitesTable: a site with its candidates, written over the state it was decided from, and jobs with their marks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from feedward.adapters.dynamodb.sites.site_store import CANDIDATES_AT_ONCE
from feedward.deadline import Deadline
from feedward.discovery.candidate import Kind, ValidationStatus
from feedward.discovery.site import JobStatus, SiteCandidate, StoredSite
from feedward.errors import StoreUnavailable, Throttled
from feedward.scheduling.shards import PENDING_SHARDS
from feedward.urls.key import url_hash
from tests.contract.benches.feeds import NOW, feed_id, new_feed
from tests.contract.benches.sites import FULL_CANDIDATE, FULL_SITE, SITE_ID, candidate, new_job, stored_site
from tests.contract.conftest import Bench
from tests.fakes.dynamodb_faults import FOR_EVER

FEED = "https://example.com/feed"
OTHER = "https://example.com/comments/feed"
JOB = new_job()


def save(bench: Bench, site: StoredSite, changed: Sequence[SiteCandidate] | None = None, seen_rev: int = 0) -> bool:
    return bench.sites.save(site, changed=site.candidates if changed is None else changed, seen_rev=seen_rev)


def marks(bench: Bench) -> list[str]:
    """The sort keys that the index `pending` shows."""
    shards = [f"job#{shard}" for shard in range(PENDING_SHARDS)]
    table = bench.contents.names.sites
    return [
        item["sk"]
        for shard in shards
        for item in bench.contents.indexed("pending", "pending_shard", shard, table=table)
    ]


# --- sites ----------------------------------------------------------------------------------------


def test_an_unknown_site_is_none(bench: Bench) -> None:
    assert bench.sites.site(SITE_ID) is None


@pytest.mark.parametrize("members", [{}, FULL_SITE], ids=["bare", "full"])
def test_a_site_comes_back_as_it_was_saved(bench: Bench, members: dict[str, Any]) -> None:
    site = stored_site(candidate(FEED), **members)
    assert save(bench, site)
    assert bench.sites.site(SITE_ID) == replace(site, site=replace(site.site, rev=1))


@pytest.mark.parametrize("members", [{}, FULL_CANDIDATE], ids=["bare", "full"])
def test_a_candidate_comes_back_as_it_was_saved(bench: Bench, members: dict[str, Any]) -> None:
    saved = candidate(FEED, **members)
    save(bench, stored_site(saved))
    found = bench.sites.site(SITE_ID)
    assert found is not None
    assert found.candidates == (saved,)


def test_candidates_are_valid_first_best_first_and_missing_ones_last(bench: Bench) -> None:
    valid = {"validation_status": ValidationStatus.VALID}
    in_order = [
        candidate("https://example.com/best", score=700, **valid),
        candidate("https://example.com/c", score=600, **valid),
        candidate("https://example.com/longer", score=600, **valid),
        candidate("https://example.com/invalid", score=900, validation_status=ValidationStatus.INVALID),
        candidate("https://example.com/gone", score=900, missing_since=NOW, **valid),
    ]
    save(bench, stored_site(*reversed(in_order)))
    found = bench.sites.site(SITE_ID)
    assert found is not None
    assert [each.candidate_url for each in found.candidates] == [each.candidate_url for each in in_order]


def test_only_changed_candidates_are_written_and_the_others_stay(bench: Bench) -> None:
    save(bench, stored_site(candidate(FEED, score=5), candidate(OTHER, score=4)))
    site = stored_site(candidate(FEED, score=9), candidate(OTHER, score=1), last_discovered_at=NOW + 60)
    assert save(bench, site, changed=site.candidates[:1], seen_rev=1)
    found = bench.sites.site(SITE_ID)
    assert found is not None
    assert [(each.candidate_url, each.score) for each in found.candidates] == [(FEED, 9), (OTHER, 4)]
    assert (found.site.last_discovered_at, found.site.rev) == (NOW + 60, 2)


@pytest.mark.parametrize("seen_rev", [0, 1, 3])
def test_a_site_that_changed_since_it_was_seen_is_not_written_over(bench: Bench, seen_rev: int) -> None:
    save(bench, stored_site(candidate(FEED)))
    save(bench, stored_site(), seen_rev=1)
    assert not save(bench, stored_site(candidate(FEED, score=99), title="late"), seen_rev=seen_rev)
    found = bench.sites.site(SITE_ID)
    assert found is not None
    assert (found.site.title, found.site.rev, found.candidates[0].score) == (None, 2, 0)


def test_sites_do_not_see_each_others_candidates(bench: Bench) -> None:
    other = url_hash("https://example.org/")
    save(bench, stored_site(candidate(FEED)))
    save(bench, stored_site(candidate(OTHER), site_id=other))
    found = bench.sites.site(other)
    assert found is not None
    assert [each.candidate_url for each in found.candidates] == [OTHER]


def test_more_candidates_than_a_transaction_takes_are_all_written(bench: Bench) -> None:
    many = [candidate(f"https://example.com/{n}", **FULL_CANDIDATE) for n in range(2 * CANDIDATES_AT_ONCE + 1)]
    assert save(bench, stored_site(*many))
    found = bench.sites.site(SITE_ID)
    assert found is not None
    assert len(found.candidates) == len(many)
    assert {each.candidate_url for each in found.candidates} == {each.candidate_url for each in many}


def test_many_candidates_over_a_changed_site_are_none_of_them_written(bench: Bench) -> None:
    save(bench, stored_site())
    many = [candidate(f"https://example.com/{n}") for n in range(CANDIDATES_AT_ONCE + 1)]
    assert not save(bench, stored_site(*many), seen_rev=0)
    assert bench.contents.candidates(SITE_ID) == {}


def test_texts_of_strangers_are_cut_to_the_tables_limits(bench: Bench) -> None:
    long = "ü" * 500_000
    url = "https://example.com/" + "a" * 5000
    monster = candidate(
        FEED,
        title=long,
        description=long,
        detail=long,
        why=long,
        language=long,
        site_url=url,
        aliases=tuple(f"{OTHER}/{n}" for n in range(5000)),
        items=tuple({"id": long, "url": url, "title": long, "published_at": 10**50} for _ in range(50)),
    )
    site = stored_site(monster, title=long, favicon="data:" + long, generator=long, detail=long)
    assert save(bench, site)
    found = bench.sites.site(SITE_ID)
    assert found is not None
    (kept,) = found.candidates
    assert kept.title == "ü" * 1000
    assert kept.site_url is None
    assert found.site.favicon is None
    assert [len(each["title"]) for each in kept.items] == [1000] * 3
    assert all(each.get("id") is None and each.get("url") is None for each in kept.items)
    assert len(kept.aliases) == 10


def test_a_lone_surrogate_in_a_title_does_not_break_the_save(bench: Bench) -> None:
    assert save(bench, stored_site(candidate(FEED, title="a\ud800b"), title="\udfff"))
    found = bench.sites.site(SITE_ID)
    assert found is not None
    assert (found.candidates[0].title, found.site.title) == ("a?b", "?")


def test_a_save_whose_answer_was_lost_is_done_once(bench: Bench) -> None:
    bench.faults.lost_answers = 1
    assert save(bench, stored_site(candidate(FEED)))
    assert bench.contents.sites()[SITE_ID]["rev"] == 1


def test_conflicts_and_throttling_are_waited_for(bench: Bench) -> None:
    bench.faults.conflicts, bench.faults.throttles = 2, 2
    assert save(bench, stored_site(candidate(FEED)))
    assert bench.sites.site(SITE_ID) is not None


def test_a_store_that_stays_busy_says_so(bench: Bench) -> None:
    bench.faults.throttles = FOR_EVER
    with pytest.raises(Throttled):
        save(bench, stored_site())
    with pytest.raises(Throttled):
        bench.sites.site(SITE_ID)
    with pytest.raises(Throttled):
        bench.sites.open_job(JOB)


def test_without_time_nothing_is_asked(bench: Bench) -> None:
    for ask in (
        lambda: bench.sites.within(Deadline.after(0)).site(SITE_ID),
        lambda: bench.sites.within(Deadline.after(0)).save(stored_site(), changed=(), seen_rev=0),
        lambda: bench.sites.within(Deadline.after(0)).open_job(JOB),
        lambda: bench.sites.within(Deadline.after(0)).job(JOB.job_id),
        lambda: bench.sites.within(Deadline.after(0)).take_job(JOB.job_id, now=NOW),
        lambda: bench.sites.within(Deadline.after(0)).end_job(JOB.job_id, status=JobStatus.DONE, now=NOW),
    ):
        with pytest.raises(StoreUnavailable):
            ask()
    assert bench.faults.calls == []


def test_jobs_are_not_read_with_the_site(bench: Bench) -> None:
    save(bench, stored_site(candidate(FEED)))
    for n in range(20):
        bench.sites.open_job(new_job(f"job{n}"))
    bench.faults.calls.clear()
    found = bench.sites.site(SITE_ID)
    assert found is not None
    assert len(found.candidates) == 1
    assert bench.faults.calls == ["get_item", "query"]


# --- the feed that a site chose ---------------------------------------------------------------------


def choice(bench: Bench, name: str = "a") -> tuple[object, object, object]:
    (meta,) = bench.contents.under(feed_id(name), "META")
    return meta.get("site_id"), meta.get("is_canonical"), meta.get("canonical_score")


def test_a_choice_is_written_with_the_feed_and_taken_back(bench: Bench) -> None:
    bench.store.register(new_feed("a", FEED))
    bench.sites.mark_choice(feed_id("a"), site_id=SITE_ID, score=700)
    assert choice(bench) == (SITE_ID, True, 700)
    bench.sites.mark_choice(feed_id("a"), site_id=SITE_ID, score=650)
    assert choice(bench) == (SITE_ID, True, 650)
    bench.sites.mark_choice(feed_id("a"), site_id=SITE_ID, score=None)
    assert choice(bench) == (None, None, None)


def test_the_site_of_a_feed_is_noted_where_it_has_none(bench: Bench) -> None:
    bench.store.register(new_feed("a", FEED))
    bench.sites.found_at(feed_id("a"), site_id=SITE_ID)
    bench.sites.found_at(feed_id("a"), site_id="other")
    bench.sites.found_at("unknown", site_id=SITE_ID)
    assert choice(bench) == (SITE_ID, None, None)


def test_only_the_feeds_of_the_site_are_touched(bench: Bench) -> None:
    bench.store.register(new_feed("a", FEED, site_id=SITE_ID))
    bench.store.register(new_feed("b", f"{FEED}/b", site_id="other"))
    bench.faults.calls.clear()
    bench.sites.touch_feeds({feed_id("a"), feed_id("b"), "unknown"}, site_id=SITE_ID)
    assert bench.faults.calls.count("transact_write_items") == 1
    assert choice(bench) == (SITE_ID, None, None)


def test_a_noted_site_is_not_written_again(bench: Bench) -> None:
    bench.store.register(new_feed("a", FEED, site_id=SITE_ID))
    bench.faults.calls.clear()
    bench.sites.found_at(feed_id("a"), site_id=SITE_ID)
    assert "transact_write_items" not in bench.faults.calls


def test_the_first_site_that_chooses_a_feed_keeps_it_while_it_does(bench: Bench) -> None:
    bench.store.register(new_feed("a", FEED, site_id=SITE_ID, is_canonical=True, canonical_score=700))
    bench.sites.mark_choice(feed_id("a"), site_id="other", score=900)
    bench.sites.mark_choice(feed_id("a"), site_id="other", score=None)
    assert choice(bench) == (SITE_ID, True, 700)
    bench.sites.mark_choice(feed_id("a"), site_id=SITE_ID, score=None)
    bench.sites.mark_choice(feed_id("a"), site_id="other", score=900)
    assert choice(bench) == ("other", True, 900)


def test_a_choice_that_is_said_already_is_not_written(bench: Bench) -> None:
    bench.store.register(new_feed("a", FEED, site_id=SITE_ID, is_canonical=True, canonical_score=700))
    bench.faults.calls.clear()
    bench.sites.mark_choice(feed_id("a"), site_id=SITE_ID, score=700)
    bench.sites.mark_choice(feed_id("a"), site_id="other", score=None)
    bench.sites.mark_choice("unknown", site_id=SITE_ID, score=700)
    assert "transact_write_items" not in bench.faults.calls


def test_the_choice_of_a_merged_feed_is_the_winners(bench: Bench) -> None:
    bench.store.register(new_feed("a", FEED))
    bench.store.register(new_feed("b", OTHER, now=NOW + 1))
    bench.store.register(new_feed("bridge", FEED, OTHER, now=NOW + 2))
    bench.sites.mark_choice(feed_id("b", NOW + 1), site_id=SITE_ID, score=700)
    assert choice(bench, "a") == (SITE_ID, True, 700)


# --- jobs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("members", [{}, {"intent": Kind.TAG, "scope": "tenant", "reason": "x"}], ids=["bare", "full"])
def test_a_job_comes_back_as_it_was_opened(bench: Bench, members: dict[str, Any]) -> None:
    job = new_job(**members)
    bench.sites.open_job(job)
    assert bench.sites.job(job.job_id) == job


@pytest.mark.parametrize("job_id", ["", ".", "x", f"{SITE_ID}.", f".{JOB.job_id}", f"{SITE_ID}.NOTHING", "ü.ü"])
def test_an_invalid_job_is_none(bench: Bench, job_id: str) -> None:
    assert bench.sites.job(job_id) is None
    assert bench.sites.take_job(job_id, now=NOW) is None
    assert not bench.sites.end_job(job_id, status=JobStatus.DONE, now=NOW)


def test_an_open_job_is_marked_as_pending_until_it_is_over(bench: Bench) -> None:
    bench.sites.open_job(JOB)
    assert len(marks(bench)) == 1
    bench.sites.take_job(JOB.job_id, now=NOW + 5)
    assert len(marks(bench)) == 1
    assert bench.contents.jobs()[JOB.job_id]["pending_since"] == NOW + 5
    bench.sites.end_job(JOB.job_id, status=JobStatus.DONE, now=NOW + 9)
    assert marks(bench) == []


def test_a_job_that_is_opened_again_stays_as_it_is(bench: Bench) -> None:
    bench.sites.open_job(JOB)
    bench.sites.take_job(JOB.job_id, now=NOW + 5)
    bench.sites.open_job(replace(JOB, created_at=NOW + 7))
    job = bench.sites.job(JOB.job_id)
    assert job == replace(JOB, status=JobStatus.RUNNING, attempts=1, updated_at=NOW + 5)


def test_each_taking_counts_an_attempt(bench: Bench) -> None:
    bench.sites.open_job(JOB)
    first = bench.sites.take_job(JOB.job_id, now=NOW + 5)
    second = bench.sites.take_job(JOB.job_id, now=NOW + 5)
    assert first == replace(JOB, status=JobStatus.RUNNING, attempts=1, updated_at=NOW + 5)
    assert second == replace(first, attempts=2)
    assert bench.sites.job(JOB.job_id) == second


@pytest.mark.parametrize("status", [JobStatus.DONE, JobStatus.FAILED])
def test_a_job_that_is_over_stays_so(bench: Bench, status: JobStatus) -> None:
    bench.sites.open_job(JOB)
    assert bench.sites.end_job(JOB.job_id, status=status, now=NOW + 9, reason="why")
    assert bench.sites.take_job(JOB.job_id, now=NOW + 10) is None
    assert not bench.sites.end_job(JOB.job_id, status=JobStatus.DONE, now=NOW + 11)
    assert bench.sites.job(JOB.job_id) == replace(JOB, status=status, updated_at=NOW + 9, reason="why")


def test_a_long_reason_is_cut(bench: Bench) -> None:
    bench.sites.open_job(JOB)
    bench.sites.end_job(JOB.job_id, status=JobStatus.FAILED, now=NOW, reason="x" * 500_000)
    job = bench.sites.job(JOB.job_id)
    assert job is not None
    assert job.reason == "x" * 500


def test_a_taking_whose_answer_was_lost_counts_once(bench: Bench) -> None:
    bench.sites.open_job(JOB)
    bench.faults.lost_answers = 1
    job = bench.sites.take_job(JOB.job_id, now=NOW + 5)
    assert job is not None
    assert job.attempts == bench.contents.jobs()[JOB.job_id]["attempts"] == 1
