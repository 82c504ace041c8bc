"""The frontier's rows: submitted once for each key, joined by runs, fetched, failed and dead (rule R15)."""

from __future__ import annotations

from dataclasses import replace
from math import ceil
from typing import Any

import pytest

from feedward.adapters.dynamodb.frontier.writes import RUNS_AT_ONCE
from feedward.errors import InvalidInput, NotFound
from feedward.frontier.changes import RUNS_AT_MOST
from feedward.frontier.row import RowStatus, Submitted
from feedward.model import Validators
from feedward.scheduling.shards import due_shard
from feedward.urls.key import url_hash
from tests.contract.benches.feeds import new_feed
from tests.contract.benches.frontier import NOW, URL, FrontierBench, dead, failed, fetched, new_row, row_id

V1 = "http_snapshot_url_v1_text_v1"


# --- submit -----------------------------------------------------------------------------------------


def test_a_new_url_becomes_a_row_that_is_due_and_found_by_its_url(frontier: FrontierBench) -> None:
    row = frontier.submit(runs=frozenset({"run"}))
    assert frontier.row(row.row_id) == row == new_row(runs=frozenset({"run"}))
    assert frontier.contents.due() == {row.row_id}
    assert frontier.contents.rows()[row.row_id]["due_shard"] == due_shard("example.com")
    assert frontier.store.find([URL]) == {URL: row.row_id}
    [registered] = frontier.bench.contents.urls().values()
    assert registered == {"url_hash": row.url_hash, "url": URL, "key_version": "1", "row_id": row.row_id}


def test_another_spelling_of_a_url_is_the_same_row(frontier: FrontierBench) -> None:
    row = frontier.submit()
    for spelling in ("http://example.com/page", "https://EXAMPLE.com/page/", f"{URL}?utm_source=x#top"):
        assert frontier.again("other", spelling) == Submitted(row=row, created=False)
        assert frontier.store.find([spelling]) == {spelling: row.row_id}
    assert frontier.contents.rows().keys() == {row.row_id}
    assert frontier.contents.faults_of_form() == []


def test_a_known_url_without_a_run_writes_nothing(frontier: FrontierBench) -> None:
    row = frontier.submit()
    frontier.store.update_fetched(row, fetched(row))
    before = frontier.contents.rows()
    assert frontier.again("other").row.status is RowStatus.FETCHED
    assert frontier.contents.rows() == before


def test_a_run_is_added_to_those_that_wait_and_the_sooner_time_stays(frontier: FrontierBench) -> None:
    row = frontier.submit(runs=frozenset({"a"}), next_fetch_at=NOW + 60)
    later = frontier.again("other", runs=frozenset({"b"}), next_fetch_at=NOW + 90).row
    assert (later.runs, later.next_fetch_at, later.rev) == (frozenset("ab"), NOW + 60, 2)
    sooner = frontier.again("other", runs=frozenset({"c"}), next_fetch_at=NOW + 30).row
    assert (sooner.runs, sooner.next_fetch_at, sooner.rev) == (frozenset("abc"), NOW + 30, 3)
    assert frontier.row(row.row_id) == sooner


def test_a_run_that_waits_already_changes_nothing_when_it_asks_again(frontier: FrontierBench) -> None:
    row = frontier.submit(runs=frozenset({"a", "b"}))
    frontier.store.update_failed(row, failed(row, next_fetch_at=NOW + 9000))
    before = frontier.row(row.row_id)
    again = frontier.again("other", runs=frozenset({"a"}), next_fetch_at=NOW + 60)
    assert again == Submitted(row=before, created=False)


def test_as_many_runs_as_fit_can_wait_for_a_row_and_those_that_do_may_ask_again(frontier: FrontierBench) -> None:
    full = frozenset(row_id(f"run{n}") for n in range(RUNS_AT_MOST))
    row = frontier.submit(runs=full)

    with pytest.raises(InvalidInput, match=f"{RUNS_AT_MOST} runs wait"):
        frontier.again("other", runs=frozenset({"one more"}))

    assert frontier.again("other", runs=frozenset(sorted(full)[:3])) == Submitted(row=row, created=False)
    assert frontier.store.update_fetched(row, fetched(row)) is None
    assert frontier.again("other", runs=frozenset({"one more"})).row.runs == {"one more"}


