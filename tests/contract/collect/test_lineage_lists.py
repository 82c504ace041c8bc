"""Lists of items, their edges and duplicate fetches, and the cost of an addition."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from feedward.adapters.dynamodb.lineage.items import SIGHTINGS_AT_MOST
from feedward.adapters.dynamodb.lineage.lineage_store import DynamoLineageStore
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.errors import InvalidInput
from feedward.lineage.item import DuplicateFetch, Item
from feedward.services.collect.collect_page import add_item
from feedward.ulid import derived_ulid
from tests.contract.benches.lineage import NOW, V1, V2, LineageBench, new_item, new_run, run_id, sha
from tests.fakes.feed_store import PATIENT

Listing = Callable[[str | None], Iterator[str]]


def page_by_page(listing: Listing, size: int) -> list[str]:
    """The whole list, each page read after the last id of the previous one."""
    found: list[str] = []
    while True:
        page = [item_id for item_id, _ in zip(listing(found[-1] if found else None), range(size), strict=False)]
        found += page
        if len(page) < size:
            return found


def collected(lineage: LineageBench, run: str, number: int) -> list[str]:
    return [lineage.collect(f"p{n}", f"{run}{n}", f"{run} {n}", run=run).item_id for n in range(number)]


def test_the_items_of_a_run_are_those_that_it_made(lineage: LineageBench) -> None:
    made, others = collected(lineage, "a", 7), collected(lineage, "b", 3)
    lineage.collect("again", "a0", "a 0", run="b")

    assert sorted(lineage.store.items_of_run(run_id("a"))) == sorted(made)
    assert sorted(lineage.store.items_of_run(run_id("b"))) == sorted(others)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 50])
def test_the_items_of_a_run_come_page_by_page_in_one_order(lineage: LineageBench, size: int) -> None:
    collected(lineage, "a", 7)
    whole = list(lineage.store.items_of_run(run_id("a")))

    assert page_by_page(lambda after: lineage.store.items_of_run(run_id("a"), after=after), size) == whole


@pytest.mark.parametrize("after", ["none", "another run's"])
def test_a_run_goes_on_after_its_own_items_only(lineage: LineageBench, after: str) -> None:
    (other,) = collected(lineage, "b", 1)
    collected(lineage, "a", 1)

    with pytest.raises(InvalidInput) as raised:
        list(lineage.store.items_of_run(run_id("a"), after="none" if after == "none" else other))
    assert raised.value.field == "after"


def test_the_items_of_a_version_are_all_of_them_and_no_others(lineage: LineageBench) -> None:
    lineage.begin("new", version=V2)
    lineage.begin("tenant", version=V1, tenant_id="acme")
    made = {name: set(collected(lineage, name, 9)) for name in ("a", "b", "new", "tenant")}

    assert set(lineage.store.items_of_version(V1)) == made["a"] | made["b"]
    assert set(lineage.store.items_of_version(V2)) == made["new"]
    assert set(lineage.store.items_of_version(V1, scope="acme")) == made["tenant"]
    assert list(lineage.store.items_of_version(V2, scope="acme")) == []


@pytest.mark.parametrize("size", [1, 4, 100])
def test_the_items_of_a_version_come_page_by_page_each_once(lineage: LineageBench, size: int) -> None:
    made = collected(lineage, "a", 30)
    found = page_by_page(lambda after: lineage.store.items_of_version(V1, after=after), size)

    assert sorted(found) == sorted(made)


def test_the_items_of_a_uri_and_of_a_content_are_listed_newest_first(lineage: LineageBench) -> None:
    places = [("one", "a"), ("two", "a"), ("one", "b"), ("two", "b"), ("one", "c"), ("one", "a"), ("three", "b")]
    made = {place: lineage.collect(f"p{n}", *place, run=f"r{n}", now=NOW + n).item_id for n, place in enumerate(places)}
    one, b = "https://example.com/one", sha("b")
    of_one = [made[place] for place in (("one", "c"), ("one", "b"), ("one", "a"))]
    of_b = [made[place] for place in (("three", "b"), ("two", "b"), ("one", "b"))]

    assert list(lineage.store.items_of_uri(one, V1)) == of_one
    assert list(lineage.store.items_of_content(b, V1)) == of_b
    for size in (1, 2):
        assert page_by_page(lambda after: lineage.store.items_of_uri(one, V1, after=after), size) == of_one
        assert page_by_page(lambda after: lineage.store.items_of_content(b, V1, after=after), size) == of_b
    assert list(lineage.store.items_of_uri(one, V2)) == list(lineage.store.items_of_uri(one, V1, scope="acme")) == []
    assert [item.item_id for item in lineage.store.items([*of_one, "none", *of_b[:1]])] == [*of_one, of_b[0]]


def test_items_without_text_meet_their_own_uri_only(lineage: LineageBench) -> None:
    for n, uri in enumerate(("one", "two", "one")):
        lineage.add(f"p{n}", uri, "", now=NOW + n, run=f"r{n}", text_length=0)

    assert lineage.contents.edges() == {}
    assert len(list(lineage.store.items_of_uri("https://example.com/one", V1))) == 1
    assert list(lineage.store.items_of_content(sha(""), V1)) == []
    assert lineage.contents.faults_of_lineage() == []


def test_the_runs_of_a_version_are_listed_newest_first(lineage: LineageBench) -> None:
    ids = [derived_ulid(NOW + n, str(n)) for n in range(5)]
    for n, run_id_ in enumerate(ids):
        lineage.store.create_run(replace(new_run(f"{n}"), run_id=run_id_))
    lineage.begin("other", version=V2)
    lineage.begin("tenant", tenant_id="acme")

    for size in (1, 2, 50):
        found = page_by_page(lambda after: lineage.store.runs_of_version(V1, after=after), size)
        assert found == list(reversed(ids))
    assert list(lineage.store.runs_of_version(V2)) == [run_id("other")]
    assert list(lineage.store.runs_of_version(V1, scope="acme")) == [run_id("tenant")]


def test_a_tenants_items_match_no_other_tenants_items(lineage: LineageBench) -> None:
    lineage.begin("tenant", tenant_id="acme")
    shared = lineage.collect("p1", "page", "text", run="a")
    own = lineage.collect("p1", "page", "text", run="tenant")

    assert own.item_id != shared.item_id
    assert lineage.contents.edges() == {}
    assert lineage.contents.faults_of_lineage() == []


@pytest.mark.parametrize(
    "members",
    [
        {},
        {"title": None, "text_length": None, "content_type": None, "row_id": None, "body_sha256": None},
        {"text_length": 0, "status": 203, "reprocessed_from": "older"},
        {"title": "\u00fc\U0001f600 \u6f22\u5b57", "fetched_url": "https://example.com/" + "a" * 3000},
        {"canonical_uri": "https://example.com/" + "b" * 3000},
    ],
)
def test_an_item_is_read_as_it_was_added(lineage: LineageBench, members: dict[str, Any]) -> None:
    item = new_item("p1", "page", "text", run=new_run(), **members)
    add_item(item, "p1", lineage=lineage.store)

    assert lineage.store.item(item.item_id) == item


def test_texts_of_a_page_are_cut_to_the_tables_limits(lineage: LineageBench) -> None:
    item = new_item("p1", "page", "text", run=new_run(), title="t" * 500_000, content_type="c" * 500_000)
    add_item(item, "p1", lineage=lineage.store)
    stored = lineage.store.item(item.item_id)

    assert stored is not None
    assert (stored.title, stored.content_type) == ("t" * 500, "c" * 200)


def test_a_missing_object_has_no_contents(lineage: LineageBench) -> None:
    assert lineage.store.item("none") is None
    assert list(lineage.store.edges("none")) == []
    assert list(lineage.store.sightings("none")) == []
    assert lineage.store.reprocessed([], V1) == {}


def test_an_item_that_two_supersede_shows_both_after_the_item_it_supersedes(lineage: LineageBench) -> None:
    first = lineage.collect("p0", "one", "zero", now=NOW).item_id
    middle = lineage.collect("p1", "one", "shared", now=NOW + 1).item_id
    by_uri = lineage.collect("p2", "one", "changed", now=NOW + 2).item_id
    by_content = lineage.collect("p3", "two", "shared", now=NOW + 3).item_id

    ends = [(edge.newer, edge.older) for edge in lineage.store.edges(middle)]
    assert ends == [(middle, first), (by_uri, middle), (by_content, middle)]


def test_duplicate_fetches_are_listed_oldest_first(lineage: LineageBench) -> None:
    item_id = lineage.collect("p0", "page", "text", now=NOW).item_id
    for n in (3, 1, 2):
        lineage.collect(f"p{n}", "page", "text", now=NOW + n)

    expected = [
        DuplicateFetch(
            item_id=item_id,
            run_id=run_id("run"),
            row_id=f"p{n}",
            fetched_url=f"https://example.com/page?from=p{n}",
            seen_at=NOW + n,
        )
        for n in (1, 2, 3)
    ]
    assert list(lineage.store.sightings(item_id)) == expected


def test_duplicate_fetches_are_at_most_some_hundreds(fake_bench: Any) -> None:
    from tests.fakes.lineage import FakeLineageStore

    store = FakeLineageStore(fake_bench.store)
    lineage = LineageBench(store, store.faults, store.contents)
    item_id = lineage.collect("p", "page", "text").item_id
    for n in range(SIGHTINGS_AT_MOST + 5):
        lineage.collect(f"p{n}", "page", "text", now=NOW + n)

    assert len(list(store.sightings(item_id))) == SIGHTINGS_AT_MOST


# --- cost ----------------------------------------------------------------------------------------


class _Writes:
    """Counts the calls of each kind, and the writes of transactions."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.calls: list[str] = []
        self.written: list[str] = []

    def __getattr__(self, operation: str) -> Callable[..., Any]:
        def call(**request: Any) -> Any:
            self.calls.append(operation)
            for write in request.get("TransactItems", ()):
                ((_, members),) = write.items()
                key = members.get("Item") or members["Key"]
                self.written.append(key["sk"]["S"].split("#")[0])
            return getattr(self._client, operation)(**request)

        return call


