"""The chosen feed for addresses of platforms, and its cost: the page and its platform's feeds, nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.services.discover.discovered import Pages, chosen, find, html, link, rss

CODEBERG, WIKI, FORUM = "https://codeberg.org", "https://wiki.example", "https://forum.example"
SQUARESPACE = (
    "<!-- This is Squarespace. --><script>"
    '{"collection":{"title":"P","id":"1","fullUrl":"/about","type":10}}</script><a href="/journal">J</a>'
)


def feeds(*urls: str, site: str | None = None) -> dict[str, Any]:
    """Feeds with items of their own. Their site link is their own address, or `site`."""
    return {url: rss(site or url, title=f"Feed {number}", items=5) for number, url in enumerate(urls)}


@pytest.mark.parametrize(
    ("url", "page", "others", "expected", "requests"),
    [
        (
            "https://github.com/a/b",
            html(link("https://github.com/a/b/commits/main.atom")),
            feeds(*(f"https://github.com/a/b/{what}.atom" for what in ("releases", "commits", "tags"))),
            "https://github.com/a/b/releases.atom",
            4,
        ),
        (
            f"{CODEBERG}/o/r/commits/branch/main",
            html(),
            feeds(f"{CODEBERG}/o/r/rss/branch/main", f"{CODEBERG}/o/r/releases.rss")
            | feeds(f"{CODEBERG}/o/r.rss", site=f"{CODEBERG}/o/r/commits/branch/main"),
            f"{CODEBERG}/o/r/rss/branch/main",
            4,
        ),
        (
            f"{WIKI}/wiki/Tea",
            html(
                '<meta name="generator" content="MediaWiki 1.43">' + link("/w/index.php?title=Special:RecentChanges"),
                '<script>{"wgPageName":"Tea","wgScriptPath":"/w"}</script>',
            ),
            feeds(
                f"{WIKI}/w/index.php?title=Special:RecentChanges",
                f"{WIKI}/w/index.php?title=Tea&action=history&feed=atom",
            ),
            f"{WIKI}/w/index.php?title=Tea&action=history&feed=atom",
            3,
        ),
        (
            f"{FORUM}/c/help/5",
            html(
                '<meta name="generator" content="Discourse">' + link("/posts.rss", "Latest posts") + link("/latest.rss")
            ),
            feeds(f"{FORUM}/posts.rss", f"{FORUM}/latest.rss", f"{FORUM}/c/help/5.rss"),
            f"{FORUM}/c/help/5.rss",
            4,
        ),
        (
            "https://lemmy.example/post/1",
            html("", '<div class="lemmy-site"><a class="x" href="/c/tea@other.example">tea</a></div>'),
            feeds("https://lemmy.example/feeds/c/tea@other.example.xml", "https://lemmy.example/feeds/local.xml"),
            "https://lemmy.example/feeds/c/tea@other.example.xml",
            2,
        ),
        (
            "https://sq.example/about",
            html("", SQUARESPACE),
            feeds("https://sq.example/journal?format=rss"),
            "https://sq.example/journal?format=rss",
            2,
        ),
        (
            "https://news.ycombinator.com/item?id=1",
            html(),
            feeds("https://news.ycombinator.com/rss"),
            "https://news.ycombinator.com/rss",
            2,
        ),
        (
            "https://dev.to/ben/a-post-1a2",
            html(),
            feeds("https://dev.to/feed", "https://dev.to/feed/ben"),
            "https://dev.to/feed/ben",
            2,
        ),
        (
            "https://mastodon.social/%40me/113",
            html(),
            feeds("https://mastodon.social/@me.rss"),
            "https://mastodon.social/@me.rss",
            2,
        ),
    ],
)
def test_the_feed_that_the_address_is_about_is_chosen(
    url: str, page: dict[str, Any], others: Pages, expected: str, requests: int
) -> None:
    found, _ = find(url, {url: page, **others})

    assert chosen(found) == expected
    assert (found.requests, found.rounds <= 2) == (requests, True)


def test_a_repository_without_releases_has_its_commits() -> None:
    urls = [f"https://github.com/a/b/{what}.atom" for what in ("releases", "commits", "tags")]
    pages = feeds(*urls) | {urls[at]: rss(urls[at], items=0) for at in (0, 2)}

    assert chosen(find("https://github.com/a/b", {"https://github.com/a/b": html(), **pages})[0]) == urls[1]
