"""A file becomes a tenant's subscriptions: results, folders, titles, existing and later subscriptions."""

from __future__ import annotations

import pytest

from feedward.access.caller import SELF_HOSTED
from feedward.errors import InvalidInput, NotFound
from feedward.intake.job import ImportStatus, Result
from feedward.registration import NewFeed
from feedward.services.intake.read_imports import list_entries, list_imports
from feedward.services.subscribe.subscribe import subscribe, unsubscribe
from feedward.subscriptions.subscription import SubscriptionStatus
from feedward.ulid import derived_ulid
from tests.fakes.directory import NOW
from tests.unit.services.discover.blog import FEED, HOME, document, page
from tests.unit.services.intake.importing import Importing, opml, rss

A, B = "https://a.example/feed", "https://b.example/feed"


def registered(world: Importing, url: str, *aliases: str) -> str:
    feed_id = derived_ulid(NOW, url)
    world.store.register(NewFeed(feed_id=feed_id, url=url, aliases=(url, *aliases), now=NOW))
    return feed_id


def test_new_urls_are_pending_subscriptions_and_their_searches_are_asked_for() -> None:
    world = Importing()
    found = world.imported(opml(rss(A, "Alpha"), rss(B, "Beta")))
    assert (found.state, found.counts.pending, found.counts.entries) == (ImportStatus.DONE, 2, 2)
    assert [(each.url, each.title, each.status) for each in world.subscribed()] == [
        (A, "Alpha", SubscriptionStatus.PENDING),
        (B, "Beta", SubscriptionStatus.PENDING),
    ]
    assert [each["url"] for each in world.bus.details] == [A, B]
    assert world.internet.requests == []


def test_a_url_whose_feed_the_directory_knows_is_ready_at_once_and_told() -> None:
    world = Importing()
    feed_id = registered(world, A)
    found = world.imported(opml(rss("http://a.example/feed/", "Alpha")))
    ((_, ended),) = world.results(found.import_id)
    assert ended is not None
    assert (ended.result, ended.feed_id) == (Result.CREATED, feed_id)
    (mine,) = world.subscribed()
    assert (mine.status, mine.feed_id, mine.pending_since) == (SubscriptionStatus.READY, feed_id, None)
    assert [each["DetailType"] for each in world.bus.events.entries] == ["SubscriptionReady"]


def test_two_urls_of_one_feed_are_merged_and_followed_once_with_the_tags_of_both() -> None:
    world = Importing()
    registered(world, A, B)
    found = world.imported(opml('<outline text="x">', rss(A), "</outline>", '<outline text="y">', rss(B), "</outline>"))
    assert (found.counts.created, found.counts.merged) == (1, 1)
    assert [each.tags for each in world.subscribed()] == [("x", "y")]
    again = world.imported(opml(rss(A), rss(B)))
    assert (again.counts.joined, len(world.subscribed())) == (2, 1)


def test_a_url_is_merged_into_a_subscription_that_the_tenant_had() -> None:
    world = Importing()
    registered(world, A, B)
    world.imported(opml(rss(A, "Mine")))
    found = world.imported(opml('<outline text="new">', rss(B, "Other"), "</outline>"))
    assert found.counts.merged == 1
    assert [(each.title, each.tags) for each in world.subscribed()] == [("Mine", ("new",))]


def test_a_subscription_that_is_there_gets_the_folders_and_keeps_its_title() -> None:
    world = Importing()
    subscribe(SELF_HOSTED, A, ports=world, title="My name", tags=("old",))
    found = world.imported(opml('<outline text="Comics">', rss(A, "Theirs"), "</outline>"))
    assert found.counts.joined == 1
    assert [(each.title, each.tags) for each in world.subscribed()] == [("My name", ("old", "Comics"))]


def test_results_follow_the_searches_and_the_sums_hold() -> None:
    world = Importing({FEED: document(), HOME: page("/posts.xml")})
    found = world.imported(opml(rss(FEED), rss(HOME), rss(B)))
    assert found.counts.pending == 3
    world.search()
    after = world.found(found.import_id)
    assert (after.counts.created, after.counts.merged, after.counts.failed, after.counts.pending) == (1, 1, 1, 0)
    assert [ended.result for _, ended in world.results(found.import_id) if ended] == [
        Result.CREATED,
        Result.MERGED,
        Result.FAILED,
    ]
    ((entry, failed),) = world.results(found.import_id, result=Result.FAILED)
    assert failed is not None
    assert (entry.url, failed.reason) == (B, world.subscribed()[-1].reason)


def test_a_search_that_is_told_twice_ends_its_entry_once() -> None:
    world = Importing({FEED: document()})
    found = world.imported(opml(rss(FEED)))
    events = list(world.bus.events.entries)
    world.search()
    world.bus.events.entries[:] = events
    world.search()
    assert world.found(found.import_id).counts.created == 1


