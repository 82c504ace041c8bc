"""Move observations and shared redirect targets: their stored data, their writers and their expiry (rule F2)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from feedward.adapters.dynamodb.state.move_observations import DynamoMoveObservations
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.deadline import Deadline
from feedward.errors import Conflict, StoreUnavailable
from feedward.health.moves import Move, MoveReason, may_adopt
from feedward.health.shared_target import SHARED_BY_HOSTS, SharedTarget
from feedward.services.check.moves import leads_to_shared_target, observe_move
from tests.contract.conftest import Bench
from tests.fakes.feed_store import PATIENT

NOW = 1_790_000_000
DAY = 86_400
TARGET = "https://new.example.org/feed"


def move(target: str = TARGET) -> Move:
    return Move(target=target, reason=MoveReason.PERMANENT_REDIRECT)


@pytest.fixture
def observations(bench: Bench) -> DynamoMoveObservations:
    return DynamoMoveObservations(Tables(bench.faults, bench.contents.names, PATIENT))  # type: ignore[arg-type]


def test_a_target_that_is_seen_on_two_checks_a_day_apart_may_be_adopted(observations: DynamoMoveObservations) -> None:
    def adopt(now: int) -> bool:
        seen = observe_move("f1", "old.example.com", move(), observations=observations, now=now)
        return may_adopt(move(), same_feed=False, observation=seen.observation, is_shared_target=seen.is_shared_target)

    assert [adopt(NOW), adopt(NOW + 3600), adopt(NOW + DAY - 1), adopt(NOW + DAY)] == [False, False, False, True]


def test_another_target_begins_anew_and_each_feed_has_its_own(observations: DynamoMoveObservations) -> None:
    for feed_id, target, now in [("f1", TARGET, NOW), ("f1", TARGET + "2", NOW + 10), ("f2", TARGET, NOW + 20)]:
        observe_move(feed_id, "old.example.com", move(target), observations=observations, now=now)
    first, second = (observations.observation(feed_id, now=NOW + 30) for feed_id in ("f1", "f2"))
    assert first is not None
    assert second is not None
    assert (first.target, first.first_seen_at) == (TARGET + "2", NOW + 10)
    assert (second.target, second.first_seen_at) == (TARGET, NOW + 20)
    assert observations.observation("f3", now=NOW) is None


def test_an_unconfirmed_move_observation_expires(observations: DynamoMoveObservations) -> None:
    observe_move("f1", "old.example.com", move(), observations=observations, now=NOW)
    assert observations.observation("f1", now=NOW + 8 * DAY) is not None
    assert observations.observation("f1", now=NOW + 8 * DAY + 1) is None


def test_a_late_message_does_not_undo_later_observations(observations: DynamoMoveObservations) -> None:
    observe_move("f1", "old.example.com", move(), observations=observations, now=NOW)
    newer = observe_move("f1", "old.example.com", move(), observations=observations, now=NOW + DAY)
    late = observe_move("f1", "old.example.com", move(), observations=observations, now=NOW + 100)
    assert late.observation == newer.observation == observations.observation("f1", now=NOW + DAY)


def test_many_unrelated_hosts_that_move_to_one_target_make_it_shared(observations: DynamoMoveObservations) -> None:
    login = "https://login.hotel.example.net/welcome"
    seen = [
        observe_move(f"f{n}", f"site{n}.example", move(f"{login}?from={n}"), observations=observations, now=NOW + n)
        for n in range(SHARED_BY_HOSTS + 1)
    ]
    assert [each.is_shared_target for each in seen] == [False] * (SHARED_BY_HOSTS - 1) + [True] * 2
    late = observe_move("g", "late.example", move(f"{login}?from=g"), observations=observations, now=NOW + 3 * DAY)
    assert late.is_shared_target
    assert not may_adopt(move(), same_feed=True, is_shared_target=late.is_shared_target)


def test_feeds_of_one_domain_that_move_together_make_no_target_shared(observations: DynamoMoveObservations) -> None:
    for n in range(SHARED_BY_HOSTS * 2):
        assert not leads_to_shared_target(f"blog{n}.example.com", TARGET, observations=observations, now=NOW + n)


def test_a_move_within_the_domain_costs_nothing(fake_bench: Bench) -> None:
    observations = DynamoMoveObservations(Tables(fake_bench.faults, fake_bench.contents.names, PATIENT))  # type: ignore[arg-type]
    fake_bench.faults.calls.clear()
    assert not leads_to_shared_target("www.example.org", TARGET, observations=observations, now=NOW)
    assert fake_bench.faults.calls == []


def test_hosts_that_arrive_at_once_are_all_counted(bench: Bench) -> None:
    observations = DynamoMoveObservations(Tables(bench.faults, bench.contents.names))  # type: ignore[arg-type]

    def arrive(n: int) -> bool | None:
        try:
            return leads_to_shared_target(f"site{n}.example", TARGET, observations=observations, now=NOW)
        except Conflict:
            return None

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(arrive, range(12)))
    assert answers.count(True) >= 1
    shared_target, _ = observations.shared_target("new.example.org/feed", now=NOW)
    assert shared_target.crowded_at == NOW


def test_arrivals_are_written_only_over_the_state_that_was_read(observations: DynamoMoveObservations) -> None:
    shared_target = SharedTarget(domains=(("a.example", NOW),))
    assert observations.shared_target("t/", now=NOW) == (SharedTarget(), 0)
    assert observations.save_shared_target("t/", shared_target, seen_rev=0, now=NOW)
    assert not observations.save_shared_target("t/", SharedTarget(), seen_rev=0, now=NOW)
    assert observations.shared_target("t/", now=NOW) == (shared_target, 1)
    assert observations.shared_target("t/", now=NOW + 8 * DAY) == (SharedTarget(), 1)


def test_a_target_longer_than_a_key_can_be_is_remembered(observations: DynamoMoveObservations) -> None:
    long = "https://new.example.org/" + "x" * 5000
    assert not observe_move("f1", "old.example.com", move(long), observations=observations, now=NOW).is_shared_target
    found = observations.observation("f1", now=NOW)
    assert found is not None
    assert found.target == long


def test_an_observation_that_is_not_repeated_expires_by_itself(bench: Bench) -> None:
    observations = DynamoMoveObservations(Tables(bench.faults, bench.contents.names, PATIENT))  # type: ignore[arg-type]
    observe_move("f1", "old.example.com", move(), observations=observations, now=NOW)
    rows = bench.faults.scan(TableName=bench.contents.names.state)["Items"]
    assert len(rows) == 2
    assert all(NOW + 6 * DAY < int(row["expires_at"]["N"]) < NOW + 9 * DAY for row in rows)


def test_no_call_begins_after_the_deadline_of_the_check(observations: DynamoMoveObservations) -> None:
    late = observations.within(Deadline.after(0.0))

    with pytest.raises(StoreUnavailable):
        observe_move("f1", "old.example.com", move(), observations=late, now=NOW)
    with pytest.raises(StoreUnavailable):
        leads_to_shared_target("old.example.com", TARGET, observations=late, now=NOW)