@pytest.mark.parametrize("ended", [fetched, dead])
def test_a_run_makes_a_row_that_is_over_pending_again_with_all_its_attempts(
    frontier: FrontierBench, ended: Any
) -> None:
    row = frontier.submit(attempts=4)
    update = frontier.store.update_fetched if ended is fetched else frontier.store.update_failed
    assert update(row, ended(row)) is None
    assert frontier.contents.due() == set()
    again = frontier.again("other", runs=frozenset({"run"}), next_fetch_at=NOW + 600).row
    assert (again.status, again.attempts, again.next_fetch_at) == (RowStatus.PENDING, 0, NOW + 600)
    assert frontier.contents.due() == {row.row_id}
    assert frontier.contents.faults_of_form() == []


def test_a_failed_row_stays_failed_and_keeps_its_attempts_when_a_run_asks_for_it(frontier: FrontierBench) -> None:
    row = frontier.submit()
    frontier.store.update_failed(row, failed(row, next_fetch_at=NOW + 9000))
    again = frontier.again("other", runs=frozenset({"run"}), next_fetch_at=NOW + 60).row
    assert (again.status, again.attempts, again.next_fetch_at) == (RowStatus.FAILED, 1, NOW + 60)


def test_a_private_url_is_a_separate_row_for_each_tenant(frontier: FrontierBench) -> None:
    url = "https://example.com/page?token=1f3a"
    one, two = frontier.submit("one", url, owner="t1"), frontier.submit("two", url, owner="t2")
    assert frontier.store.find([url], owner="t1") == {url: one.row_id}
    assert frontier.store.find([url], owner="t2") == {url: two.row_id}
    assert frontier.store.find([url]) == {}
    assert frontier.contents.faults_of_form() == []


@pytest.mark.parametrize("feed_first", [True, False])
def test_a_feed_and_a_row_claim_one_hash_independently(frontier: FrontierBench, feed_first: bool) -> None:
    feed = new_feed("feed", URL)

    def register() -> None:
        assert frontier.bench.store.register(feed).created

    if feed_first:
        register()
    row = frontier.submit()
    if not feed_first:
        register()
    [registered] = frontier.bench.contents.urls().values()
    assert (registered["feed_id"], registered["row_id"]) == (feed.feed_id, row.row_id)
    known = frontier.bench.store.find([URL])
    assert known
    assert known.data["feed_id"] == feed.feed_id
    assert frontier.store.find([URL]) == {URL: row.row_id}


# --- find and read ----------------------------------------------------------------------------------


def test_find_returns_each_url_with_a_row_and_accepts_texts_that_are_no_urls(frontier: FrontierBench) -> None:
    urls = [f"https://example.com/{n}" for n in range(130)]
    rows = {url: frontier.submit(url, url).row_id for url in urls[:120]}
    frontier.bench.store.register(new_feed("feed", urls[125]))
    asked = [*urls, "no url", "", "https://example.com/" + "x" * 3000, urls[0], "http://example.com/0/"]
    assert frontier.store.find(asked) == rows | {"http://example.com/0/": rows[urls[0]]}
    assert frontier.store.find([]) == {}


def test_a_row_is_known_by_each_of_its_hashes(frontier: FrontierBench) -> None:
    row, other = frontier.submit(), frontier.submit("other", f"{URL}/other")
    frontier.bench.store.register(new_feed("feed", f"{URL}/feed"))
    assert frontier.store.update_fetched_with_final_url(row, f"{URL}/final", fetched(row)) is None
    moved = frontier.row(row.row_id)
    hashes = [url_hash(f"{URL}{path}") for path in ("", "/final", "/other", "/feed", "/unknown")]
    assert frontier.store.known(hashes) == dict(zip(hashes, (moved, moved, other), strict=False))
    assert frontier.store.known([]) == {}


def test_a_known_row_is_joined_as_it_is_by_now(frontier: FrontierBench) -> None:
    row = frontier.submit(runs=frozenset("a"))
    frontier.again("other", runs=frozenset("b"))
    frontier.faults.calls.clear()
    joined = frontier.store.submit(new_row("third", runs=frozenset("c")), known=row)
    assert (joined.created, joined.row.row_id, joined.row.runs) == (False, row.row_id, frozenset("abc"))
    assert "transact_write_items" not in frontier.faults.calls
    assert frontier.row(row.row_id) == joined.row


def test_a_row_that_is_not_there_is_none(frontier: FrontierBench) -> None:
    assert frontier.store.row(row_id("unknown")) is None


# --- postponed --------------------------------------------------------------------------------------