def test_a_pending_subscription_that_is_deleted_ends_its_entry() -> None:
    world = Importing()
    found = world.imported(opml(rss(A)))
    unsubscribe(SELF_HOSTED, world.subscribed()[0].subscription_id, ports=world)
    assert world.found(found.import_id).counts.failed == 1
    ((_, ended),) = world.results(found.import_id)
    assert ended is not None
    assert ended.reason == "the subscription was deleted before its feed was found"


def test_a_dead_url_is_looked_for_at_the_site_that_the_entry_names() -> None:
    world = Importing({HOME: page("/posts.xml"), FEED: document()})
    found = world.imported(opml(rss("http://old.example.com/rss.xml", htmlUrl=HOME)))
    world.search()
    assert world.found(found.import_id).counts.created == 1
    (mine,) = world.subscribed()
    assert world.contents.feeds()[mine.feed_id or ""]["url"] == FEED


def test_a_failed_subscription_stays_failed_unless_the_file_names_a_site() -> None:
    world = Importing({HOME: page("/posts.xml"), FEED: document()})
    dead = "http://old.example.com/rss.xml"
    world.imported(opml(rss(dead)))
    world.search()
    before = world.subscribed()
    again = world.imported(opml(rss(dead)))
    assert (again.counts.failed, world.subscribed(), world.bus.details) == (1, before, [world.bus.details[0]])
    third = world.imported(opml(rss(dead, htmlUrl=HOME)))
    assert third.counts.pending == 1
    world.search()
    assert world.found(third.import_id).counts.created == 1


def test_the_same_file_again_changes_nothing() -> None:
    world = Importing()
    registered(world, A)
    file = opml('<outline text="F">', rss(A), rss(B), rss(f"{B}/"), "</outline>", '<outline type="rss" text="none"/>')
    world.imported(file)
    before = world.subscribed()
    again = world.imported(file)
    assert (again.counts.joined, again.counts.invalid, again.counts.entries) == (3, 1, 4)
    assert world.subscribed() == before
    assert len(world.bus.details) == 2


def test_a_tenants_token_urls_are_its_own_and_masked_in_lists() -> None:
    world = Importing()
    secret = "https://a.example/feed?token=1f3a9c"
    shared = registered(world, secret)
    found = world.imported(opml(rss(secret)), tenant="t1")
    assert found.counts.pending == 1, "the shared feed of this URL is another one"
    assert shared not in [each.feed_id for each in world.subscribed(tenant="t1")]
    assert world.subscribed() == []
    with pytest.raises(NotFound):
        list_entries(SELF_HOSTED, found.import_id, ports=world)
    assert list_imports(SELF_HOSTED, ports=world).imports == ()


def test_userinfo_is_refused_and_not_kept() -> None:
    world = Importing()
    found = world.imported(opml(rss("https://me:secret@a.example/feed")))
    ((entry, ended),) = world.results(found.import_id)
    assert ended is not None
    assert (ended.result, entry.url) == (Result.INVALID, "https://...@a.example/feed")
    assert "secret" not in str(world.contents._scan(world.contents.names.tenants))


def test_the_first_searches_are_asked_for_at_once_and_the_others_little_by_little() -> None:
    world = Importing()
    found = world.imported("\n".join(f"https://h{number}.example/feed" for number in range(300)))
    assert (found.counts.pending, len(world.bus.details)) == (300, 200)
    times = [each.pending_since for each in world.imports.subscriptions(None, _ids(world, found.import_id))]
    assert sorted(each - NOW for each in times if each)[-100:] == list(range(1, 101))


def test_more_workers_are_asked_for_more_searches_a_second() -> None:
    world = Importing()
    world.searches_at_once = 8
    found = world.imported("\n".join(f"https://h{number}.example/feed" for number in range(300)))
    times = [each.pending_since for each in world.imports.subscriptions(None, _ids(world, found.import_id))]
    waits = sorted(each - NOW for each in times if each)[-100:]
    assert waits == [1 + number // 4 for number in range(100)]


def _ids(world: Importing, import_id: str) -> list[str]:
    return [ended.subscription_id or "" for _, ended in world.results(import_id) if ended]


def test_imports_are_listed_newest_first_page_by_page() -> None:
    world = Importing()
    ids = []
    for number in range(3):
        world.clock.advance(1)
        ids.append(world.imported(opml(rss(f"https://h{number}.example/feed"))).import_id)
    first = list_imports(SELF_HOSTED, ports=world, limit=2)
    second = list_imports(SELF_HOSTED, ports=world, limit=2, cursor=first.cursor)
    assert [each.import_id for each in (*first.imports, *second.imports)] == ids[::-1]
    assert [each.counts.entries for each in first.imports] == [1, 1]
    assert second.cursor is None


@pytest.mark.parametrize("cursor", ["x", "WyJpbXBvcnRzIiwieCJd"])
def test_an_invalid_cursor_is_refused(cursor: str) -> None:
    with pytest.raises(InvalidInput):
        list_imports(SELF_HOSTED, ports=Importing(), cursor=cursor)
