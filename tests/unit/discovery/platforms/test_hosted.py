from __future__ import annotations

import pytest

from feedward.discovery.page import Page
from feedward.discovery.platforms.index import page_platform_leads, platform_leads


def feeds(url: str) -> list[str]:
    return [lead.url for lead in platform_leads(url)]


@pytest.mark.parametrize(
    ("url", "first"),
    [
        ("https://user.hashnode.dev/", "https://user.hashnode.dev/rss.xml"),
        ("http://User.Hashnode.dev/a-post?x=1", "https://user.hashnode.dev/rss.xml"),
        ("https://x.bearblog.dev/a-post/", "https://x.bearblog.dev/feed/"),
        ("https://x.bearblog.dev/blog/?q=a%20b", "https://x.bearblog.dev/feed/?q=a%20b"),
        ("https://bearblog.dev/discover/", "https://bearblog.dev/discover/feed/"),
        ("https://x.livejournal.com/12.html", "https://x.livejournal.com/data/rss"),
        ("https://x.micro.blog/", "https://x.micro.blog/feed.xml"),
        ("https://x.svbtle.com/a-post", "https://x.svbtle.com/feed"),
        ("https://x.hatenablog.com/entry/2024/01/01", "https://x.hatenablog.com/feed"),
        ("https://x.hateblo.jp/archive/category/a%20b", "https://x.hateblo.jp/feed/category/a%20b"),
        ("https://qiita.com/someone/items/1", "https://qiita.com/someone/feed"),
        ("https://qiita.com/tags/Rust", "https://qiita.com/tags/Rust/feed"),
        ("https://zenn.dev/someone/articles/x", "https://zenn.dev/someone/feed"),
        ("https://zenn.dev/topics/rust", "https://zenn.dev/topics/rust/feed"),
        ("https://velog.io/@someone/posts", "https://v2.velog.io/rss/@someone"),
        ("https://us2.campaign-archive.com/home/?u=a1&id=b2", "https://us2.campaign-archive.com/feed?u=a1&id=b2"),
    ],
)
def test_a_hosted_blog_has_its_feed_at_a_known_place(url: str, first: str) -> None:
    assert feeds(url)[0] == first


@pytest.mark.parametrize(
    "url",
    [
        *("https://hashnode.dev/", "https://www.hashnode.dev/", "https://user.hashnode.dev/rss.xml"),
        *("https://bearblog.dev/", "https://x.bearblog.dev/feed/?q=a", "https://x.bearblog.dev/rss.xml"),
        *("https://x.livejournal.com/data/rss", "https://www.livejournal.com/", "https://x.hatenablog.com/feed"),
        *("https://qiita.com/", "https://qiita.com/trend", "https://qiita.com/someone/feed", "https://qiita.com/tags"),
        *(
            "https://zenn.dev/articles",
            "https://zenn.dev/someone/feed",
            "https://velog.io/recent",
            "https://velog.io/@",
        ),
        *("https://us2.campaign-archive.com/?e=1&u=a1", "https://us2.campaign-archive.com/feed?u=a1&id=b2"),
    ],
)
def test_the_hosts_own_pages_and_feeds_have_none(url: str) -> None:
    assert feeds(url) == []


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<p>Powered by <a href="https://bearblog.dev">Bear</a></p>', "https://own.example/feed/"),
        ('<img src="https://cdn.hashnode.com/x.png"><script src="/_next/a.js">', "https://own.example/rss.xml"),
    ],
    ids=["bear", "hashnode"],
)
def test_own_domains_are_known_by_their_pages(html: str, expected: str) -> None:
    url = "https://own.example/a-post/"
    assert page_platform_leads(url, Page(url=url, base_url=url, html=html))[0].url == expected
