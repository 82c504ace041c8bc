"""Merge writes only if both feeds are unchanged since the decision (rule R6)."""

from __future__ import annotations

from typing import Any

import pytest

from feedward.adapters.dynamodb.feeds.merge import Chosen, merge_all
from feedward.adapters.dynamodb.feeds.register import live_feeds
from feedward.adapters.dynamodb.feeds.tombstones import move_urls
from feedward.adapters.dynamodb.registry.lookup import live_feed
from feedward.adapters.dynamodb.store.codec import Item, encode
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.errors import FeedwardError
from feedward.registration import NewFeed
from feedward.urls.key import url_hash
from tests.fakes.feed_store import PATIENT, FakeFeedStore

NOW = 1_790_000_000
CHOSEN = Chosen(url="https://example.com/chosen", url_hash=url_hash("https://example.com/chosen"))


def new_feed(feed_id: str) -> NewFeed:
    return NewFeed(feed_id=feed_id, url=f"https://example.com/{feed_id}", aliases=(), now=NOW)


@pytest.fixture
def fake() -> FakeFeedStore:
    fake = FakeFeedStore()
    for feed_id in ("01A", "01B", "01C"):
        fake.register(new_feed(feed_id))
    return fake


@pytest.fixture
def tables(fake: FakeFeedStore) -> Tables:
    return Tables(fake.faults, fake.contents.names, PATIENT)  # type: ignore[arg-type]


def feeds(tables: Tables) -> list[Item]:
    return live_feeds(tables, ["01C", "01A", "01B"])


def test_all_merge_into_the_smallest_id_with_every_write_counted(fake: FakeFeedStore, tables: Tables) -> None:
    winner = merge_all(tables, feeds(tables), CHOSEN, NOW)
    assert winner == fake.contents.live()["01A"]
    assert winner["rev"] == 3
    assert {feed_id: feed.get("merged_into") for feed_id, feed in fake.contents.feeds().items()} == {
        "01A": None,
        "01B": "01A",
        "01C": "01A",
    }


@pytest.mark.parametrize("changed", ["01A", "01B"])
def test_a_feed_that_changed_since_it_was_read_is_not_merged(fake: FakeFeedStore, tables: Tables, changed: str) -> None:
    as_read = feeds(tables)[:2]
    fake.contents.put_feed_item(**fake.contents.feeds()[changed] | {"rev": 9})
    assert merge_all(tables, as_read, CHOSEN, NOW) is None
    assert set(fake.contents.live()) == {"01A", "01B", "01C"}
    assert fake.contents.pending("repoint") == []


@pytest.mark.parametrize("into", ["01A", "01B"])
def test_a_pointer_to_no_smaller_id_is_an_error_and_no_endless_walk(
    fake: FakeFeedStore, tables: Tables, into: str
) -> None:
    fake.contents.put_feed_item(**fake.contents.feeds()["01A"] | {"merged_into": into})
    with pytest.raises(FeedwardError, match="not a smaller id"):
        live_feed(tables, "01A")


def test_a_row_that_the_index_shows_too_late_keeps_its_new_owner(
    fake: FakeFeedStore, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    merge_all(tables, feeds(tables)[:2], CHOSEN, NOW)
    row = url_hash("https://example.com/01C")
    stale = {"Items": [encode({"url_hash": row, "feed_id": "01B"})]}
    late: Any = lambda **_: stale  # noqa: E731
    monkeypatch.setattr(fake.faults, "query", late, raising=False)
    assert move_urls(Tables(fake.faults, fake.contents.names, PATIENT), "01B") is True  # type: ignore[arg-type]
    assert fake.contents.urls()[row]["feed_id"] == "01C"


def test_a_feed_that_is_not_there_or_not_merged_has_no_urls_to_move(fake: FakeFeedStore, tables: Tables) -> None:
    orphan = url_hash("https://example.com/orphan")
    fake.contents.put_url(url_hash=orphan, feed_id="01GHOST")
    before = fake.contents.urls()
    assert move_urls(tables, "01GHOST") is True
    assert move_urls(tables, "01A") is True
    assert fake.contents.urls() == before


def test_a_url_of_a_feed_that_is_gone_does_not_keep_others_from_being_registered(fake: FakeFeedStore) -> None:
    orphan = "https://example.com/orphan"
    fake.contents.put_url(url_hash=url_hash(orphan), feed_id="01GHOST")
    joined = fake.register(
        NewFeed(feed_id="01D", url="https://example.com/01A", aliases=(orphan, "https://example.com/new"), now=NOW)
    )
    assert (joined.feed_id, joined.created) == ("01A", False)
    assert fake.contents.urls()[url_hash("https://example.com/new")]["feed_id"] == "01A"
