"""Counters, concurrency slots and limits of tenants: each charge counts once (rules QT1, QT3, QT8)."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.access.caller import Caller, Scope
from feedward.adapters.aws_calls import Backoff
from feedward.adapters.dynamodb.state.quota_counters import SLOTS, DynamoQuotaCounters
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.errors import QuotaExceeded, Throttled
from feedward.quotas.quota import KEPT_S, Quota, span_at
from feedward.services.quotas.meter import Meter
from tests.contract.conftest import Bench
from tests.contract.sites.test_site_races import at_once
from tests.fakes.directory import FakeClock
from tests.fakes.feed_store import PATIENT

NOW = 1_790_000_000
DAY = span_at(Quota.PAGES_PER_DAY, NOW)
THREADS = 200
PLACES = 10


def an_id(name: str, now: int = NOW) -> str:
    return f"{now:011d}-{name}"


def counters_of(bench: Bench, backoff: Backoff = PATIENT) -> DynamoQuotaCounters:
    return DynamoQuotaCounters(Tables(bench.faults, bench.contents.names, backoff))  # type: ignore[arg-type]


@pytest.fixture
def counters(bench: Bench) -> DynamoQuotaCounters:
    return counters_of(bench)


def test_a_charge_that_fits_is_added_and_one_that_does_not_gets_the_used_amount(counters: DynamoQuotaCounters) -> None:
    assert counters.used("t1", DAY) is None
    assert counters.add("t1", DAY, 7, at_most=3, charge_id=an_id("a")) is None
    assert counters.add("t1", DAY, 3, at_most=7, charge_id=an_id("b")) is None
    assert counters.add("t1", DAY, 1, at_most=9, charge_id=an_id("c")) == 10
    assert counters.used("t1", DAY) == 10


def test_tenants_quotas_and_days_are_counted_apart(counters: DynamoQuotaCounters) -> None:
    counters.add("t1", DAY, 7, at_most=100, charge_id=an_id("a"))

    others = [("t2", DAY), (None, DAY), ("t1", DAY.before), ("t1", span_at(Quota.IMPORTS_PER_DAY, NOW))]
    assert [counters.used(*each) for each in others] == [None] * 4


def test_a_charge_whose_answer_was_lost_is_counted_once(bench: Bench, counters: DynamoQuotaCounters) -> None:
    bench.faults.lost_answers = 1

    assert counters.add("t1", DAY, 7, at_most=3, charge_id=an_id("a")) is None
    assert counters.used("t1", DAY) == 7


def test_more_charges_at_once_than_the_counter_remembers_are_all_counted(counters: DynamoQuotaCounters) -> None:
    for number in range(2 * SLOTS):
        assert counters.add("t1", DAY, 1, at_most=10**6, charge_id=an_id(str(number))) is None

    assert counters.used("t1", DAY) == 2 * SLOTS


def test_a_charge_is_given_back_once(bench: Bench, counters: DynamoQuotaCounters) -> None:
    counters.add("t1", DAY, 7, at_most=100, charge_id=an_id("a"))
    counters.add("t1", DAY, 2, at_most=100, charge_id=an_id("b"))
    bench.faults.lost_answers = 1

    counters.give_back("t1", DAY, 7, charge_id=an_id("a"))
    counters.give_back("t1", DAY, 7, charge_id=an_id("a"))
    counters.give_back("t1", DAY, 5, charge_id=an_id("unknown"))

    assert counters.used("t1", DAY) == 2


def test_of_two_that_give_back_a_charge_at_once_one_does(
    counters: DynamoQuotaCounters, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b", "c"):
        counters.add("t1", DAY, 7, at_most=100, charge_id=an_id(name))
    seen = counters._counter("t1", DAY)
    counters.give_back("t1", DAY, 7, charge_id=an_id("a"))
    monkeypatch.setattr(counters, "_counter", lambda *_: seen)

    counters.give_back("t1", DAY, 7, charge_id=an_id("a"))

    monkeypatch.undo()
    assert counters.used("t1", DAY) == 14


def test_a_refund_needs_its_weight_in_the_counter(counters: DynamoQuotaCounters) -> None:
    counters.start("t1", DAY, 1)

    assert counters.add("t1", DAY, -1, at_most=0, charge_id=an_id("a")) is None
    assert counters.add("t1", DAY, -1, at_most=0, charge_id=an_id("b")) == 0
    assert counters.used("t1", DAY) == 0


def test_a_total_starts_once_with_the_given_count(counters: DynamoQuotaCounters) -> None:
    counters.start("t1", DAY, 41)
    counters.start("t1", DAY, 5)

    assert counters.used("t1", DAY) == 41


def test_a_counter_is_forgotten_after_its_span(bench: Bench, counters: DynamoQuotaCounters) -> None:
    counters.add("t1", DAY, 1, at_most=100, charge_id=an_id("a"))

    (row,) = bench.contents.state()
    assert row["expires_at"] == DAY.ends_at + KEPT_S
    assert row["pk"] == f"QUOTA#t1#pages_per_day#{DAY.starts_at}"


@pytest.mark.parametrize("lost", [0, 7])
def test_two_hundred_threads_at_the_last_ten_places_get_exactly_ten(bench: Bench, lost: int) -> None:
    clock = FakeClock()
    counters = counters_of(bench, Backoff(attempts=12, first_s=0.001))
    span = span_at(Quota.PAGES_PER_DAY, clock.now())
    counters.start("t1", span, 90)
    meter = Meter(counters, clock, default={Quota.PAGES_PER_DAY: 100}, places=2)
    caller = Caller("t1", "k", Scope.WRITE)
    meter.state("t1", {})
    bench.faults.lost_answers = lost

    def charge(_: int) -> bool:
        try:
            with meter.charged(caller, "pages"):
                return True
        except QuotaExceeded:
            return False

    got = at_once(charge, THREADS)

    assert sum(got) == PLACES
    assert counters.used("t1", span) == 100


# --- places ---------------------------------------------------------------------------------------


def test_no_more_places_are_taken_than_there_are_and_a_left_one_is_free(counters: DynamoQuotaCounters) -> None:
    taken = [counters.take_place("t1", "discover", places=3, now=NOW, until=NOW + 5) for _ in range(4)]

    assert [place is None for place in taken] == [False, False, False, True]
    assert counters.take_place("t2", "discover", places=1, now=NOW, until=NOW + 5) is not None
    assert taken[1] is not None
    counters.leave_place("t1", taken[1])
    again = counters.take_place("t1", "discover", places=3, now=NOW, until=NOW + 5)
    assert again is not None
    assert again.number == taken[1].number


def test_a_place_of_a_call_that_died_ends_by_itself_and_is_not_left_by_its_ghost(counters: DynamoQuotaCounters) -> None:
    first = counters.take_place("t1", "discover", places=1, now=NOW, until=NOW + 5)
    assert counters.take_place("t1", "discover", places=1, now=NOW + 4, until=NOW + 9) is None
    second = counters.take_place("t1", "discover", places=1, now=NOW + 6, until=NOW + 11)
    assert first is not None
    assert second is not None

    counters.leave_place("t1", first)

    assert counters.take_place("t1", "discover", places=1, now=NOW + 7, until=NOW + 12) is None


def test_many_threads_share_the_places_and_a_lost_answer_takes_one_only(bench: Bench) -> None:
    counters = counters_of(bench, Backoff(attempts=12, first_s=0.001))
    bench.faults.lost_answers = 3

    def take(_: int) -> Any:
        return counters.take_place("t1", "discover", places=PLACES, now=NOW, until=NOW + 5)

    got = at_once(take, 40)

    assert len({place.number for place in got if place}) == sum(place is not None for place in got) == PLACES


# --- limits ---------------------------------------------------------------------------------------


def test_limits_are_those_that_were_set(counters: DynamoQuotaCounters) -> None:
    assert counters.limits("t1") == {}
    counters.set_limits("t1", {Quota.PAGES_PER_DAY: 5, Quota.IMPORTS_PER_DAY: None})
    counters.set_limits("t2", {Quota.PAGES_PER_DAY: 6})

    assert counters.limits("t1") == {Quota.PAGES_PER_DAY: 5, Quota.IMPORTS_PER_DAY: None}
    seen = counters.limits("t1")
    assert not counters.set_limits("t1", {Quota.PAGES_PER_DAY: 1}, seen={Quota.PAGES_PER_DAY: 5})
    assert not counters.set_limits("t1", {Quota.PAGES_PER_DAY: 1}, seen={})
    assert counters.limits("t1") == seen
    assert counters.set_limits("t1", {Quota.PAGES_PER_DAY: 1}, seen=seen)
    assert counters.set_limits("t1", {Quota.PAGES_PER_DAY: 1}, seen=seen), "the answer to the first call was lost"
    assert counters.set_limits("t3", {Quota.PAGES_PER_DAY: 1}, seen={})

    counters.set_limits("t1", {})
    assert counters.set_limits("t1", {Quota.PAGES_PER_DAY: 1}, seen={})
    counters.set_limits("t1", {})
    assert counters.limits("t1") == {}


def test_counters_that_cannot_be_reached_say_so(bench: Bench) -> None:
    counters = counters_of(bench, Backoff(attempts=1))
    bench.faults.throttles = 1

    with pytest.raises(Throttled):
        counters.add("t1", DAY, 1, at_most=5, charge_id=an_id("a"))