def costs(lineage: LineageBench, item: Item) -> _Writes:
    recorded = _Writes(lineage.faults)
    add_item(item, item.row_id or "", lineage=DynamoLineageStore(Tables(recorded, lineage.contents.names, PATIENT)))  # type: ignore[arg-type]
    return recorded


def test_a_page_is_one_read_and_one_transaction(lineage: LineageBench) -> None:
    run = new_run()
    first = costs(lineage, new_item("p1", "page", "one", run=run))
    second = costs(lineage, new_item("p2", "page", "two", run=run))
    again = costs(lineage, new_item("p3", "page", "two", run=run))
    repeated = costs(lineage, new_item("p3", "page", "two", run=run))

    assert first.calls == second.calls == again.calls == ["batch_get_item", "transact_write_items"]
    assert sorted(first.written) == ["COUNT", "HEAD", "HEAD", "ITEM", "SAME", "URL"]
    assert sorted(second.written) == sorted([*first.written, "SUPERSEDED_BY", "SUPERSEDES"])
    assert sorted(again.written) == ["COUNT", "URL"]
    assert repeated.calls == ["batch_get_item"]


def test_the_duplicate_fetches_of_an_item_are_one_list_and_one_read(lineage: LineageBench) -> None:
    item_id = lineage.collect("p", "page", "text").item_id
    for n in range(20):
        lineage.collect(f"p{n}", "page", "text", now=NOW + n)
    recorded = _Writes(lineage.faults)
    store = DynamoLineageStore(Tables(recorded, lineage.contents.names, PATIENT))  # type: ignore[arg-type]

    assert len(store.sightings(item_id)) == 20
    assert recorded.calls.count("batch_get_item") == 1
    assert set(recorded.calls) == {"query", "batch_get_item"}


def test_a_run_and_its_progress_are_one_query(lineage: LineageBench) -> None:
    collected(lineage, "a", 20)
    recorded = _Writes(lineage.faults)
    run = DynamoLineageStore(Tables(recorded, lineage.contents.names, PATIENT)).run(run_id("a"))  # type: ignore[arg-type]

    assert run is not None
    assert run.counters.items == 20
    assert set(recorded.calls) == {"query"}
