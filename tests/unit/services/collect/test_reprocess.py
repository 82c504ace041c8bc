"""Reprocessing an older run's items under the code's version: new items, untouched items, killed workers."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.errors import InvalidInput
from feedward.lineage.run import Counters, Run, RunKind, RunStatus
from feedward.lineage.version import CURRENT_VERSION
from feedward.services.collect.fetch_row import fetch_row
from feedward.services.collect.read_lineage import find_run, list_items
from feedward.services.collect.reprocess import STEP_ITEMS, reprocess
from tests.fakes.code_version import LATER, OLDER, code_of
from tests.unit.services.collect.collecting import A, B, Collecting, page


def collected_before_the_bump(world: Collecting, urls: list[str]) -> Run:
    """A run whose items are of an older version."""
    with code_of(OLDER):
        older = world.run(urls)
    assert world.now(older).status is RunStatus.DONE
    return older


def again(world: Collecting, older: Run, **members: Any) -> Run:
    """Make the run's items again, and return the run that did."""
    started = world.begin([], reprocessing_of_run_id=older.run_id, **members)
    world.work_off()
    return world.now(started.run)


def test_items_are_made_again_from_their_bodies_and_the_older_ones_stay() -> None:
    world = Collecting({A: page("one"), B: page("two")})
    older = collected_before_the_bump(world, [A, B])
    before, asked = world.items(), len(world.internet.requests)

    run = again(world, older)

    assert (run.kind, run.status, run.pages) == (RunKind.REPROCESSING, RunStatus.DONE, 2)
    assert run.counters == Counters(items=2)
    assert len(world.internet.requests) == asked, "nothing is fetched again"
    made = [item for item in world.items() if item["run_id"] == run.run_id]
    assert {item["reprocessed_from"] for item in made} == {item["item_id"] for item in before}
    assert {item["normalization_version"] for item in made} == {CURRENT_VERSION}
    assert [item for item in world.items() if item["run_id"] == older.run_id] == before


def test_rule_v3_2_no_edge_joins_items_of_two_versions() -> None:
    world = Collecting({A: page("one"), B: page("one")})
    older = collected_before_the_bump(world, [A, B])

    again(world, older)

    versions = {item_id: item["normalization_version"] for item_id, item in world.lineage.contents.items().items()}
    edges = world.lineage.contents.edges()
    assert len(edges) == 2, "one in each version"
    assert all(versions[newer] == versions[older_id] for newer, older_id in edges)


def test_items_outdated_by_a_bump_are_listed_until_they_are_reprocessed() -> None:
    world = Collecting({A: page("one"), B: page("two")})
    older = collected_before_the_bump(world, [A, B])

    behind = list_items(SELF_HOSTED, ports=world.ports, outdated=True)
    again(world, older)

    assert sorted(item.canonical_uri for item in behind.items) == [A, B]
    assert list_items(SELF_HOSTED, ports=world.ports, outdated=True).items == ()


def test_outdated_items_come_page_by_page() -> None:
    urls = [f"https://h{number}.example/" for number in range(7)]
    world = Collecting({url: page(url) for url in urls})
    collected_before_the_bump(world, urls)

    found, cursor = [], None
    for _ in range(10):
        listed = list_items(SELF_HOSTED, ports=world.ports, outdated=True, cursor=cursor, limit=3)
        found += [item.canonical_uri for item in listed.items]
        cursor = listed.cursor
        if cursor is None:
            break

    assert sorted(found) == urls


def test_a_body_that_is_gone_is_counted_as_refused() -> None:
    world = Collecting({A: page("one"), B: page("two")})
    older = collected_before_the_bump(world, [A, B])
    bodies: Any = world.ports.bodies
    gone = next(iter(bodies.s3.objects))
    del bodies.s3.objects[gone]

    run = again(world, older)

    assert (run.counters, run.status) == (Counters(items=1, refused=1), RunStatus.DONE)


def test_a_run_of_the_current_version_is_not_made_again() -> None:
    world = Collecting({A: page("one")})
    run = world.run([A])

    with pytest.raises(InvalidInput) as refused:
        world.begin([], reprocessing_of_run_id=run.run_id)

    assert refused.value.field == "version"


def test_reprocessing_takes_no_urls() -> None:
    world = Collecting({A: page("one")})
    older = collected_before_the_bump(world, [A])

    with pytest.raises(InvalidInput) as refused:
        world.begin([B], reprocessing_of_run_id=older.run_id)

    assert refused.value.field == "urls"


