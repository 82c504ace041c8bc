"""Moves that have to be seen again, and portals: what is remembered of them, by whom, and for how long (F2)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from feedward.adapters.dynamodb.state.move_observations import DynamoSightings
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.errors import Conflict
from feedward.health.move_observation import PORTAL_HOSTS, Arrivals
from feedward.health.moves import Move, MoveReason, may_adopt
from feedward.services.check.moves import leads_to_portal, sight_move
from tests.contract.conftest import Bench
from tests.fakes.feed_store import PATIENT

NOW = 1_790_000_000
DAY = 86_400
TARGET = "https://new.example.org/feed"


def move(target: str = TARGET) -> Move:
    return Move(target=target, reason=MoveReason.PERMANENT_REDIRECT)


@pytest.fixture
def sightings(bench: Bench) -> DynamoSightings:
    return DynamoSightings(Tables(bench.faults, bench.contents.names, PATIENT))  # type: ignore[arg-type]


def test_a_target_that_is_seen_on_two_checks_a_day_apart_may_be_adopted(sightings: DynamoSightings) -> None:
    def adopt(now: int) -> bool:
        seen = sight_move("f1", "old.example.com", move(), sightings=sightings, now=now)
        return may_adopt(move(), same_feed=False, sighting=seen.sighting, is_portal=seen.is_portal)

    assert [adopt(NOW), adopt(NOW + 3600), adopt(NOW + DAY - 1), adopt(NOW + DAY)] == [False, False, False, True]


def test_another_target_begins_anew_and_each_feed_has_its_own(sightings: DynamoSightings) -> None:
    for feed_id, target, now in [("f1", TARGET, NOW), ("f1", TARGET + "2", NOW + 10), ("f2", TARGET, NOW + 20)]:
        sight_move(feed_id, "old.example.com", move(target), sightings=sightings, now=now)
    first, second = (sightings.sighting(feed_id, now=NOW + 30) for feed_id in ("f1", "f2"))
    assert first is not None
    assert second is not None
    assert (first.target, first.first_seen_at) == (TARGET + "2", NOW + 10)
    assert (second.target, second.first_seen_at) == (TARGET, NOW + 20)
    assert sightings.sighting("f3", now=NOW) is None


def test_a_sighting_that_nobody_confirmed_is_forgotten(sightings: DynamoSightings) -> None:
    sight_move("f1", "old.example.com", move(), sightings=sightings, now=NOW)
    assert sightings.sighting("f1", now=NOW + 8 * DAY) is not None
    assert sightings.sighting("f1", now=NOW + 8 * DAY + 1) is None


def test_a_message_that_comes_late_does_not_undo_what_was_seen_since(sightings: DynamoSightings) -> None:
    sight_move("f1", "old.example.com", move(), sightings=sightings, now=NOW)
    newer = sight_move("f1", "old.example.com", move(), sightings=sightings, now=NOW + DAY)
    late = sight_move("f1", "old.example.com", move(), sightings=sightings, now=NOW + 100)
    assert late.sighting == newer.sighting == sightings.sighting("f1", now=NOW + DAY)


def test_many_unrelated_hosts_moving_to_one_target_are_a_portal(sightings: DynamoSightings) -> None:
    portal = "https://login.hotel.example.net/welcome"
    seen = [
        sight_move(f"f{n}", f"site{n}.example", move(f"{portal}?from={n}"), sightings=sightings, now=NOW + n)
        for n in range(PORTAL_HOSTS + 1)
    ]
    assert [each.is_portal for each in seen] == [False] * (PORTAL_HOSTS - 1) + [True] * 2
    late = sight_move("g", "late.example", move(f"{portal}?from=g"), sightings=sightings, now=NOW + 3 * DAY)
    assert late.is_portal
    assert not may_adopt(move(), same_feed=True, is_portal=late.is_portal)


def test_the_feeds_of_one_domain_moving_together_are_none(sightings: DynamoSightings) -> None:
    for n in range(PORTAL_HOSTS * 2):
        assert not leads_to_portal(f"blog{n}.example.com", TARGET, sightings=sightings, now=NOW + n)


def test_a_move_within_the_domain_costs_nothing(fake_bench: Bench) -> None:
    sightings = DynamoSightings(Tables(fake_bench.faults, fake_bench.contents.names, PATIENT))  # type: ignore[arg-type]
    fake_bench.faults.calls.clear()
    assert not leads_to_portal("www.example.org", TARGET, sightings=sightings, now=NOW)
    assert fake_bench.faults.calls == []


def test_hosts_that_arrive_at_once_are_all_counted(bench: Bench) -> None:
    sightings = DynamoSightings(Tables(bench.faults, bench.contents.names))  # type: ignore[arg-type]

    def arrive(n: int) -> bool | None:
        try:
            return leads_to_portal(f"site{n}.example", TARGET, sightings=sightings, now=NOW)
        except Conflict:
            return None

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(arrive, range(12)))
    assert answers.count(True) >= 1
    arrivals, _ = sightings.arrivals("new.example.org/feed", now=NOW)
    assert arrivals.portal_at == NOW


def test_arrivals_are_written_over_what_was_read_only(sightings: DynamoSightings) -> None:
    arrivals = Arrivals(domains=(("a.example", NOW),))
    assert sightings.arrivals("t/", now=NOW) == (Arrivals(), 0)
    assert sightings.save_arrivals("t/", arrivals, seen_rev=0, now=NOW)
    assert not sightings.save_arrivals("t/", Arrivals(), seen_rev=0, now=NOW)
    assert sightings.arrivals("t/", now=NOW) == (arrivals, 1)
    assert sightings.arrivals("t/", now=NOW + 8 * DAY) == (Arrivals(), 1)


def test_a_target_longer_than_a_key_can_be_is_remembered(sightings: DynamoSightings) -> None:
    long = "https://new.example.org/" + "x" * 5000
    assert not sight_move("f1", "old.example.com", move(long), sightings=sightings, now=NOW).is_portal
    found = sightings.sighting("f1", now=NOW)
    assert found is not None
    assert found.target == long


def test_what_nobody_sees_again_goes_by_itself(bench: Bench) -> None:
    sightings = DynamoSightings(Tables(bench.faults, bench.contents.names, PATIENT))  # type: ignore[arg-type]
    sight_move("f1", "old.example.com", move(), sightings=sightings, now=NOW)
    rows = bench.faults.scan(TableName=bench.contents.names.state)["Items"]
    assert len(rows) == 2
    assert all(NOW + 6 * DAY < int(row["expires_at"]["N"]) < NOW + 9 * DAY for row in rows)
