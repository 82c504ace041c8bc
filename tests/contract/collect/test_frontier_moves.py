"""Operation Move, and the updates of a row (rules F5, R15, I2, F4)."""

from __future__ import annotations

import pytest

from feedward.errors import InvalidInput
from feedward.frontier.row import RowStatus
from tests.contract.benches.feeds import new_feed
from tests.contract.benches.frontier import NOW, URL, FrontierBench, failed, fetched

FINAL = "https://www.example.org/final?b=2&a=1"


def test_update_fetched_with_final_url_success_updates_url_hash_and_host(frontier: FrontierBench) -> None:
    row = frontier.submit(runs=frozenset({"run"}))
    frontier.faults.calls.clear()
    assert frontier.store.update_fetched_with_final_url(row, f"{FINAL}#part", fetched(row)) is None
    assert frontier.faults.calls == ["transact_write_items"], "one transaction, and no read"
    after = frontier.row(row.row_id)
    assert (after.url, after.host) == (FINAL, "www.example.org")
    assert after.url_hash != row.url_hash
    assert (after.status, after.rev, after.final_url, after.runs) == (RowStatus.FETCHED, 2, None, frozenset())
    assert frontier.contents.claims() == {row.url_hash: row.row_id, after.url_hash: row.row_id}
    assert frontier.contents.faults_of_form() == []


def test_the_old_url_finds_the_row_after_a_move_and_is_not_submitted_again(frontier: FrontierBench) -> None:
    row = frontier.submit()
    frontier.store.update_fetched_with_final_url(row, FINAL, fetched(row))
    assert frontier.store.find([URL, FINAL]) == {URL: row.row_id, FINAL: row.row_id}
    again = frontier.again("other", URL, runs=frozenset({"run"}))
    assert (again.created, again.row.row_id, again.row.url) == (False, row.row_id, FINAL)


def test_update_fetched_with_final_url_unique_violation_falls_back_to_update_fetched(frontier: FrontierBench) -> None:
    taken, row = frontier.submit("taken", FINAL), frontier.submit("row")
    assert frontier.store.update_fetched_with_final_url(row, FINAL, fetched(row)) is None, "that is success"
    after = frontier.row(row.row_id)
    assert (after.url, after.url_hash, after.host) == (row.url, row.url_hash, row.host)
    assert (after.status, after.final_url, after.rev) == (RowStatus.FETCHED, FINAL, 2)
    assert frontier.row(taken.row_id) == taken
    assert frontier.contents.claims() == {taken.url_hash: taken.row_id, row.url_hash: row.row_id}


@pytest.mark.parametrize(
    "final_url",
    [
        *("", "/relative", "not a url", "http://", "https://", "://example.com", "//example.com/"),
        *("ftp://example.com/", "javascript:alert(1)", "mailto:a@example.com", "file:///etc/passwd"),
        *("https://user:secret@example.com/", "https://exa mple.com/", "https://example.com:99999/"),
        *("https://[::1", "http://127.0.0.1/", "http://localhost/", "https://example.com/" + "x" * 2048),
    ],
)
def test_update_fetched_with_final_url_invalid_final_url_raises_and_updates_nothing(
    frontier: FrontierBench, final_url: str
) -> None:
    row = frontier.submit(runs=frozenset({"run"}))
    frontier.faults.calls.clear()
    with pytest.raises(InvalidInput) as caught:
        frontier.store.update_fetched_with_final_url(row, final_url, fetched(row))
    assert caught.value.field == "final_url"
    assert "secret" not in str(caught.value)
    assert frontier.faults.calls == []
    assert frontier.row(row.row_id) == row


@pytest.mark.parametrize("final_url", [URL, "http://example.com/page/", f"{URL}?utm_source=x", f"{URL}#part"])
def test_the_same_url_after_redirects_is_update_fetched_only(frontier: FrontierBench, final_url: str) -> None:
    row = frontier.submit()
    frontier.faults.calls.clear()
    assert frontier.store.update_fetched_with_final_url(row, final_url, fetched(row)) is None
    assert frontier.faults.calls == ["update_item"]
    after = frontier.row(row.row_id)
    assert (after.url, after.url_hash, after.status) == (row.url, row.url_hash, RowStatus.FETCHED)
    assert frontier.contents.claims() == {row.url_hash: row.row_id}


