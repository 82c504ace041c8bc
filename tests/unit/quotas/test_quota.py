"""The quotas that there are, and how limits are written. How many calls a tenant may have in flight (rule QT8)."""

from __future__ import annotations

import pytest

from feedward.errors import InvalidInput
from feedward.quotas.quota import CHARGED, DEFAULT_LIMITS, Quota, Window, Work, limits_of, places_of, read_limits
from tests.template.translation import source


def test_each_quota_has_the_window_that_its_name_says() -> None:
    assert {quota: quota.window for quota in Quota} == {
        Quota.SUBSCRIPTIONS: Window.TOTAL,
        Quota.DISCOVERIES_PER_MINUTE: Window.MINUTE,
        Quota.DISCOVERIES_PER_DAY: Window.DAY,
        Quota.CANONICALIZATIONS_PER_MINUTE: Window.MINUTE,
        Quota.CANONICALIZATIONS_PER_DAY: Window.DAY,
        Quota.PAGES_PER_DAY: Window.DAY,
        Quota.IMPORTS_PER_DAY: Window.DAY,
        Quota.BODY_BYTES_PER_DAY: Window.DAY,
        Quota.DELIVERIES_PER_DAY: Window.DAY,
    }


def test_each_quota_is_charged_by_one_kind_of_work() -> None:
    assert CHARGED.keys() == set(Work)
    assert sorted(quota for quotas in CHARGED.values() for quota in quotas) == sorted(Quota)


def test_limits_are_read_by_name_and_the_others_are_left_out() -> None:
    read = read_limits(" subscriptions=5, pages_per_day=unlimited,imports_per_day=0,")

    assert read == {Quota.SUBSCRIPTIONS: 5, Quota.PAGES_PER_DAY: None, Quota.IMPORTS_PER_DAY: 0}
    assert read_limits("") == {}


@pytest.mark.parametrize(
    "text",
    [
        "subscriptions",
        "feeds=1",
        "subscriptions=-1",
        "subscriptions=1.5",
        "subscriptions=٣",
        "subscriptions=" + 14 * "9",
    ],
)
def test_a_limit_that_cannot_be_read_names_the_field(text: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        read_limits(text, "DEFAULT_QUOTAS")

    assert raised.value.field == "DEFAULT_QUOTAS"


def test_a_tenant_has_its_own_limits_and_the_default_for_the_others() -> None:
    limits = limits_of({Quota.SUBSCRIPTIONS: 5, Quota.PAGES_PER_DAY: 7}, {Quota.PAGES_PER_DAY: None})

    assert (limits[Quota.SUBSCRIPTIONS], limits[Quota.PAGES_PER_DAY], limits[Quota.IMPORTS_PER_DAY]) == (5, None, None)


def test_the_stacks_default_limits_all_quotas_and_equals_that_of_the_code() -> None:
    assert source()["Parameters"]["DefaultQuotas"]["Default"] == DEFAULT_LIMITS
    assert read_limits(DEFAULT_LIMITS).keys() == set(Quota)


@pytest.mark.parametrize(("reserved", "places"), [(-1, 2), (0, 2), (1, 1), (3, 1), (4, 1), (8, 2), (100, 25)])
def test_a_tenant_has_a_quarter_of_a_functions_places_and_at_least_one(reserved: int, places: int) -> None:
    assert places_of(reserved) == places
