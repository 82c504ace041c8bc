"""A subscription to a URL has its feed found and registered, with a job's limits."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.discovery.result import DiscoveryOutcome
from feedward.errors import InvalidInput
from feedward.services.discover.site_run import DiscoveryAnswer
from feedward.services.subscribe.discover import Foreign, discover_for_subscription
from feedward.services.subscribe.subscribe import subscribe
from feedward.urls.key import url_hash
from feedward.urls.secrets import mask_tokens
from tests.callers import of_tenant
from tests.fakes.directory import FakeDirectory
from tests.unit.services.discover.blog import (
    FEED,
    HOME,
    detail,
    document,
    page,
    requested,
    slow_site,
)


def discovered(detail: dict[str, Any], *, directory: FakeDirectory) -> DiscoveryAnswer:
    answer = discover_for_subscription(detail, directory=directory)
    assert isinstance(answer, DiscoveryAnswer)
    return answer


# --- subscriptions -----------------------------------------------------------------------------------


def test_a_subscription_finds_and_registers_the_feed_of_a_slow_site() -> None:
    directory = slow_site()
    answer = discovered(detail(), directory=directory)
    assert (answer.site.site.canonical_feed_url, answer.job, answer.reused) == (FEED, None, False)
    assert len(directory.contents.live()) == 1
    assert directory.queue.messages == []


def test_a_subscription_reuses_a_recent_discovery() -> None:
    directory = slow_site()
    first = discovered(detail(), directory=directory)
    before = requested(directory)
    again = discovered(detail(HOME), directory=directory)
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
        discovered(detail() | members, directory=FakeDirectory({}))
    assert caught.value.field == field


def test_a_subscription_to_a_forbidden_url_is_answered_and_not_stored() -> None:
    directory = FakeDirectory({})
    answer = discovered(detail("http://127.0.0.1/"), directory=directory)
    assert (answer.site.site.outcome, answer.stored) == (DiscoveryOutcome.BLOCKED, False)
    assert directory.contents.sites() == {}


# --- owners --------------------------------------------------------------------------------------------


def test_a_tenants_url_with_a_token_and_its_feed_are_the_tenants_own() -> None:
    secret = f"{FEED}?token=1f3a9"
    directory = FakeDirectory({secret: document(secret)})
    answer = discovered(detail(secret) | {"tenant_id": "t1", "subscription_id": None}, directory=directory)
    (feed,) = directory.contents.live().values()
    assert (answer.site.site.scope, answer.site.site.site_id) == ("t1", url_hash(secret, "t1"))
    assert feed["owner"] == "t1"
    assert [each["tenant_id"] for each in directory.bus.details] == ["t1"]
    assert directory.store.find([secret]) is None


@pytest.mark.parametrize(("url", "tenant"), [(HOME, "t1"), (f"{HOME}?token=1f3a9", None)])
def test_urls_without_a_token_or_a_tenant_are_shared(url: str, tenant: str | None) -> None:
    directory = FakeDirectory({url: page("/posts.xml"), FEED: document()})
    answer = discovered(detail(url) | {"tenant_id": tenant, "subscription_id": None}, directory=directory)
    (feed,) = directory.contents.live().values()
    assert (answer.site.site.scope, feed.get("owner")) == ("", None)
    assert [each["tenant_id"] for each in directory.bus.details] == [None]


def test_an_event_that_names_another_tenant_than_the_subscriptions_ends_without_work() -> None:
    directory = FakeDirectory({HOME: page("/posts.xml"), FEED: document()})
    mine = subscribe(of_tenant("t1"), HOME, ports=directory).subscription
    foreign = detail(HOME) | {"tenant_id": "t2", "subscription_id": mine.subscription_id}
    assert discover_for_subscription(foreign, directory=directory) == Foreign(subscription_id=mine.subscription_id)
    assert (requested(directory), directory.contents.live()) == (0, {})
    own = discovered(foreign | {"tenant_id": "t1"}, directory=directory)
    assert own.site.site.canonical_feed_url == FEED


def test_a_masked_url_of_a_subscription_that_is_gone_is_not_asked_for() -> None:
    directory = FakeDirectory({})
    masked = mask_tokens(f"{FEED}?token=1f3a9")
    assert discover_for_subscription(detail(masked), directory=directory) is None
    assert requested(directory) == 0
