"""The feeds that a list shows, even if an index is stale; and who may see a feed."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.health.directory_feed import DirectoryFeed, FeedQuery
from feedward.health.feed_health import FeedHealth
from feedward.model import FeedState

NOW = 1_790_000_000
DAY = 86_400


def feed(host: str = "example.com", owner: str | None = None, **health: object) -> DirectoryFeed:
    known = FeedHealth(feed_id="0" * 26, **health)  # type: ignore[arg-type]
    return DirectoryFeed(feed_id="0" * 26, url=f"https://{host}/feed", host=host, rev=1, health=known, owner=owner)


@pytest.mark.parametrize(
    ("domain", "host", "is_wanted"),
    [
        ("example.com", "example.com", True),
        ("example.com", "blog.example.com", True),
        ("blog.example.com", "blog.example.com", True),
        ("blog.example.com", "example.com", False),
        ("example.com", "badexample.com", False),
        ("blog.example.com", "weblog.example.com", False),
        ("example.com", "example.com.evil.example", False),
    ],
)
def test_a_domain_is_a_host_and_its_subdomains(domain: str, host: str, is_wanted: bool) -> None:
    assert FeedQuery(domain=domain).wants(feed(host), NOW) is is_wanted


def test_a_feed_that_left_the_state_is_not_wanted_any_more() -> None:
    query = FeedQuery(state=FeedState.HEALTHY)

    assert query.wants(feed(), NOW)
    assert not query.wants(feed(state=FeedState.PAUSED), NOW)


@pytest.mark.parametrize(
    ("latest", "gap", "is_stale"),
    [(None, None, False), (NOW - 30 * DAY, None, True), (NOW - 29 * DAY, DAY, False), (NOW - 40 * DAY, 9 * DAY, False)],
)
def test_staleness_is_told_by_now_and_not_by_the_last_check(
    latest: int | None, gap: int | None, is_stale: bool
) -> None:
    found = feed(latest_item_published_at=latest, median_gap_s=gap, stale=not is_stale)

    assert found.is_stale(NOW) is is_stale
    assert FeedQuery(stale=is_stale).wants(found, NOW)
    assert not FeedQuery(stale=not is_stale).wants(found, NOW)


@pytest.mark.parametrize(
    ("health", "is_unfetched"),
    [
        ({}, True),
        ({"last_attempt_at": NOW}, True),  # a check in our own outage, or one that was told to wait
        ({"state": FeedState.PAUSED}, True),
        ({"last_attempt_at": NOW, "consecutive_failures": 1, "state": FeedState.DEGRADED}, False),
        ({"last_success_at": NOW}, False),
    ],
)
def test_a_feed_was_never_fetched_until_its_host_answers_or_it_fails(
    health: dict[str, Any], is_unfetched: bool
) -> None:
    assert FeedQuery(never_fetched=is_unfetched).wants(feed(**health), NOW)
    assert not FeedQuery(never_fetched=not is_unfetched).wants(feed(**health), NOW)


def test_a_query_that_asks_for_nothing_wants_all() -> None:
    assert FeedQuery().wants(feed("other.example", state=FeedState.UNHEALTHY), NOW)


def test_a_private_feed_is_its_tenants_alone() -> None:
    assert [feed().is_visible_to(tenant) for tenant in (None, "acme")] == [True, True]
    assert [feed(owner="acme").is_visible_to(tenant) for tenant in (None, "other", "acme")] == [False, False, True]
