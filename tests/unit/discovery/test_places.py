"""The positions of URLs on a site (rule D8)."""

from __future__ import annotations

import pytest

from feedward.discovery.places import (
    directory,
    is_below,
    is_post,
    post_parent,
    query_pairs,
    says_feed,
    segments,
    without_feed_words,
)
from tests.unit.discovery.candidates import SITE

FEED_WORDS = "feed rss rss2 atom index.xml feed.json rss.php atom.xml .rss index.rdf default"
OTHER_WORDS = "blog news.xml feeder rssfeedx hello main.rss notes feed-me"


def path(text: str) -> tuple[str, ...]:
    return tuple(part for part in text.split("/") if part)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://example.com/", ()),
        ("https://example.com", ()),
        ("https://example.com/Blog//Caf%C3%A9/?x=/y#/z", ("blog", "café")),
        ("https://example.com/a/../b", ("b",)),
        ("nonsense", ()),
        ("", ()),
    ],
)
def test_segments(url: str, expected: tuple[str, ...]) -> None:
    assert segments(url) == expected


def test_query_pairs_are_decoded_and_lower_case_in_order() -> None:
    assert query_pairs(SITE + "?B=Caf%C3%A9&a=1+2&&c") == (("b", "café"), ("a", "1 2"), ("c", ""))


@pytest.mark.parametrize(
    ("page", "place"),
    [
        ("blog/", "blog"),
        ("blog", "blog"),
        ("blog/index.html", "blog"),
        ("blog/hello.php", "blog"),
        ("index.html", ""),
        ("blog/v1.2", "blog/v1.2"),
        ("", ""),
    ],
)
def test_directory(page: str, place: str) -> None:
    assert directory(SITE + page) == path(place)


@pytest.mark.parametrize("word", FEED_WORDS.split())
def test_word_that_says_only_feed(word: str) -> None:
    assert says_feed(word)


@pytest.mark.parametrize("word", OTHER_WORDS.split())
def test_word_that_says_more(word: str) -> None:
    assert not says_feed(word)


@pytest.mark.parametrize(
    ("of", "left"), [("notes/index.xml", "notes"), ("notes/feed/atom", "notes"), ("feed", ""), ("notes", "notes")]
)
def test_without_feed_words(of: str, left: str) -> None:
    assert without_feed_words(path(of)) == path(left)


def test_below() -> None:
    assert is_below(path("a/b/c"), path("a/b"))
    assert is_below(path("a"), path("a"))
    assert not is_below(path("ab/c"), path("a"))
    assert not is_below(path("a"), path("a/b"))


@pytest.mark.parametrize(
    ("post", "parent"),
    [
        ("2026/08/hello", ""),
        ("2026/08/10/hello", ""),
        ("2026/08/hello.html", ""),
        ("blog/2026/08/hello", "blog"),
        ("2026/a-fine-cup-of-tea", ""),
        ("p/first-letter", ""),
        ("news/p/first", "news"),
        ("archives/123", ""),
        ("blog/a-fine-cup-of-tea", "blog"),
        ("en/blog/a-fine-cup-of-tea", "en/blog"),
        ("a-fine-cup-of-tea", ""),
        ("some-story-abc123", ""),
    ],
)
def test_post_and_where_it_belongs(post: str, parent: str) -> None:
    assert post_parent(path(post)) == path(parent)
    assert is_post(SITE + post)


@pytest.mark.parametrize(
    "page",
    ["", "blog", "2026", "2026/08", "2026/08/10", "about", "about-us", "tag/green-tea", "notes/hello", "2026/talks"],
)
def test_page_that_is_no_post(page: str) -> None:
    assert post_parent(path(page)) is None
    assert not is_post(SITE + page)


@pytest.mark.parametrize(("query", "post"), [("?p=12", True), ("?page_id=3", True), ("?p=", False), ("?page=2", False)])
def test_post_by_its_query(query: str, post: bool) -> None:
    assert is_post(SITE + query) is post
