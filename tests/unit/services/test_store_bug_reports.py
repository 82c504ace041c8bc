"""Faults of other readers' stores, as whole stories: each has the right ending here."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from botocore.exceptions import ClientError

from feedward.access.caller import SELF_HOSTED
from feedward.adapters.dynamodb.feeds.moves import DynamoFeedMoves
from feedward.adapters.dynamodb.store.codec import encode
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.health.directory_feed import FeedQuery
from feedward.health.moves import MoveReason
from feedward.health.relocation import FeedMove
from feedward.model import FeedState, Item
from feedward.registration import NewFeed
from feedward.services.directory.read_feeds import feed_items, find_feed, list_feeds
from feedward.services.subscribe.settle import make_ready
from feedward.services.subscribe.subscribe import find_subscription, list_subscriptions, subscribe, unsubscribe
from feedward.ulid import derived_ulid
from tests.callers import of_tenant
from tests.fakes.directory import NOW, FakeDirectory
from tests.fakes.directory_parts import FakeDirectoryParts
from tests.fakes.dynamodb import InMemoryDynamoDB
from tests.template_tables import create_tables
from tests.unit.services.check.checked import DAY, URL, Checked, page, rss, status

OLD, NEW = "https://old.example/f", "https://new.example/f"
TENANTS = ("t1", "t2")


def registered(directory: FakeDirectory, *urls: str, now: int = NOW, **members: Any) -> str:
    feed_id = derived_ulid(now, *urls, members.get("scope", ""))
    return directory.store.register(NewFeed(feed_id=feed_id, url=urls[0], aliases=urls, now=now, **members)).feed_id


def followed(directory: FakeDirectory, feed_id: str, url: str, tenant: str | None = None) -> str:
    asked = subscribe(of_tenant(tenant), url, ports=directory).subscription
    assert make_ready(tenant, asked.subscription_id, feed_id, ports=directory)
    return asked.subscription_id


def listed(directory: FakeDirectory, tenant: str | None = None) -> list[str]:
    return [one.subscription_id for one in list_subscriptions(of_tenant(tenant), ports=directory).subscriptions]


def merged(directory: FakeDirectory) -> tuple[str, str]:
    """Two feeds that turned out to be one: the surviving one and the merged one."""
    kept, gone = registered(directory, OLD), registered(directory, NEW, now=NOW + 1)
    registered(directory, NEW, OLD, now=NOW + 2)
    assert directory.contents.feeds()[gone]["merged_into"] == kept
    return kept, gone


# --- stored and shown data agree --------------------------------------------------------------------


def test_a_feed_that_went_into_another_is_added_again_as_that_one() -> None:
    directory = FakeDirectory({})
    kept, _ = merged(directory)
    again = directory.store.register(
        NewFeed(feed_id=derived_ulid(NOW + DAY, "again"), url=NEW, aliases=(NEW,), now=NOW + DAY)
    )
    assert (again.feed_id, again.created) == (kept, False)
    assert find_feed(SELF_HOSTED, again.feed_id, ports=FakeDirectoryParts(directory)).feed_id == kept


def test_a_subscription_that_was_deleted_is_added_again_and_listed() -> None:
    directory = FakeDirectory({})
    feed_id = registered(directory, URL)
    unsubscribe(SELF_HOSTED, followed(directory, feed_id, URL), ports=directory)
    assert listed(directory) == []
    again = followed(directory, feed_id, URL)
    assert listed(directory) == [again]
    assert find_subscription(SELF_HOSTED, again, ports=directory).feed_id == feed_id


def test_the_old_address_of_a_feed_that_moved_is_no_second_subscription() -> None:
    directory = FakeDirectory({})
    feed_id = registered(directory, OLD)
    first = followed(directory, feed_id, OLD)
    client: Any = directory.faults
    DynamoFeedMoves(Tables(client, directory.contents.names)).move(
        FeedMove(
            feed_id=feed_id, url=OLD, to=NEW, seen_rev=directory.contents.feeds()[feed_id]["rev"],
            reason=MoveReason.REVIVAL, by="revival", now=NOW + 1,
        )
    )  # fmt: skip
    assert subscribe(SELF_HOSTED, OLD, ports=directory).subscription.subscription_id == first
    found = directory.store.find([OLD])
    assert found is not None
    assert (found.url, found.data["feed_id"]) == (NEW, feed_id)
    followed(directory, feed_id, NEW)
    assert listed(directory) == [first]


# --- why a feed is no longer there ------------------------------------------------------------------


def test_a_feed_that_is_gone_and_one_that_went_into_another_are_told_apart() -> None:
    checked = Checked({URL: page(rss("a"))})
    checked.serve(status(410))
    for _ in range(12):
        checked.check_when_due()
    kept, _ = merged(checked.directory)
    ports = FakeDirectoryParts(checked.directory)
    lost = list_feeds(SELF_HOSTED, FeedQuery(state=FeedState.UNHEALTHY), ports=ports).feeds
    assert [(feed.feed_id, feed.health.last_http_status) for feed in lost] == [(checked.feed_id, 410)]
    assert {feed.feed_id for feed in list_feeds(SELF_HOSTED, FeedQuery(), ports=ports).feeds} == {checked.feed_id, kept}


def test_of_a_stale_original_and_a_fresh_mirror_the_original_survives_and_has_the_items_of_a_fresh_fetch() -> None:
    mirror, publisher = "https://mirror.example/f", URL
    checked = Checked({mirror: page(rss("a")), publisher: page(rss("a", "other", title="Not yet"))}, mirror, publisher)
    checked.serve(status(500), publisher)
    for _ in range(12):
        checked.check(checked.due(checked.feed_ids[1]), after=DAY)
    assert checked.directory.contents.feeds()[checked.feed_ids[1]]["state"] == "unhealthy"
    checked.serve(page(rss("a", "b", "c")), publisher)
    now = checked.directory.clock.now()
    checked.feed_id = survivor = registered(checked.directory, publisher, mirror, now=now)
    assert survivor == min(checked.feed_ids)
    assert checked.due().place.from_s - now < 180
    checked.check_when_due()
    feed = find_feed(SELF_HOSTED, survivor, ports=FakeDirectoryParts(checked.directory))
    assert (feed.url, feed.health.state, feed.health.consecutive_failures) == (publisher, FeedState.HEALTHY, 0)
    items = feed_items(SELF_HOSTED, survivor, ports=FakeDirectoryParts(checked.directory)).items
    assert {each.item.id for each in items} >= {"urn:a", "urn:b", "urn:c"}


# --- owners -----------------------------------------------------------------------------------------


def test_two_tenants_that_ask_at_the_same_time_never_see_each_other() -> None:
    directory = FakeDirectory({})
    urls = {tenant: [f"https://{tenant}.example/{n}" for n in range(20)] for tenant in TENANTS}
    with ThreadPoolExecutor(8) as pool:
        asked = [(tenant, urls[tenant][n]) for n in range(20) for tenant in TENANTS]
        list(pool.map(lambda one: subscribe(of_tenant(one[0]), one[1], ports=directory), asked))
        seen = list(
            pool.map(lambda one: (one[0], list_subscriptions(of_tenant(one[0]), ports=directory).subscriptions), asked)
        )
    for tenant, subscriptions in seen:
        assert {one.url for one in subscriptions} == set(urls[tenant])
        assert {one.tenant_id for one in subscriptions} == {tenant}


@pytest.mark.parametrize("is_private", [False, True])
def test_two_owners_of_one_feed_both_see_its_item(is_private: bool) -> None:
    directory = FakeDirectory({})
    item = Item(id="https://example.com/p", url="https://example.com/p", title="One")
    for tenant in TENANTS:
        feed_id = registered(directory, URL, items=(item,), scope=tenant if is_private else "")
        followed(directory, feed_id, URL, tenant)
    ports = FakeDirectoryParts(directory)
    assert len(directory.contents.live()) == (2 if is_private else 1)
    for tenant in TENANTS:
        (one,) = list_subscriptions(of_tenant(tenant), ports=directory).subscriptions
        assert one.feed_id is not None
        assert [each.item.id for each in feed_items(of_tenant(tenant), one.feed_id, ports=ports).items] == [item.id]


# --- the store's own rules --------------------------------------------------------------------------


def test_the_store_in_memory_refuses_a_transaction_that_names_an_item_twice_as_the_real_one_does() -> None:
    client = InMemoryDynamoDB()
    names = create_tables(client)
    key = encode({"feed_id": "foo", "sk": "FEED"})
    check = {"TableName": names.feeds, "Key": key, "ConditionExpression": "attribute_not_exists(sk)"}
    writes = [{"ConditionCheck": check}, {"Put": {"TableName": names.feeds, "Item": key}}]
    with pytest.raises(ClientError, match="ValidationException"):
        client.transact_write_items(TransactItems=writes, ClientRequestToken="token")
    assert client.get_item(TableName=names.feeds, Key=key) == {}
