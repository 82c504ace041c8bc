"""Known platforms: one good URL for many names, and other URLs of one feed (rule C11)."""

from __future__ import annotations

import pytest

from feedward.errors import InvalidInput
from feedward.urls.rewrites import PROBES, REWRITES, probe_urls, rewrite_url

BLOG = "https://x.blogspot.com/feeds/posts/default"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://feeds2.feedburner.com/Example?format=xml#x", "http://feeds.feedburner.com/Example"),
        ("https://FEEDPROXY.google.com.//Example/", "https://feeds.feedburner.com/Example"),
        ("http://blogger.com/feeds/1/posts/default?v=2&a=%2f", "https://www.blogger.com/feeds/1/posts/default?a=%2f"),
        ("https://draft.blogger.com/feeds/1/posts/default", "https://www.blogger.com/feeds/1/posts/default"),
        ("http://x.blogspot.co.uk/feeds/posts/default?orderby=updated&alt=rss", f"{BLOG}?alt=rss"),
        ("https://x.blogspot.com.br/rss.xml/", f"{BLOG}?alt=rss"),
        ("https://x.blogspot.de/rss.xml?alt=json&a=1", f"{BLOG}?a=1&alt=rss"),
        ("https://x.blogspot.jp/atom.xml?redirect=false", BLOG),
        ("https://my.blog.blogspot.in/feeds/posts/summary?alt", "https://my.blog.blogspot.com/feeds/posts/summary"),
    ],
)
def test_known_hosts_are_rewritten(url: str, expected: str) -> None:
    assert rewrite_url(url) == expected
    assert rewrite_url(expected) == expected


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/feed/?utm_source=x#top",
        "https://feeds.feedburner.com.example.com/x?a",
        "https://blogspot.com/feeds",
        "https://x.blogspot.example/rss.xml",
        "https://notblogger.com/rss.xml",
        "https://x.notblogspot.com/rss.xml",
        "mailto:a@blogger.com",
        "not a url",
    ],
)
def test_a_url_that_no_rewrite_knows_stays_unchanged(url: str) -> None:
    assert rewrite_url(url) == url


def test_only_the_named_rewrites_and_probes_are_applied() -> None:
    url = "http://feedproxy.google.com/x?feed=rss2"
    assert rewrite_url(url, []) == rewrite_url(url, ["blogger"]) == url
    assert rewrite_url(url, ["feedburner"]) == "http://feeds.feedburner.com/x"
    assert probe_urls(url, []) == []
    assert probe_urls(url, ["wordpress"]) == probe_urls(url) != []


def test_a_name_that_is_none_is_an_error_that_lists_the_known_ones() -> None:
    with pytest.raises(InvalidInput, match="feedburner, blogger") as raised:
        rewrite_url(BLOG, ["tumblr"])
    assert raised.value.field == "rewrites"
    with pytest.raises(InvalidInput, match="wordpress") as raised:
        probe_urls(BLOG, ["tumblr"])
    assert raised.value.field == "probes"
    assert set(REWRITES) == {"feedburner", "blogger"}
    assert set(PROBES) == {"wordpress"}


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("https://example.com/?feed=rss2", "/feed"),
        ("https://example.com?feed=rss", "/feed"),
        ("https://example.com/?feed=atom#top", "/feed/atom"),
        ("https://example.com/index.php?feed=rdf", "/feed"),
        ("https://example.com/blog/feed/atom/?feed=atom", "/blog/feed/atom"),
        ("https://example.com/blog/feed/?feed=comments-rss2", "/blog/comments/feed"),
        ("https://example.com/comments/feed/?feed=rss2", "/feed"),
        ("https://example.com/a%2Fb/?feed=rss2", "/a%2Fb/feed"),
    ],
)
def test_wordpress_feeds_have_a_path_under_pretty_permalinks(url: str, path: str) -> None:
    assert probe_urls(url) == [f"https://example.com{path}", f"https://example.com{path}/"]


def test_other_parameters_stay_with_a_probe() -> None:
    assert probe_urls("http://example.com/?cat=5&feed=rss2&a=%2f") == [
        "http://example.com/feed?cat=5&a=%2f",
        "http://example.com/feed/?cat=5&a=%2f",
    ]


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/feed",
        "https://example.com/?feed=json",
        "https://example.com/?feed=",
        "https://example.com/?xfeed=rss2",
        "https://example.com/?a=feed=rss2",
        "https://example.com/#?feed=rss2",
        "not a url",
    ],
)
def test_other_urls_have_no_probes(url: str) -> None:
    assert probe_urls(url) == []