def test_a_postponed_row_is_due_later_and_otherwise_unchanged(frontier: FrontierBench) -> None:
    row = frontier.submit(runs=frozenset({"run"}), attempts=2)
    assert frontier.store.postpone(row, NOW + 900) is None
    found = frontier.row(row.row_id)
    assert found == replace(row, rev=2, next_fetch_at=NOW + 900)
    assert frontier.contents.due() == {row.row_id}
    assert frontier.store.postpone(row, NOW + 1800) == found, "it is another row by now"
    with pytest.raises(NotFound):
        frontier.store.postpone(new_row("unknown", "https://example.com/unknown"), NOW + 900)


# --- fetched ----------------------------------------------------------------------------------------


def test_update_fetched_clears_the_failure_and_takes_the_row_off_all_lists(frontier: FrontierBench) -> None:
    row = frontier.submit(runs=frozenset({"run"}))
    frontier.store.update_failed(row, failed(row, "timeout"))
    row = frontier.row(row.row_id)
    frontier.faults.calls.clear()
    assert frontier.store.update_fetched(row, fetched(row, now=NOW + 400)) is None
    assert frontier.faults.calls == ["update_item"], "one write, and no transaction"
    after = frontier.row(row.row_id)
    assert (after.status, after.attempts, after.last_error, after.next_fetch_at) == (RowStatus.FETCHED, 0, None, None)
    assert (after.last_fetched_at, after.http_status, after.validators.etag) == (NOW + 400, 200, '"1"')
    assert (after.runs, after.content_version, after.item_id, after.rev) == (frozenset(), V1, "item", 3)
    assert frontier.contents.due() == set()
    assert frontier.contents.faults_of_form() == []


def test_a_304_keeps_validators_and_item(frontier: FrontierBench) -> None:
    row = frontier.submit()
    frontier.store.update_fetched(row, fetched(row, validators=Validators(etag='"a"', last_modified="b")))
    row = frontier.row(row.row_id)
    not_modified = fetched(row, http_status=304, validators=None, content_version=None, item_id=None)
    assert frontier.store.update_fetched(row, not_modified) is None
    after = frontier.row(row.row_id)
    assert (after.validators, after.http_status) == (Validators(etag='"a"', last_modified="b"), 304)
    assert (after.content_version, after.item_id) == (V1, "item")


def test_a_row_takes_the_spelling_that_it_landed_at_and_no_other_url(frontier: FrontierBench) -> None:
    row = frontier.submit(url="http://example.com/page")
    frontier.store.update_fetched(row, fetched(row, url="https://example.com/page/"))
    after = frontier.row(row.row_id)
    assert (after.url, after.url_hash) == ("https://example.com/page/", row.url_hash)
    with pytest.raises(InvalidInput) as caught:
        frontier.store.update_fetched(after, fetched(after, url="https://example.com/another"))
    assert caught.value.field == "url"
    assert frontier.row(row.row_id) == after


def test_a_row_whose_hash_is_of_an_older_key_takes_a_spelling_and_keeps_its_hash(frontier: FrontierBench) -> None:
    row = frontier.submit(url="http://example.com/page", runs=frozenset())
    frontier.bench.contents.put_row(**frontier.contents.rows()[row.row_id] | {"url_hash": "older"})
    row = frontier.row(row.row_id)
    assert frontier.store.update_fetched(row, fetched(row, url="https://example.com/page")) is None
    after = frontier.row(row.row_id)
    assert (after.url, after.url_hash) == ("https://example.com/page", "older")


def test_validators_are_kept_verbatim_or_not_at_all(frontier: FrontierBench) -> None:
    row = frontier.submit()
    sent = Validators(etag="x" * 1025, last_modified="Tue, 01 Jan 2030 00:00:00 GMT")
    frontier.store.update_fetched(row, fetched(row, validators=sent))
    assert frontier.row(row.row_id).validators == Validators(last_modified=sent.last_modified)


def test_a_row_stays_pending_for_runs_that_were_not_served(frontier: FrontierBench) -> None:
    row = frontier.submit(runs=frozenset({"a", "b"}))
    frontier.store.update_fetched(row, fetched(row, runs=frozenset({"a"})))
    after = frontier.row(row.row_id)
    assert (after.status, after.runs, after.next_fetch_at) == (RowStatus.PENDING, frozenset("b"), NOW + 60)


# --- failed and dead --------------------------------------------------------------------------------


