"""One row from its message to its write: the cases of rules F1 to F5, and those that they leave open."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from feedward.errors import InvalidInput, StoreUnavailable
from feedward.frontier.decide import Path
from feedward.frontier.row import FailedParams, FetchedParams, FrontierRow, RowStatus
from feedward.frontier.settings import FrontierSettings, MoveOn
from feedward.model import Validators
from feedward.reading_budget import MAX_TAGS
from feedward.scheduling.lateness import LATE_AFTER_S
from feedward.services.collect.fetch_row import fetch_row
from feedward.services.collect.row_answer import RowAnswer, RowDisposition
from feedward.urls.key import url_hash
from tests.fakes.bodies import FakeBodies
from tests.fakes.collecting import FakeCollecting, run_id
from tests.fakes.directory import NOW

A, B, C = "https://a.example/", "https://b.example/x", "https://c.example/y"
PAGE = {"body": "<html><title>T</title><body>Hello</body></html>"}


def to(status: int, location: str) -> dict[str, Any]:
    return {"status": status, "headers": {"Location": location}}


def fetched(world: FakeCollecting, url: str = A, **members: Any) -> tuple[FrontierRow, RowAnswer]:
    """Submit a URL and fetch it: the row afterwards, and the answer."""
    row = world.add(url, **members)
    answer = fetch_row(row, ports=world.ports)
    return world.row(row.row_id), answer


# --- owners --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("owner", "said"), [("acme", "other"), ("acme", None), (None, "other")])
def test_a_message_that_names_another_tenant_than_the_row_ends_without_a_fetch(
    owner: str | None, said: str | None
) -> None:
    world = FakeCollecting({A: PAGE})
    row = world.add(A, owner=owner, url_hash=url_hash(A, owner or ""))

    answer = fetch_row(replace(row, owner=said), ports=world.ports)

    assert (answer.disposition, answer.requests, world.internet.requests) == (RowDisposition.FOREIGN, 0, [])
    assert world.row(row.row_id) == row
    assert world.lineage.contents.items() == {}


def test_a_row_whose_hash_is_of_an_older_key_version_is_fetched() -> None:
    world = FakeCollecting({A: PAGE})
    row, answer = fetched(world, owner="acme", url_hash="0" * 64)
    assert (answer.disposition, row.status) == (RowDisposition.APPLIED, RowStatus.FETCHED)


def test_no_row_is_written_under_another_tenants_name() -> None:
    world = FakeCollecting({})
    row = world.add(A)
    forged = replace(row, owner="other", url_hash=url_hash(A, "other"))
    assert world.ports.frontier.postpone(forged, row.created_at + 60) == row
    assert world.row(row.row_id) == row


# --- redirects ----------------------------------------------------------------------------------------


def test_301_302_200_ends_at_the_final_url_by_the_update_with_it() -> None:
    world = FakeCollecting({A: to(301, B), B: to(302, C), C: PAGE})

    row, answer = fetched(world)

    assert (row.url, row.host, row.status) == (C, "c.example", RowStatus.FETCHED)
    assert answer.path is Path.UPDATE_FETCHED_WITH_FINAL_URL
    assert answer.requests == 3
    assert world.ports.frontier.find([A, C]) == {A: row.row_id, C: row.row_id}


def test_a_chain_past_the_hop_limit_fails_as_too_many_redirects() -> None:
    chain = {f"https://h{n}.example/": to(302, f"https://h{n + 1}.example/") for n in range(9)}
    world = FakeCollecting(chain)

    row, answer = fetched(world, "https://h0.example/")

    assert (row.url, row.status, row.last_error) == ("https://h0.example/", RowStatus.FAILED, "too_many_redirects")
    assert (answer.path, answer.reason) == (Path.UPDATE_FAILED, "too_many_redirects")
    assert [each.row_id for each in world.ports.frontier.listed(last_error="too_many_redirects")] == [row.row_id]


def test_a_loop_fails_as_redirect_loop() -> None:
    row, _ = fetched(FakeCollecting({A: to(302, B), B: to(302, A)}))

    assert row.last_error == "redirect_loop"


def test_a_page_without_redirect_is_fetched_and_nothing_else() -> None:
    world = FakeCollecting({A: PAGE})

    row, answer = fetched(world)

    assert (row.url, row.status, row.final_url, row.next_fetch_at) == (A, RowStatus.FETCHED, None, None)
    assert answer.path is Path.UPDATE_FETCHED
    assert (answer.item_id, answer.new_items) == (row.item_id, 1)


def test_a_page_that_costs_too_much_is_the_rows_failure_and_given_up_in_the_end() -> None:
    world = FakeCollecting({A: {"body": "<!doctype html>" + "<b><p>" * (MAX_TAGS // 2 + 1)}})
    row, answer = fetched(world)
    assert (row.status, row.last_error, row.attempts) == (RowStatus.FAILED, "too_large", 1)
    assert (answer.item_id, answer.detail) == (None, "more than 500000 tags")
    assert row.next_fetch_at is not None
    assert isinstance(world.ports.bodies, FakeBodies)
    assert not world.ports.bodies.s3.objects

    for _ in range(4):
        fetch_row(world.row(row.row_id), ports=world.ports)
    dead = world.row(row.row_id)
    assert (dead.status, dead.attempts, dead.next_fetch_at) == (RowStatus.DEAD, 5, None)


def test_with_redirects_off_the_3xx_is_the_answer() -> None:
    world = FakeCollecting({A: to(302, B), B: PAGE}, follow_redirects=False)

    row, _ = fetched(world)

    assert (row.status, row.last_error, row.http_status) == (RowStatus.FAILED, "unexpected_status", 302)
    assert world.internet.requests == [A]


def test_a_final_url_that_has_a_row_leaves_the_url_and_is_a_success() -> None:
    world = FakeCollecting({A: to(301, B), B: PAGE})
    other = world.add(B)

    row, _ = fetched(world)

    assert (row.url, row.status, row.final_url, row.last_error) == (A, RowStatus.FETCHED, B, None)
    assert world.row(other.row_id) == other


def test_of_two_rows_that_lead_to_one_url_the_first_has_it_and_both_are_fetched() -> None:
    world = FakeCollecting({A: to(301, C), B: to(302, C), C: PAGE})

    first, _ = fetched(world, A)
    second, _ = fetched(world, B)

    assert (first.url, first.status) == (C, RowStatus.FETCHED)
    assert (second.url, second.status, second.final_url) == (B, RowStatus.FETCHED, C)


def test_a_redirect_to_an_invalid_url_fails_and_moves_nothing() -> None:
    row, _ = fetched(FakeCollecting({A: to(301, "https://[bad")}))

    assert (row.url, row.status, row.last_error) == (A, RowStatus.FAILED, "bad_redirect")


def test_a_final_url_that_the_store_does_not_take_is_a_bad_redirect() -> None:
    world = FakeCollecting({A: to(301, B), B: PAGE})
    row = world.add(A)
    store: Any = world.ports.frontier

    def refuse(seen: FrontierRow, final_url: str, params: FetchedParams) -> None:
        raise InvalidInput("final_url", "no")

    store.update_fetched_with_final_url = refuse
    fetch_row(row, ports=world.ports)

    after = world.row(row.row_id)
    assert (after.url, after.status, after.last_error) == (A, RowStatus.FAILED, "bad_redirect")


@pytest.mark.parametrize(
    "location",
    ["http://127.0.0.1/", "http://10.0.0.8/", "http://[::1]/", "http://metadata.google.internal/", "file:///x"],
)
def test_a_redirect_to_a_forbidden_address_is_not_followed(location: str) -> None:
    world = FakeCollecting({A: to(302, location)})

    row, _ = fetched(world)

    assert (row.url, row.status, row.last_error) == (A, RowStatus.FAILED, "blocked")
    assert world.internet.requests == [A]


def test_the_same_url_after_redirects_is_fetched_only_and_takes_the_spelling() -> None:
    world = FakeCollecting(
        {"http://a.example/x?b=1": to(301, "https://a.example/x/?b=1"), "https://a.example/x/?b=1": PAGE}
    )

    row, answer = fetched(world, "http://a.example/x?b=1")

    assert (row.url, row.final_url) == ("https://a.example/x/?b=1", None)
    assert answer.path is Path.UPDATE_FETCHED


def test_permanent_moves_along_the_permanent_run_and_keeps_the_rest_as_final_url() -> None:
    world = FakeCollecting(
        {A: to(301, B), B: to(302, C), C: PAGE},
        settings=FrontierSettings(move_on=MoveOn.PERMANENT, host_pause_s=0, respect_robots=False),
    )

    row, _ = fetched(world)

    assert (row.url, row.final_url, row.status) == (B, C, RowStatus.FETCHED)


# --- validators ---------------------------------------------------------------------------------------


def collected_before(world: FakeCollecting, **members: Any) -> FrontierRow:
    """A row that was fetched with an ETag, and is requested again by a run."""
    row, _ = fetched(world)
    assert row.validators.etag == '"1"'
    return world.change(row, status=RowStatus.PENDING, next_fetch_at=NOW, **members)


def test_304_is_a_success_that_keeps_item_and_validators() -> None:
    world = FakeCollecting({A: {**PAGE, "headers": {"ETag": '"1"'}}})
    row = collected_before(world)

    answer = fetch_row(row, ports=world.ports)

    after = world.row(row.row_id)
    assert (answer.http_status, answer.new_items, after.status) == (304, 0, RowStatus.FETCHED)
    assert (after.item_id, after.validators) == (row.item_id, Validators(etag='"1"'))
    assert len(world.lineage.contents.items()) == 1


def test_304_after_a_redirect_stores_the_final_url() -> None:
    world = FakeCollecting({A: {**PAGE, "headers": {"ETag": '"1"'}}, B: {**PAGE, "headers": {"ETag": '"1"'}}})
    row = collected_before(world)
    world.internet.network[A] = to(301, B)

    answer = fetch_row(row, ports=world.ports)

    assert answer.path is Path.UPDATE_FETCHED_WITH_FINAL_URL
    assert world.row(row.row_id).url == B


def test_validators_of_another_version_are_not_sent() -> None:
    world = FakeCollecting({A: {**PAGE, "headers": {"ETag": '"1"'}}})
    row = collected_before(world, content_version="http_snapshot_url_v0_text_v0")

    assert fetch_row(row, ports=world.ports).http_status == 200


def test_where_the_item_is_gone_the_page_is_asked_for_once_more_without_validators() -> None:
    world = FakeCollecting({A: {**PAGE, "headers": {"ETag": '"1"'}}})
    row = collected_before(world, item_id="01JNE3T8000000000000000000")

    answer = fetch_row(row, ports=world.ports)

    assert (answer.disposition, answer.http_status, answer.requests) == (RowDisposition.APPLIED, 200, 2)
    assert world.row(row.row_id).item_id in world.lineage.contents.items()


# --- failures -----------------------------------------------------------------------------------------


def test_a_row_fails_five_times_and_is_dead_with_its_reason() -> None:
    world = FakeCollecting({A: to(302, B), B: to(302, A)})
    row = world.add(A, runs=frozenset({run_id("r")}))

    for attempt in range(1, 6):
        fetch_row(row, ports=world.ports)
        row = world.row(row.row_id)
        assert row.attempts == attempt

    assert (row.status, row.last_error, row.next_fetch_at) == (RowStatus.DEAD, "redirect_loop", None)
    assert row.runs == frozenset()
    assert world.lineage.contents.counters(run_id("r")).dead == 1


def test_an_empty_answer_is_no_page() -> None:
    row, _ = fetched(FakeCollecting({A: {"body": " \n"}}))

    assert (row.status, row.last_error) == (RowStatus.FAILED, "empty_body")


def test_a_failed_write_is_raised_and_can_be_repeated() -> None:
    world = FakeCollecting({A: PAGE})
    row = world.add(A)
    store: Any = world.ports.frontier
    update, store.update_fetched = store.update_fetched, _unavailable

    with pytest.raises(StoreUnavailable):
        fetch_row(row, ports=world.ports)
    store.update_fetched = update
    answer = fetch_row(row, ports=world.ports)

    assert (answer.disposition, answer.new_items) == (RowDisposition.APPLIED, 0)
    assert len(world.lineage.contents.items()) == 1


def _unavailable(*_: Any) -> None:
    raise StoreUnavailable("no")


# --- late, twice, meanwhile ---------------------------------------------------------------------------


def test_a_late_message_is_not_fetched() -> None:
    world = FakeCollecting({A: PAGE})
    row = world.add(A)

    answer = fetch_row(replace(row, sent_at=NOW - LATE_AFTER_S - 1), ports=world.ports)

    assert answer.disposition is RowDisposition.LATE
    assert world.internet.requests == []
    assert world.row(row.row_id).status is RowStatus.PENDING


def test_a_message_that_comes_twice_changes_nothing() -> None:
    world = FakeCollecting({A: to(301, B), B: PAGE})
    row = world.add(A, runs=frozenset({run_id("r")}))
    fetch_row(row, ports=world.ports)
    before = world.row(row.row_id), world.lineage.contents.rows()
    world.clock.advance(5)

    answer = fetch_row(row, ports=world.ports)

    assert answer.disposition is RowDisposition.DROPPED
    assert (world.row(row.row_id), world.lineage.contents.rows()) == before


def test_a_failure_that_comes_twice_counts_once() -> None:
    world = FakeCollecting({A: {"status": 500}})
    row = world.add(A)
    fetch_row(row, ports=world.ports)
    world.clock.advance(5)

    fetch_row(row, ports=world.ports)

    after = world.row(row.row_id)
    assert (after.attempts, after.rev) == (1, row.rev + 1)


def test_a_run_that_came_meanwhile_is_served_by_the_same_fetch() -> None:
    world = FakeCollecting({A: PAGE})
    seen = world.add(A, runs=frozenset({run_id("one")}))
    world.change(seen, rev=seen.rev + 1, runs=frozenset({run_id("one"), run_id("two")}))

    answer = fetch_row(seen, ports=world.ports)

    after = world.row(seen.row_id)
    assert (answer.disposition, after.status, after.runs) == (RowDisposition.APPLIED, RowStatus.FETCHED, frozenset())
    assert world.internet.requests == [A]


def test_a_row_that_keeps_changing_is_dropped_after_three_times() -> None:
    world = FakeCollecting({A: {"status": 500}})
    row = world.add(A)
    store: Any = world.ports.frontier
    tries: list[int] = []

    def always_another(seen: FrontierRow, _: FailedParams) -> FrontierRow:
        tries.append(seen.rev)
        return _newer(seen)

    store.update_failed = always_another

    assert fetch_row(row, ports=world.ports).disposition is RowDisposition.DROPPED
    assert tries == [row.rev, row.rev + 1, row.rev + 2, row.rev + 3]


def _newer(row: FrontierRow) -> FrontierRow:
    return replace(row, rev=row.rev + 1)


def test_a_row_that_is_not_there_any_more_is_dropped() -> None:
    world = FakeCollecting({A: PAGE})
    row = _newer(world.add(A))
    world.feeds.faults.delete_item(TableName=world.feeds.contents.names.frontier, Key={"row_id": {"S": row.row_id}})

    assert fetch_row(row, ports=world.ports).disposition is RowDisposition.DROPPED
