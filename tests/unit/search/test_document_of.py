"""The index's data about a feed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest

from feedward.health.directory_feed import DirectoryFeed
from feedward.health.feed_health import FeedHealth
from feedward.health.feed_texts import FeedTexts
from feedward.health.recent_items import RecentItem
from feedward.model import FeedState, Item
from feedward.search.document import SiteTexts, document_of, is_found_by_search

NOW = 1_790_000_000
FEED_ID = "0" * 26
FEED = DirectoryFeed(
    feed_id=FEED_ID,
    url="https://feeds.example.net/garden",
    host="feeds.example.net",
    rev=3,
    health=FeedHealth(feed_id=FEED_ID, state=FeedState.DEGRADED),
    texts=FeedTexts(title="Garden", description="Beds", site_url="https://garden.example/blog", language="en"),
    is_canonical=True,
)
SITE = SiteTexts(title="The Garden Site", url="https://site.example/", language="pt-BR")


def items(*titles: str | None) -> list[RecentItem]:
    return [RecentItem(item=Item(title=title), first_seen_at=NOW) for title in titles]


def test_a_document_has_the_texts_and_filters_of_its_feed() -> None:
    document = document_of(FEED, items("One", None, "Two"), site=SITE, version=7, now=NOW)

    assert (document.feed_id, document.version, document.url) == (FEED_ID, 7, FEED.url)
    assert (document.title, document.site_title, document.description) == ("Garden", "The Garden Site", "Beds")
    assert (document.domain, document.language) == ("garden.example", "en")
    assert document.item_titles == ("One", "Two")
    assert (document.state, document.is_canonical, document.is_main) == (FeedState.DEGRADED, True, True)


def test_the_site_speaks_where_the_feed_is_silent() -> None:
    silent = replace(FEED, texts=FeedTexts(title="Garden"))

    with_site = document_of(silent, (), site=SITE, version=1, now=NOW)
    assert (with_site.language, with_site.domain, with_site.site_url) == ("pt-BR", "site.example", SITE.url)
    without = document_of(silent, (), version=1, now=NOW)
    assert (without.language, without.domain, without.site_title) == ("", "feeds.example.net", "")


def test_the_last_10_titles_and_the_beginning_of_a_long_description_are_known() -> None:
    long = replace(FEED, texts=replace(FEED.texts, description="d" * 4000))
    document = document_of(long, items(*(f"{number}" for number in range(20))), version=1, now=NOW)

    assert document.item_titles == tuple(f"{number}" for number in range(10))
    assert len(document.description) == 1000


@pytest.mark.parametrize(
    ("url", "title", "is_main"),
    [
        ("https://garden.example/comments/feed/", "Garden", False),
        ("https://garden.example/tag/leeks/feed/", "Garden", False),
        ("https://garden.example/feed/", "Comments for Garden", False),
        ("https://garden.example/feed/", "Garden", True),
        ("https://garden.example/podcast.xml", "The Garden Podcast", True),
    ],
)
def test_comments_and_tags_are_no_main_feeds(url: str, title: str, is_main: bool) -> None:
    feed = replace(FEED, url=url, texts=FeedTexts(title=title))

    assert document_of(feed, (), version=1, now=NOW).is_main is is_main


def test_approved_topics_are_known_and_others_are_not() -> None:
    @dataclass(frozen=True)
    class Topic:
        name: str
        state: str

    class WithTopics:
        topics = (Topic("slugs", "suggested"), Topic("gardening", "approved"), Topic("beds", "approved"))

        def __getattr__(self, name: str) -> Any:
            return getattr(FEED, name)

    feed: Any = WithTopics()
    assert document_of(feed, (), version=1, now=NOW).topics == ("beds", "gardening")
    assert document_of(FEED, (), version=1, now=NOW).topics == ()


def test_a_feed_without_news_for_long_is_stale_by_its_own_rhythm() -> None:
    quiet = replace(FEED, health=replace(FEED.health, latest_item_published_at=NOW - 400 * 86400, median_gap_s=86400))

    assert document_of(quiet, (), version=1, now=NOW).is_stale
    assert not document_of(quiet, (), version=1, now=NOW - 395 * 86400).is_stale


def test_private_feeds_are_not_found() -> None:
    assert is_found_by_search(FEED)
    assert not is_found_by_search(replace(FEED, owner="tenant"))