def test_of_concurrent_redirects_to_one_final_url_the_first_wins(frontier: FrontierBench) -> None:
    first, second = frontier.submit("first", f"{URL}/1"), frontier.submit("second", f"{URL}/2")
    assert frontier.store.update_fetched_with_final_url(first, FINAL, fetched(first)) is None
    assert frontier.store.update_fetched_with_final_url(second, FINAL, fetched(second)) is None
    assert frontier.row(first.row_id).url == FINAL
    assert (frontier.row(second.row_id).url, frontier.row(second.row_id).final_url) == (f"{URL}/2", FINAL)
    assert frontier.contents.faults_of_form() == []


def test_a_row_moves_to_a_url_that_only_a_feed_has(frontier: FrontierBench) -> None:
    feed = new_feed("feed", FINAL)
    frontier.bench.store.register(feed)
    row = frontier.submit()
    frontier.store.update_fetched_with_final_url(row, FINAL, fetched(row))
    assert frontier.row(row.row_id).url == FINAL
    known = frontier.bench.store.find([FINAL])
    assert known
    assert known.data["feed_id"] == feed.feed_id


def test_a_row_moves_along_a_chain_and_back_again(frontier: FrontierBench) -> None:
    row = frontier.submit()
    places = [f"https://{host}.example.com/{host}" for host in "abc"]
    for place in [*places, URL, *reversed(places), URL]:
        now = frontier.row(row.row_id)
        assert frontier.store.update_fetched_with_final_url(now, place, fetched(now)) is None
        assert frontier.row(row.row_id).url == place
        assert frontier.contents.faults_of_form() == []
    assert set(frontier.store.find([URL, *places]).values()) == {row.row_id}


def test_where_a_row_was_is_not_taken_by_another_that_redirects_there(frontier: FrontierBench) -> None:
    moved, other = frontier.submit("moved", URL), frontier.submit("other", f"{URL}/other")
    frontier.store.update_fetched_with_final_url(moved, FINAL, fetched(moved))
    frontier.store.update_fetched_with_final_url(other, URL, fetched(other))
    assert frontier.row(other.row_id).url == f"{URL}/other"
    assert frontier.store.find([URL]) == {URL: moved.row_id}


def test_a_move_along_the_permanent_hops_keeps_where_the_fetch_landed(frontier: FrontierBench) -> None:
    row, landed = frontier.submit(), "https://cdn.example.net/today"
    frontier.store.update_fetched_with_final_url(row, FINAL, fetched(row, final_url=landed))
    after = frontier.row(row.row_id)
    assert (after.url, after.final_url) == (FINAL, landed)
    frontier.store.update_fetched(after, fetched(after))
    assert frontier.row(row.row_id).final_url is None, "the last fetch landed at the row's own URL"


def test_a_private_row_moves_in_its_owners_scope(frontier: FrontierBench) -> None:
    shared = frontier.submit("shared", FINAL)
    mine = frontier.submit("mine", f"{URL}?token=1f3a", owner="t1")
    frontier.store.update_fetched_with_final_url(mine, FINAL, fetched(mine))
    assert frontier.row(mine.row_id).url == FINAL, "the shared row of this URL is another scope's"
    assert frontier.store.find([FINAL]) == {FINAL: shared.row_id}
    assert frontier.store.find([FINAL], owner="t1") == {FINAL: mine.row_id}
    assert frontier.contents.faults_of_form() == []


def test_a_failed_row_that_moves_leaves_the_lists_of_its_failure(frontier: FrontierBench) -> None:
    row = frontier.submit()
    frontier.store.update_failed(row, failed(row, "redirect_loop"))
    row = frontier.row(row.row_id)
    frontier.store.update_fetched_with_final_url(row, FINAL, fetched(row, now=NOW + 400))
    assert list(frontier.store.listed(last_error="redirect_loop")) == []
    assert frontier.contents.due() == set()
    assert frontier.contents.faults_of_form() == []
