"""Whoever subscribes to a URL has its feed found and registered, with a job's limits."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.discovery.result import DiscoveryOutcome
from feedward.errors import InvalidInput
from feedward.services.discover_site import (
    discover_for_subscription,
)
from tests.fakes.directory import FakeDirectory
from tests.unit.services.blog import (
    FEED,
    HOME,
    detail,
    requested,
    slow_site,
)

# --- subscriptions -----------------------------------------------------------------------------------


def test_a_subscription_finds_and_registers_the_feed_of_a_slow_site() -> None:
    directory = slow_site()
    answer = discover_for_subscription(detail(), directory=directory)
    assert (answer.site.site.canonical_feed_url, answer.job, answer.reused) == (FEED, None, False)
    assert len(directory.contents.live()) == 1
    assert directory.queue.messages == []


def test_a_subscription_takes_what_was_found_a_moment_ago() -> None:
    directory = slow_site()
    first = discover_for_subscription(detail(), directory=directory)
    before = requested(directory)
    again = discover_for_subscription(detail(HOME), directory=directory)
    assert (again.reused, again.site) == (True, first.site)
    assert requested(directory) == before


@pytest.mark.parametrize(
    ("members", "field"),
    [
        ({"url": None}, "url"),
        ({"url": 5}, "url"),
        ({"url": ""}, "url"),
        ({"version": 2}, "version"),
        ({"tenant_id": 7}, "tenant_id"),
        ({"subscription_id": []}, "subscription_id"),
    ],
)
def test_a_detail_that_names_no_url_is_bad_input(members: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        discover_for_subscription(detail() | members, directory=FakeDirectory({}))
    assert caught.value.field == field


def test_a_subscription_to_what_may_not_be_fetched_is_answered_and_not_kept() -> None:
    directory = FakeDirectory({})
    answer = discover_for_subscription(detail("http://127.0.0.1/"), directory=directory)
    assert (answer.site.site.outcome, answer.stored) == (DiscoveryOutcome.BLOCKED, False)
    assert directory.contents.sites() == {}
