"""Any caller subscribes to any URL: written, sent to the bus, and each tenant's own (rules R14, B3, I8)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.errors import InvalidInput, NotFound
from feedward.events.envelope import SUBSCRIPTION_CREATED
from feedward.page_cursor import encode_cursor
from feedward.registration import NewFeed
from feedward.services.subscribe.settle import fail, make_ready
from feedward.services.subscribe.subscribe import (
    PAGE_AT_MOST,
    find_subscription,
    list_subscriptions,
    subscribe,
    unsubscribe,
)
from feedward.subscriptions.subscription import Failure, Subscription
from feedward.ulid import derived_ulid
from tests.callers import of_tenant
from tests.fakes.directory import NOW, FakeDirectory
from tests.fakes.dynamodb_faults import FOR_EVER
from tests.unit.services.discover.blog import FEED, HOME

TENANTS = (None, "t1", "t2")
UNKNOWN = "0" * 26


@pytest.fixture
def directory() -> FakeDirectory:
    return FakeDirectory({})


def to(directory: FakeDirectory, url: str = HOME, tenant: str | None = None, **labels: Any) -> Subscription:
    return subscribe(of_tenant(tenant), url, ports=directory, **labels).subscription


def registered(directory: FakeDirectory, *urls: str, now: int = NOW) -> str:
    feed = NewFeed(feed_id=derived_ulid(now, *urls), url=urls[0], aliases=urls, now=now)
    return directory.store.register(feed).feed_id


def followed(directory: FakeDirectory, feed: str, url: str = HOME, tenant: str | None = None, **labels: Any) -> str:
    """Subscribe, make it ready with this feed, and return its id."""
    asked = to(directory, url, tenant, **labels)
    assert make_ready(tenant, asked.subscription_id, feed, ports=directory)
    return asked.subscription_id


def found(directory: FakeDirectory, subscription_id: str, tenant: str | None = None) -> Subscription:
    return find_subscription(of_tenant(tenant), subscription_id, ports=directory)


def created(directory: FakeDirectory) -> list[Any]:
    entries = [entry for entry in directory.bus.events.entries if entry["DetailType"] == SUBSCRIPTION_CREATED]
    return [json.loads(entry["Detail"]) for entry in entries]


# --- subscribing ------------------------------------------------------------------------------------


@pytest.mark.parametrize("tenant", TENANTS)
def test_a_subscription_is_written_as_pending_and_its_feed_is_asked_for(
    directory: FakeDirectory, tenant: str | None
) -> None:
    answer = subscribe(
        of_tenant(tenant), " blog.example.com ", title="  A  Blog", tags=["news", "news"], ports=directory
    )
    one = answer.subscription
    assert (answer.is_new, answer.undelivered) == (True, ())
    assert (one.status, one.tenant_id, one.url, one.title, one.tags) == (
        "pending", tenant, "blog.example.com", "A Blog", ("news",),
    )  # fmt: skip
    assert found(directory, one.subscription_id, tenant) == one
    (event,) = created(directory)
    assert (event["tenant_id"], event["subscription_id"], event["url"]) == (tenant, one.subscription_id, one.url)


def test_one_whose_event_the_bus_does_not_take_is_pending_all_the_same(directory: FakeDirectory) -> None:
    directory.bus.events.fails = FOR_EVER
    answer = subscribe(SELF_HOSTED, HOME, ports=directory)
    assert (answer.is_new, answer.undelivered) == (True, ("bus_unavailable",))
    assert directory.subscriptions.pending(before=NOW, limit=9) == [(None, answer.subscription.subscription_id)]


@pytest.mark.parametrize("again", [HOME, "blog.example.com", "http://BLOG.example.com/?utm_source=x", f"{HOME}#top"])
def test_the_same_url_in_any_spelling_returns_the_first_one_and_asks_once(directory: FakeDirectory, again: str) -> None:
    first = to(directory)
    answer = subscribe(SELF_HOSTED, again, ports=directory)
    assert (answer.subscription, answer.is_new) == (first, False)
    assert len(created(directory)) == 1
    assert to(directory, again, "t1") != first


def test_the_same_url_again_adds_tags_and_a_title_that_is_missing(directory: FakeDirectory) -> None:
    to(directory, tags=["a"])
    again = to(directory, title="Blog", tags=["b", "a"])
    assert (again.title, again.tags) == ("Blog", ("a", "b"))
    assert found(directory, again.subscription_id) == again
    assert to(directory, title="Other").title == "Blog"


@pytest.mark.parametrize(
    "url",
    ["", "  ", "no url", "ftp://example.com/", "mailto:a@example.com", "http://10.0.0.1/feed", "http://localhost/",
     "https://user:pass@example.com/feed", "https://@example.com/", "http://example.com:22/", "x" * 5000],
)  # fmt: skip
def test_a_url_that_can_never_be_fetched_is_refused_immediately_and_not_stored(
    directory: FakeDirectory, url: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        to(directory, url)
    assert caught.value.field == "url"
    assert (directory.contents.subscriptions(), directory.bus.details) == ([], [])


@pytest.mark.parametrize(("labels", "field"), [({"title": "x" * 501}, "title"), ({"tags": ["a", ""]}, "tags[1]")])
def test_wrong_labels_are_named(directory: FakeDirectory, labels: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        to(directory, **labels)
    assert caught.value.field == field


def test_one_that_failed_is_asked_for_again_in_its_new_spelling(directory: FakeDirectory) -> None:
    first = to(directory, "https://blog.example.com", tags=["a"])
    fail(None, first.subscription_id, Failure.NO_FEED, "none", ports=directory)
    directory.clock.advance(60)
    answer = subscribe(SELF_HOSTED, "http://blog.example.com", tags=["b"], ports=directory)
    again = answer.subscription
    assert (answer.is_new, again.subscription_id, again.status) == (True, first.subscription_id, "pending")
    assert (again.url, again.tags, again.failure, again.tries) == ("http://blog.example.com", ("a", "b"), None, 1)
    assert [event["url"] for event in created(directory)] == ["https://blog.example.com", "http://blog.example.com"]
    assert len({event["id"] for event in created(directory)}) == 2


# --- duplicates -------------------------------------------------------------------------------------


def test_a_second_url_of_a_feed_says_so_and_the_list_has_the_feed_once(directory: FakeDirectory) -> None:
    feed = registered(directory, FEED)
    first, second = followed(directory, feed, tags=["a"]), followed(directory, feed, FEED, tags=["b"])
    duplicate = found(directory, second)
    assert (duplicate.status, duplicate.feed_id, duplicate.duplicate_of) == ("ready", feed, first)
    (listed,) = list_subscriptions(SELF_HOSTED, ports=directory).subscriptions
    assert (listed.subscription_id, listed.tags) == (first, ("a", "b"))


def test_the_url_of_a_duplicate_again_adds_to_the_listed_subscription(directory: FakeDirectory) -> None:
    feed = registered(directory, FEED)
    first, second = followed(directory, feed), followed(directory, feed, FEED)
    answer = subscribe(SELF_HOSTED, FEED, tags=["new"], ports=directory)
    assert (answer.subscription.subscription_id, answer.is_new) == (second, False)
    assert found(directory, first).tags == ("new",)


def test_remaining_duplicates_of_a_deleted_subscription_are_invisible(directory: FakeDirectory) -> None:
    feed = registered(directory, FEED)
    first, second = followed(directory, feed), followed(directory, feed, FEED)
    directory.faults.hidden = {feed}  # the index does not show the duplicate
    unsubscribe(SELF_HOSTED, first, ports=directory)
    with pytest.raises(NotFound):
        found(directory, second)
    assert list_subscriptions(SELF_HOSTED, ports=directory).subscriptions == ()
    again = subscribe(SELF_HOSTED, FEED, ports=directory)
    assert (again.is_new, again.subscription.status, again.subscription.duplicate_of) == (True, "pending", None)
    assert make_ready(None, second, feed, ports=directory)
    assert (found(directory, second).feed_id, found(directory, second).duplicate_of) == (feed, None)
    assert directory.contents.faults_of_subscriptions() == []


# --- reading ----------------------------------------------------------------------------------------


def test_a_merged_feed_is_shown_as_the_surviving_one_before_the_re_pointing(directory: FakeDirectory) -> None:
    kept = registered(directory, FEED)
    went = registered(directory, f"{HOME}old.xml", now=NOW + 1)
    one = followed(directory, went)
    registered(directory, f"{HOME}bridge.xml", FEED, f"{HOME}old.xml", now=NOW + 2)
    assert found(directory, one).feed_id == kept
    assert [each.feed_id for each in list_subscriptions(SELF_HOSTED, ports=directory).subscriptions] == [kept]
    assert to(directory).feed_id == kept
    (item,) = directory.contents.subscriptions()
    assert item["feed_id"] == went


@pytest.mark.parametrize("goes_first", [True, False])
def test_two_subscriptions_whose_feeds_are_merged_are_listed_as_the_earlier_one_at_once_and_later(
    directory: FakeDirectory, goes_first: bool
) -> None:
    kept, went = registered(directory, FEED), registered(directory, f"{HOME}old.xml", now=NOW + 1)
    first = followed(directory, went if goes_first else kept)
    directory.clock.advance(60)
    followed(directory, kept if goes_first else went, FEED)
    pending = to(directory, "https://elsewhere.example.com").subscription_id
    registered(directory, f"{HOME}bridge.xml", FEED, f"{HOME}old.xml", now=NOW + 2)
    for _ in range(2):
        listed = list_subscriptions(SELF_HOSTED, ports=directory).subscriptions
        assert [(each.subscription_id, each.feed_id) for each in listed] == [(first, kept), (pending, None)]
        assert directory.subscriptions.repoint(went, now=NOW + 100)


@pytest.mark.parametrize("subscription_id", [UNKNOWN, "", "x", "SUB#", "0" * 5000, f"{UNKNOWN}\n", "é" * 26])
def test_a_missing_object_is_not_found(directory: FakeDirectory, subscription_id: str) -> None:
    with pytest.raises(NotFound):
        found(directory, subscription_id)
    with pytest.raises(NotFound):
        unsubscribe(SELF_HOSTED, subscription_id, ports=directory)


def test_another_tenants_id_is_not_found_and_nothing_happens_to_it(directory: FakeDirectory) -> None:
    feed = registered(directory, FEED)
    mine = followed(directory, feed, tenant="t1")
    before = directory.contents.subscriptions()
    for tenant in (None, "t2"):
        with pytest.raises(NotFound):
            found(directory, mine, tenant)
        with pytest.raises(NotFound):
            unsubscribe(of_tenant(tenant), mine, ports=directory)
        assert list_subscriptions(of_tenant(tenant), ports=directory).subscriptions == ()
        assert make_ready(tenant, mine, feed, ports=directory) is None
        assert fail(tenant, mine, Failure.NO_FEED, "none", ports=directory) is None
    assert directory.contents.subscriptions() == before


# --- lists ------------------------------------------------------------------------------------------


def test_pages_lead_through_all_of_them_once_in_order(directory: FakeDirectory) -> None:
    ids = []
    for number in range(7):
        directory.clock.advance(1)
        ids.append(to(directory, f"{HOME}{number}").subscription_id)
    to(directory, tenant="t1")
    seen, cursor = [], None
    for size in (3, 3, 1):
        page = list_subscriptions(SELF_HOSTED, cursor=cursor, limit=3, ports=directory)
        assert len(page.subscriptions) == size
        seen += [each.subscription_id for each in page.subscriptions]
        cursor = page.cursor
    assert (seen, cursor) == (ids, None)


def test_a_last_page_that_is_full_has_no_cursor(directory: FakeDirectory) -> None:
    to(directory)
    assert list_subscriptions(SELF_HOSTED, limit=1, ports=directory).cursor is None
    assert list_subscriptions(of_tenant("t1"), limit=1, ports=directory).cursor is None


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"limit": 0}, "limit"),
        ({"limit": PAGE_AT_MOST + 1}, "limit"),
        ({"cursor": ""}, "cursor"),
        ({"cursor": "x"}, "cursor"),
        ({"cursor": encode_cursor("feeds", UNKNOWN)}, "cursor"),
        ({"cursor": encode_cursor("subscriptions", "SUB#x")}, "cursor"),
    ],
)
def test_a_page_that_there_cannot_be_is_bad_input(
    directory: FakeDirectory, options: dict[str, Any], field: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        list_subscriptions(SELF_HOSTED, ports=directory, **options)
    assert caught.value.field == field


# --- unsubscribing ----------------------------------------------------------------------------------


def test_unsubscribing_leaves_the_feed_in_the_directory_and_the_url_free(directory: FakeDirectory) -> None:
    feed = registered(directory, FEED)
    one = followed(directory, feed)
    unsubscribe(SELF_HOSTED, one, ports=directory)
    with pytest.raises(NotFound):
        unsubscribe(SELF_HOSTED, one, ports=directory)
    assert (set(directory.contents.live()), directory.contents.subscriptions()) == ({feed}, [])
    again = followed(directory, feed)
    assert again != one
    assert found(directory, again).duplicate_of is None


def test_unsubscribing_while_the_feed_is_looked_for_ends_it(directory: FakeDirectory) -> None:
    one = to(directory).subscription_id
    unsubscribe(SELF_HOSTED, one, ports=directory)
    assert make_ready(None, one, registered(directory, FEED), ports=directory) is None
    assert fail(None, one, Failure.NO_FEED, "none", ports=directory) is None
    assert (directory.contents.subscriptions(), directory.contents.claims("SUBFEED#")) == ([], {})
