"""Tenants are charged once for work, before it, whole or not at all (rules QT1 to QT5, QT7, QT8)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from feedward.access.caller import SELF_HOSTED, Caller, Scope
from feedward.adapters.dynamodb.state.quota_counters import DynamoQuotaCounters
from feedward.errors import InvalidInput, QuotaExceeded, StoreUnavailable, Throttled, TooManyAtOnce
from feedward.ports.quotas import WorkName
from feedward.quotas.quota import Quota, span_at
from feedward.services.quotas.meter import LIMITS_FOR_S, Meter
from tests.fakes.directory import FakeClock
from tests.fakes.feed_store import FakeFeedStore

TENANT = Caller("t1", "k1", Scope.WRITE)
OWNER = Caller(None, "k2", Scope.OPERATOR)
LIMITS = {
    Quota.SUBSCRIPTIONS: 5,
    Quota.DISCOVERIES_PER_MINUTE: 3,
    Quota.DISCOVERIES_PER_DAY: 4,
    Quota.PAGES_PER_DAY: 10,
    Quota.BODY_BYTES_PER_DAY: 1000,
}


class Charged:
    """A meter over counters in memory, with their knobs."""

    def __init__(self) -> None:
        self.store = FakeFeedStore()
        self.clock = FakeClock()
        self.clock.advance(-self.clock.now() % 60)  # a minute begins
        self.counters = DynamoQuotaCounters(self.store.tables)
        self.meter = self.another_process()

    def another_process(self) -> Meter:
        return Meter(self.counters, self.clock, default=LIMITS, places=2)

    def charge(self, work: WorkName, weight: int = 1, caller: Caller = TENANT, fails: Exception | None = None) -> None:
        with self.meter.charged(caller, work, weight):
            if fails:
                raise fails

    def used(self, quota: Quota, tenant: str | None = "t1") -> int:
        return self.counters.used(tenant, span_at(quota, self.clock.now())) or 0


@pytest.fixture
def charged() -> Charged:
    return Charged()


def refusal(call: Callable[[], object]) -> QuotaExceeded:
    with pytest.raises(QuotaExceeded) as raised:
        call()
    return raised.value


def test_work_is_counted_in_the_minute_and_in_the_day(charged: Charged) -> None:
    charged.charge("discoveries", 2)

    assert (charged.used(Quota.DISCOVERIES_PER_MINUTE), charged.used(Quota.DISCOVERIES_PER_DAY)) == (2, 2)


def test_a_refusal_tells_quota_limit_used_and_when_it_opens_and_charges_nothing(charged: Charged) -> None:
    charged.charge("discoveries", 3)

    error = refusal(lambda: charged.charge("discoveries"))

    assert (error.quota, error.limit, error.used, error.window) == ("discoveries_per_minute", 3, 3, "minute")
    assert error.opens_at == charged.clock.now() + (error.retry_after_s or 0)
    assert charged.used(Quota.DISCOVERIES_PER_DAY) == 3
    charged.clock.advance((error.retry_after_s or 0) - 1)
    refusal(lambda: charged.charge("discoveries"))
    charged.clock.advance(1)
    charged.charge("discoveries")


def test_a_request_refused_by_the_day_is_not_counted_in_the_minute(charged: Charged) -> None:
    charged.charge("discoveries", 3)
    charged.clock.advance(120)

    error = refusal(lambda: charged.charge("discoveries", 2))

    assert (error.quota, error.used) == ("discoveries_per_day", 3)
    assert error.opens_at == span_at(Quota.DISCOVERIES_PER_DAY, charged.clock.now()).ends_at
    assert charged.used(Quota.DISCOVERIES_PER_MINUTE) == 0
    charged.charge("discoveries")


def test_a_batch_that_is_larger_than_the_limit_fits_at_no_time(charged: Charged) -> None:
    error = refusal(lambda: charged.charge("pages", 11))

    assert (error.opens_at, error.retry_after_s) == (None, None)
    charged.charge("pages", 10)


@pytest.mark.parametrize("fails", [Throttled("x"), StoreUnavailable("x"), RuntimeError("x")])
def test_our_own_failures_are_refunded(charged: Charged, fails: Exception) -> None:
    with pytest.raises(type(fails)):
        charged.charge("discoveries", 2, fails=fails)

    assert (charged.used(Quota.DISCOVERIES_PER_MINUTE), charged.used(Quota.DISCOVERIES_PER_DAY)) == (0, 0)


def test_a_callers_fault_is_not_refunded(charged: Charged) -> None:
    with pytest.raises(InvalidInput):
        charged.charge("discoveries", 2, fails=InvalidInput("url", "x"))

    assert charged.used(Quota.DISCOVERIES_PER_DAY) == 2


def test_without_counters_no_work_begins(charged: Charged) -> None:
    charged.store.faults.throttles = 10**6

    with pytest.raises(Throttled):
        charged.charge("discoveries")


def test_without_keys_no_caller_is_charged(charged: Charged) -> None:
    charged.charge("discoveries", 10**6, SELF_HOSTED)
    charged.charge("discoveries", 10**6, OWNER)  # whose limits are not set

    assert charged.store.contents.state() == []


def test_the_deployments_own_user_has_the_limits_that_were_set_for_it(charged: Charged) -> None:
    charged.counters.set_limits(None, {Quota.PAGES_PER_DAY: 1})
    charged.charge("pages", 1, OWNER)

    assert refusal(lambda: charged.charge("pages", 1, OWNER)).limit == 1


def test_a_tenant_is_charged_for_itself_only(charged: Charged) -> None:
    charged.charge("pages", 10)

    charged.charge("pages", 10, Caller("t2", "k3", Scope.WRITE))


def test_a_limit_that_is_lowered_counts_within_a_minute_in_processes_that_know_the_old_one(charged: Charged) -> None:
    charged.charge("pages", 4)
    charged.counters.set_limits("t1", {Quota.PAGES_PER_DAY: 4})
    charged.charge("pages")
    charged.clock.advance(LIMITS_FOR_S)

    error = refusal(lambda: charged.charge("pages"))

    assert (error.limit, error.used) == (4, 5)
    assert LIMITS_FOR_S <= 60


def test_no_pages_are_taken_when_the_bytes_of_their_bodies_are_used_up(charged: Charged) -> None:
    charged.meter.count("t1", "body_bytes", 999)
    charged.charge("pages")
    charged.meter.count("t1", "body_bytes", 1)
    assert refusal(lambda: charged.charge("pages")).used == 1000
    charged.meter.count("t1", "body_bytes", 5000)

    assert refusal(lambda: charged.charge("pages")).quota == "body_bytes_per_day"
    assert charged.used(Quota.PAGES_PER_DAY) == 1


def test_a_total_begins_with_the_existing_ones_and_goes_down_again(charged: Charged) -> None:
    def subscribe() -> None:
        with charged.meter.charged(TENANT, "subscriptions", now_used=lambda: 4):
            pass

    subscribe()
    error = refusal(subscribe)
    assert (error.quota, error.used, error.opens_at) == ("subscriptions", 5, None)

    charged.meter.count("t1", "subscriptions", -1)
    subscribe()


def test_a_total_without_a_request_today_is_not_begun_by_a_deletion(charged: Charged) -> None:
    charged.meter.count("t1", "subscriptions", -1)

    assert charged.counters.used("t1", span_at(Quota.SUBSCRIPTIONS, charged.clock.now())) is None


def test_a_tenant_has_so_many_places_in_all_processes_and_leaves_them(charged: Charged) -> None:
    other = charged.another_process()
    with charged.meter.place(TENANT, "discover", within_s=4), other.place(TENANT, "discover", within_s=4):
        with pytest.raises(TooManyAtOnce), other.place(TENANT, "discover", within_s=4):
            pass
        with other.place(TENANT, "canonicalize", within_s=4), other.place(OWNER, "discover", within_s=4):
            pass
    with pytest.raises(RuntimeError), other.place(TENANT, "discover", within_s=4):
        raise RuntimeError
    with charged.meter.place(TENANT, "discover", within_s=4), other.place(TENANT, "discover", within_s=4):
        pass


def test_all_quotas_are_shown_with_their_usage_and_reset(charged: Charged) -> None:
    charged.charge("discoveries", 2)
    now = charged.clock.now()

    states = {state.quota: state for state in charged.meter.state("t1", {Quota.PAGES_PER_DAY: None})}

    assert states.keys() == set(Quota)
    minute, day = states[Quota.DISCOVERIES_PER_MINUTE], states[Quota.DISCOVERIES_PER_DAY]
    assert (minute.limit, minute.used, day.limit, day.used) == (3, 2, 4, 2)
    assert now < (minute.opens_at or 0) <= now + 120
    assert day.opens_at == span_at(Quota.DISCOVERIES_PER_DAY, now).ends_at
    pages, imports = states[Quota.PAGES_PER_DAY], states[Quota.IMPORTS_PER_DAY]
    assert (pages.limit, pages.used, imports.limit) == (None, None, None)
