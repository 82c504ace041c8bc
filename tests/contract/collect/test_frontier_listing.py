"""Rows by their error, for people: from the index, in consistent pages, at the cost of the listed rows."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from feedward.adapters.dynamodb.frontier.frontier_store import DynamoFrontierStore
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.frontier.row import FrontierRow
from tests.contract.benches.frontier import URL, FrontierBench, dead, failed, fetched
from tests.contract.conftest import frontier_of
from tests.fakes.feed_store import PATIENT

ERROR = "too_many_redirects"


def failing(frontier: FrontierBench, count: int, reason: str = ERROR, **members: Any) -> list[str]:
    """Submit rows that fail in this way, and return their ids."""
    rows = [frontier.submit(f"{reason}{n}", f"{URL}/{reason}/{n}", **members) for n in range(count)]
    for row in rows:
        assert frontier.store.update_failed(row, failed(row, reason)) is None
    return [row.row_id for row in rows]


def listed(frontier: FrontierBench, error: str = ERROR, after: str | None = None) -> list[str]:
    return [row.row_id for row in frontier.store.listed(last_error=error, after=after)]


def test_rows_are_listed_by_their_error_and_no_other_rows_are(frontier: FrontierBench) -> None:
    redirected, looped = failing(frontier, 25), failing(frontier, 5, "redirect_loop")
    frontier.submit("fine", f"{URL}/fine")
    assert sorted(listed(frontier)) == sorted(redirected)
    assert sorted(listed(frontier, "redirect_loop")) == sorted(looped)
    for part_of_a_name in ("too_many", "", "TOO_MANY_REDIRECTS", "timeout"):
        assert listed(frontier, part_of_a_name) == []


def test_a_list_has_the_whole_current_row(frontier: FrontierBench) -> None:
    [row_id] = failing(frontier, 1)
    [row] = frontier.store.listed(last_error=ERROR)
    assert row == frontier.row(row_id)


def test_a_row_leaves_the_list_with_its_error_and_stays_on_it_when_dead(frontier: FrontierBench) -> None:
    first, second, third = failing(frontier, 3)
    frontier.store.update_fetched(frontier.row(first), fetched(frontier.row(first)))
    frontier.store.update_failed(frontier.row(second), dead(frontier.row(second), ERROR))
    frontier.store.update_failed(frontier.row(third), failed(frontier.row(third), "timeout"))
    assert listed(frontier) == [second]
    assert listed(frontier, "timeout") == [third]


@pytest.mark.parametrize("size", [1, 7, 100])
def test_pages_hold_together_and_come_in_the_same_order_each_time(frontier: FrontierBench, size: int) -> None:
    ids = failing(frontier, 40)
    pages: list[list[str]] = []
    while not pages or pages[-1]:
        after = pages[-1][-1] if pages else None
        rows = frontier.store.listed(last_error=ERROR, after=after)
        pages.append([row.row_id for row in islice(rows, size)])
    found = [row_id for page in pages for row_id in page]
    assert found == listed(frontier)
    assert sorted(found) == sorted(ids)


def test_a_page_goes_on_after_a_row_that_left_the_list_meanwhile(frontier: FrontierBench) -> None:
    failing(frontier, 20)
    whole = listed(frontier)
    gone = frontier.row(whole[9])
    frontier.store.update_fetched(gone, fetched(gone))
    assert listed(frontier, after=whole[9]) == whole[10:]


def test_no_filter_shows_a_private_row_in_a_shared_list(frontier: FrontierBench) -> None:
    failing(frontier, 3, owner="t1")
    assert listed(frontier) == []
    assert listed(frontier, f"t1/{ERROR}") == []


def test_a_name_that_no_error_has_lists_nothing(frontier: FrontierBench) -> None:
    failing(frontier, 3)
    for name in ("", "x" * 5000, "\ud800", "#0", f"{ERROR}#0"):
        assert listed(frontier, name) == []


def test_entries_of_a_stale_index_are_not_listed(fake_bench: Any) -> None:
    frontier = frontier_of(fake_bench)
    [row_id] = failing(frontier, 1)
    stale = fake_bench.faults._client.query

    def query(**request: Any) -> Any:
        answer = stale(**request)
        row = frontier.row(row_id)
        if row.last_error:
            frontier.store.update_fetched(row, fetched(row))
        return answer

    fake_bench.faults._client.query = query
    assert listed(frontier) == []


class Counting:
    """A client that counts the read units of each operation; those of a batch by its keys, of less than 1 KB each."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.units: dict[str, float] = {}

    def __getattr__(self, operation: str) -> Any:
        def call(**request: Any) -> Any:
            answer = getattr(self._client, operation)(**request, ReturnConsumedCapacity="TOTAL")
            keys = sum(len(asked["Keys"]) for asked in request.get("RequestItems", {}).values())
            units = keys or answer["ConsumedCapacity"]["CapacityUnits"]
            self.units[operation] = self.units.get(operation, 0) + units
            return answer

        return call


def test_a_list_reads_the_index_and_its_cost_depends_only_on_the_listed_rows(dynamodb_bench: Any) -> None:
    frontier = frontier_of(dynamodb_bench)
    expected = failing(frontier, 8)

    def cost() -> dict[str, float]:
        client: Any = Counting(dynamodb_bench.faults._client)
        store = DynamoFrontierStore(Tables(client, dynamodb_bench.contents.names, PATIENT))
        found: list[FrontierRow] = list(store.listed(last_error=ERROR))
        assert sorted(row.row_id for row in found) == sorted(expected)
        return client.units  # type: ignore[no-any-return]

    before = cost()
    failing(frontier, 60, "timeout")
    assert cost() == before, "other rows cost nothing"
    assert before.keys() == {"query", "batch_get_item"}, "nothing is scanned"
    assert before["batch_get_item"] == len(expected), "a row is read for each that is listed"
    assert before["query"] <= 16, "and at most one for each shard of the index"


def test_the_index_holds_keys_only(frontier: FrontierBench) -> None:
    [row_id] = failing(frontier, 1)
    shard = frontier.contents.rows()[row_id]["error_shard"]
    table = frontier.contents.names.frontier
    entries = frontier.bench.contents.indexed("by_error", "error_shard", shard, table=table)
    assert entries == [{"error_shard": shard, "row_id": row_id}]