def test_a_reprocessing_that_is_killed_goes_on_where_it_was() -> None:
    urls = [f"https://h{number}.example/" for number in range(STEP_ITEMS + 5)]
    world = Collecting({url: page(url) for url in urls})
    older = collected_before_the_bump(world, urls)
    started = world.begin([], reprocessing_of_run_id=older.run_id)
    (message,) = world.queue.take()
    reads, read = [0], world.ports.bodies.read

    def dying(body_sha256: str, *, scope: str = "") -> bytes | None:
        reads[0] += 1
        if reads[0] == STEP_ITEMS // 2:
            raise KeyboardInterrupt
        return read(body_sha256, scope=scope)

    bodies: Any = world.ports.bodies
    bodies.read = dying
    with pytest.raises(KeyboardInterrupt):
        reprocess(started.run.run_id, ports=world.ports, within_s=600)
    bodies.read = read
    world.queue.send_batch([message, message])
    world.work_off()

    run = world.now(started.run)
    assert (run.counters, run.pages, run.status) == (Counters(items=len(urls)), len(urls), RunStatus.DONE)
    assert world.faults() == []


def test_a_step_without_time_leaves_the_rest_to_the_next() -> None:
    world = Collecting({A: page("one")})
    older = collected_before_the_bump(world, [A])
    started = world.begin([], reprocessing_of_run_id=older.run_id)

    assert reprocess(started.run.run_id, ports=world.ports, within_s=1).done is False
    assert reprocess(started.run.run_id, ports=world.ports, within_s=600).done is True


@pytest.mark.parametrize("version", [OLDER, LATER, "http_snapshot_url_v9_text_v9"])
def test_a_run_under_another_version_than_the_codes_is_refused(version: str) -> None:
    world = Collecting({A: page("one")})
    older = collected_before_the_bump(world, [A])

    for asked in ({"urls": [A]}, {"urls": [], "reprocessing_of_run_id": older.run_id}):
        with pytest.raises(InvalidInput, match=CURRENT_VERSION) as refused:
            world.begin(**asked, version=version)
        assert refused.value.field == "version"

    assert again(world, older, version=CURRENT_VERSION).normalization_version == CURRENT_VERSION


def test_items_of_later_code_leave_nothing_behind_and_are_reprocessed_under_the_codes_version() -> None:
    world = Collecting({A: page("one"), B: page("two")})
    world.run([A])
    with code_of(LATER):
        later = world.run([A, B])

    assert list_items(SELF_HOSTED, ports=world.ports, outdated=True).items == ()
    assert again(world, later).counters == Counters(items=1, sightings=1)
    assert world.lineage.contents.edges() == {}


def test_a_run_that_a_bump_stopped_is_made_again_at_once() -> None:
    world = Collecting({A: page("one"), B: {"status": 500}})
    with code_of(OLDER):
        run = world.run([A, B])

    assert world.now(run).status is RunStatus.STOPPED
    assert again(world, run).counters == Counters(items=1)


def test_a_standing_run_is_reprocessed_as_far_as_it_is() -> None:
    world = Collecting({A: page("one"), B: page("two")})
    with code_of(OLDER):
        fetch_row(world.add(A), ports=world.ports)
    (first,) = world.items()
    standing = find_run(SELF_HOSTED, first["run_id"], ports=world.ports)

    made = again(world, standing)
    with code_of(OLDER):
        fetch_row(world.add(B), ports=world.ports)
    left = list_items(SELF_HOSTED, ports=world.ports, outdated=True)
    rest = again(world, standing)

    assert (made.pages, made.counters, made.status) == (1, Counters(items=1), RunStatus.DONE)
    assert [item.canonical_uri for item in left.items] == [B]
    assert (rest.pages, rest.counters) == (2, Counters(items=1, sightings=1))
    assert list_items(SELF_HOSTED, ports=world.ports, outdated=True).items == ()


def test_reprocessed_items_can_be_reprocessed_under_a_third_version() -> None:
    world = Collecting({A: page("one"), B: page("one")})
    second = again(world, collected_before_the_bump(world, [A, B]))
    with code_of(LATER):
        third = again(world, second)

    assert (second.counters, third.counters) == (Counters(items=2, superseded=1),) * 2
    versions = {item["normalization_version"] for item in world.items() if item["run_id"] == third.run_id}
    assert versions == {third.normalization_version} == {LATER}
    assert world.faults() == []


def test_a_run_after_a_bump_asks_for_whole_pages_and_its_items_stand_apart() -> None:
    tagged = page("one") | {"headers": {"Content-Type": "text/html", "ETag": '"1"'}}
    world = Collecting({A: tagged})
    collected_before_the_bump(world, [A])

    later = world.run([A])
    world.internet.network[A] = {"status": 304}
    same = world.run([A])

    assert (later.counters, same.counters) == (Counters(items=1), Counters(sightings=1, not_modified=1))
    assert world.lineage.contents.edges() == {}


def test_a_run_that_a_bump_overtakes_is_stopped_and_its_pages_go_into_the_run_of_the_day() -> None:
    world = Collecting({A: {"status": 500}})
    with code_of(OLDER):
        started = world.begin([A])
        world.work_off()
    world.internet.network[A] = page("one")
    (row,) = world.rows()

    fetch_row(row, ports=world.ports)

    assert world.now(started.run).status is RunStatus.STOPPED
    (item,) = world.items()
    assert item["normalization_version"] == CURRENT_VERSION
    assert item["run_id"] != started.run.run_id
