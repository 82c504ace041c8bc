"""Feeds that only the data of a page's scripts names."""

from __future__ import annotations

import pytest

from feedward.discovery.candidate import Source
from feedward.discovery.page import read_page
from feedward.services.discover.discover import discover
from tests.fakes.fetcher import FakeFetcher

PAGE = "https://site.example/show/1"
RSS = (
    '<rss version="2.0"><channel><title>Site</title><link>https://site.example/</link>'
    "<item><title>a</title><link>https://site.example/a</link></item></channel></rss>"
)


def named(html: str) -> list[str]:
    page = read_page(html.encode(), url=PAGE, headers={"content-type": "text/html"})
    return [lead.url for lead in page.anchors if lead.source is Source.PAGE_DATA]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (r'<script>window.__DATA__={"rssUrl":"https:\/\/site.example\/feed.xml"}</script>', "/feed.xml"),
        (
            '<script id="__NEXT_DATA__">{"props":{"show":{"feed_url":"/rss/1?a=1\\u0026b=2"}}}</script>',
            "/rss/1?a=1&b=2",
        ),
        ('<script type="application/ld+json">{"@type":"PodcastSeries","webFeed":"/show"}</script>', "/show"),
        (
            '<script type="application/ld+json">{"encodingFormat":"application/rss+xml","url":"/news.xml"}</script>',
            "/news.xml",
        ),
        (r'<script>self.__next_f.push([1,"{\"rssFeedUrl\":\"/podcast.rss\"}"])</script>', "/podcast.rss"),
        (
            r'<script>push([1,"[\"link\",{\"type\":\"application/atom+xml\",\"href\":\"/blog/atom\"}]"])</script>',
            "/blog/atom",
        ),
        ('<script>{"types":{"application/rss+xml":[{"url":"/feed","title":"A"}]}}</script>', "/feed"),
        ('<div data-page="{&quot;rss&quot;:&quot;/rss?a=1&amp;b=2&quot;}"></div>', "/rss?a=1&b=2"),
        ("<script>var podcastRss = '/p/1';</script>", "/p/1"),
        ('<script>{"rss":"https://feeds.site.example/abc"}</script>', "https://feeds.site.example/abc"),
    ],
)
def test_a_key_or_a_type_names_a_feed(html: str, expected: str) -> None:
    assert named(html) == [expected if "//" in expected else f"https://site.example{expected}"]


@pytest.mark.parametrize(
    "html",
    [
        '<script>{"feed":"/wall","rss":true,"rssFeed":null,"feedUrl":"","feedURL":"javascript:alert(1)"}</script>',
        '<script>{"feedUrl":"/wp-json/wp/v2/posts","rssUrl":"https://www.facebook.com/x/feed"}</script>',
        '<script>{"feedback_url":"/feedback","newsfeedSettings":"/feed","dofeedUrl":"/feed"}</script>',
        '<script>{"rssUrl":"https://site.example/show/1"}</script>',
        '<link rel="alternate" type="application/rss+xml" href="/f.xml"><script>{"rssUrl":"/other.xml"}</script>',
        '<script>{"a":"application/rss+xml"}</script>',
    ],
)
def test_other_data_names_none(html: str) -> None:
    assert named(html) == []


def test_two_feeds_are_enough() -> None:
    assert len(named("".join(f'<script>{{"rssUrl":"/{number}.xml"}}</script>' for number in range(9)))) == 2


def test_an_anchor_with_a_feeds_path_comes_first_and_one_with_a_label_last() -> None:
    html = '<a href="/x">RSS</a><a href="/feed">x</a><script>{"rssUrl":"/data.xml"}</script>'
    page = read_page(html.encode(), url=PAGE, headers={"content-type": "text/html"})
    assert [lead.source for lead in page.anchors] == [Source.ANCHOR, Source.PAGE_DATA, Source.WEAK_ANCHOR]


def test_the_feed_of_an_app_shell_is_found_in_two_requests() -> None:
    shell = '<html><div id="root"></div><script>window.state={"rssUrl":"/podcast/42.xml"}</script></html>'
    pages = {PAGE: {"body": shell, "type": "text/html"}, "https://site.example/podcast/42.xml": {"body": RSS}}
    found = discover(PAGE, fetcher=FakeFetcher(pages, answers_404=True))
    assert found.canonical is not None
    assert found.canonical.final_url == "https://site.example/podcast/42.xml"
    assert found.canonical.parts["source"] == 315
    assert found.requests == 2