def test_update_failed_keeps_the_row_due_and_its_runs_waiting(frontier: FrontierBench) -> None:
    row = frontier.submit(runs=frozenset({"run"}))
    frontier.faults.calls.clear()
    assert frontier.store.update_failed(row, failed(row, "too_many_redirects", http_status=302)) is None
    assert frontier.faults.calls == ["update_item"]
    after = frontier.row(row.row_id)
    assert (after.status, after.attempts, after.last_error) == (RowStatus.FAILED, 1, "too_many_redirects")
    assert (after.http_status, after.next_fetch_at, after.runs) == (302, NOW + 300, frozenset({"run"}))
    assert frontier.contents.due() == {row.row_id}
    assert frontier.dead_in("run") == 0


def test_a_dead_row_is_due_no_more_and_counts_once_in_each_run_that_ended_with_it(frontier: FrontierBench) -> None:
    row = frontier.submit(runs=frozenset({"a", "b"}))
    assert frontier.store.update_failed(row, dead(row)) is None
    assert frontier.store.update_failed(row, dead(row)) is None, "the very write is there already"
    after = frontier.row(row.row_id)
    assert (after.status, after.next_fetch_at, after.runs) == (RowStatus.DEAD, None, frozenset())
    assert (frontier.dead_in("a"), frontier.dead_in("b")) == (1, 1)
    assert frontier.contents.due() == set()


def test_a_run_that_waits_again_for_a_row_that_dies_again_counts_it_once(frontier: FrontierBench) -> None:
    row = frontier.submit(runs=frozenset({"a"}))
    frontier.store.update_failed(row, dead(row))
    again = frontier.again("other", runs=frozenset({"a", "b"})).row
    assert frontier.store.update_failed(again, dead(again)) is None
    assert frontier.row(row.row_id).status is RowStatus.DEAD
    assert (frontier.dead_in("a"), frontier.dead_in("b")) == (1, 1)


def test_only_the_runs_that_ended_are_taken_off(frontier: FrontierBench) -> None:
    row = frontier.submit(runs=frozenset({"a", "b"}))
    frontier.store.update_failed(row, failed(row, ended_runs=frozenset({"a", "stranger"})))
    assert frontier.row(row.row_id).runs == {"b"}
    assert [frontier.dead_in(run) for run in ("a", "b", "stranger")] == [1, 0, 0]


def test_more_runs_than_a_transaction_takes_end_with_a_row_all_the_same(frontier: FrontierBench) -> None:
    runs = frozenset(f"run{n}" for n in range(200))
    row = frontier.submit(runs=runs)
    assert frontier.store.update_failed(row, dead(row)) is None
    after = frontier.row(row.row_id)
    assert (after.status, after.runs, after.rev) == (RowStatus.DEAD, frozenset(), 1 + ceil(len(runs) / RUNS_AT_ONCE))
    assert frontier.dead_by_run() == dict.fromkeys(runs, 1)


# --- a slower writer --------------------------------------------------------------------------------


@pytest.mark.parametrize("late", ["fetched", "moved", "failed", "dead"])
def test_a_writer_with_an_older_row_gets_the_current_row_and_writes_nothing(frontier: FrontierBench, late: str) -> None:
    seen = frontier.submit(runs=frozenset({"a"}))
    frontier.again("other", runs=frozenset({"b"}))
    now = frontier.row(seen.row_id)
    before = (frontier.contents.rows(), frontier.contents.claims())
    store = frontier.store
    answer = {
        "fetched": lambda: store.update_fetched(seen, fetched(seen)),
        "moved": lambda: store.update_fetched_with_final_url(seen, "https://example.org/", fetched(seen)),
        "failed": lambda: store.update_failed(seen, failed(seen)),
        "dead": lambda: store.update_failed(seen, dead(seen)),
    }[late]()
    assert answer == now
    assert (frontier.contents.rows(), frontier.contents.claims()) == before
    assert frontier.dead_in("a") == 0


def test_a_row_that_was_never_there_cannot_be_written(frontier: FrontierBench) -> None:
    row = new_row()
    with pytest.raises(NotFound):
        frontier.store.update_fetched(row, fetched(row))
    with pytest.raises(NotFound):
        frontier.store.update_failed(row, dead(row))
    with pytest.raises(NotFound):
        frontier.store.update_fetched_with_final_url(row, "https://example.org/", fetched(row))
    assert frontier.contents.rows() == {}
    assert frontier.contents.claims() == {}
