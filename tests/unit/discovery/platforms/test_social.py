"""Feeds of social networks; servers of the fediverse are recognized by their pages."""

from __future__ import annotations

import pytest

from feedward.discovery.candidate import Kind
from feedward.discovery.page import Page
from feedward.discovery.platforms.index import page_platform_leads, platform_leads

PINS = "https://www.pinterest.com/nasa/feed.rss"


def feeds(url: str) -> list[str]:
    return [lead.url for lead in platform_leads(url)]


def page_feeds(url: str, html: str = "", *, generator: str | None = None, **meta: str) -> list[str]:
    page = Page(url=url, base_url=url, generator=generator, meta=meta, html=html)
    return [lead.url for lead in page_platform_leads(url, page)]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/@me", ["/@me.rss"]),
        ("/@me/", ["/@me.rss"]),
        ("/@me/110000000000000001", ["/@me.rss"]),
        ("/users/me", ["/@me.rss"]),
        ("/users/me/statuses/1", ["/@me.rss"]),
        ("/web/@me", ["/@me.rss"]),
        ("/@me/with_replies", ["/@me/with_replies.rss", "/@me.rss"]),
        ("/@me/media", ["/@me/media.rss", "/@me.rss"]),
        ("/@me/tagged/x", ["/@me/tagged/x.rss", "/@me.rss"]),
        ("/tags/x", ["/tags/x.rss"]),
        ("/tags/caf%C3%A9?lang=fr", ["/tags/caf%C3%A9.rss"]),
        ("/@me.rss", []),
        ("/tags/x.rss", []),
        ("/about", []),
        ("/", []),
        ("/explore", []),
    ],
)
def test_mastodon_by_url_where_the_server_is_known_and_by_the_page_elsewhere(path: str, expected: list[str]) -> None:
    known, unknown = "https://mastodon.social", "https://social.example:8443"

    assert feeds(known + path) == [known + feed for feed in expected]
    assert feeds(unknown + path) == []
    assert page_feeds(unknown + path) == []
    found = [unknown + feed for feed in expected]
    assert page_feeds(unknown + path, '<div class="app-holder" id="mastodon">') == found
    assert page_feeds(unknown + path, generator="Mastodon v4.5.0") == found


@pytest.mark.parametrize("path", ["/@me@other.example", "/@me@other.example/110001", "/web/@me@other.example"])
def test_an_account_of_another_server_has_its_feed_there(path: str) -> None:
    assert feeds(f"https://mastodon.social{path}") == ["https://other.example/@me.rss"]


def test_a_name_is_read_however_its_mark_is_escaped() -> None:
    assert feeds("https://mastodon.social/%40me") == ["https://mastodon.social/@me.rss"]
    assert page_feeds("https://social.example/%40me/1", generator="Mastodon") == ["https://social.example/@me.rss"]


def test_a_tag_is_a_tag() -> None:
    assert [lead.kind for lead in platform_leads("https://mastodon.social/tags/x")] == [Kind.TAG]
    assert [lead.kind for lead in platform_leads("https://mastodon.social/@me")] == [Kind.MAIN]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/c/tech", ["/feeds/c/tech.xml"]),
        ("/c/tech@other.example/?sort=New", ["/feeds/c/tech@other.example.xml"]),
        ("/u/me/", ["/feeds/u/me.xml"]),
        ("/", ["/feeds/local.xml", "/feeds/all.xml"]),
        ("/?dataType=Post&listingType=All", ["/feeds/all.xml"]),
        ("/post/123", []),
        ("/feeds/c/tech.xml", []),
    ],
)
def test_lemmy(path: str, expected: list[str]) -> None:
    known, unknown = "https://lemmy.world", "https://lemmy.example"

    assert feeds(known + path) == [known + feed for feed in expected]
    assert page_feeds(unknown + path) == []
    assert page_feeds(unknown + path, '<div class="lemmy-site" id="app">') == [unknown + feed for feed in expected]


@pytest.mark.parametrize("path", ["/post/123", "/comment/7", "/post/123?scrollToComments=true"])
@pytest.mark.parametrize("community", ["tech", "tech@other.example"])
def test_a_post_of_lemmy_names_its_community(path: str, community: str) -> None:
    html = f'<div class="lemmy-site"><a href="/communities">C</a><a class="community-link" href="/c/{community}">t</a>'

    for server in ("https://lemmy.example", "https://lemmy.world"):
        assert page_feeds(server + path, html) == [f"{server}/feeds/c/{community}.xml"]


@pytest.mark.parametrize(
    ("path", "marks", "expected"),
    [
        ("/me", {"application-name": "Pixelfed"}, "/users/me.atom"),
        ("/p/me/123", {"generator": "pixelfed"}, "/users/me.atom"),
        ("/@me", {"application-name": "Misskey"}, "/@me.atom"),
        ("/@me", {"generator": "GoToSocial 0.19"}, "/@me/feed.rss"),
        ("/users/me", {"generator": "Akkoma 3.1"}, "/users/me/feed.atom"),
        ("/users/me", {"html": 'fetch("/api/pleroma/frontend_configurations")'}, "/users/me/feed.atom"),
        ("/profile/me", {"generator": "Friendica 'Interrupted Fern'"}, "/feed/me/"),
        ("/user/me/reviews", {"generator": "BookWyrm"}, "/user/me/rss"),
    ],
)
def test_other_servers_are_recognized_by_their_pages(path: str, marks: dict[str, str], expected: str) -> None:
    assert page_feeds(f"https://a.example{path}", **marks) == [f"https://a.example{expected}"]
    assert page_feeds(f"https://a.example{path}") == []


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://bsky.app/profile/example.com", ["https://bsky.app/profile/example.com/rss"]),
        ("https://BSKY.app/profile/a-b.example.com/post/3k?x=1", ["https://bsky.app/profile/a-b.example.com/rss"]),
        ("https://bsky.app/profile/did:plc:z72i7h/", ["https://bsky.app/profile/did:plc:z72i7h/rss"]),
        ("https://bsky.app/profile/did%3Aplc%3Az72i7h", ["https://bsky.app/profile/did:plc:z72i7h/rss"]),
        ("https://bsky.app/profile/nohandle", []),
        ("https://bsky.app/about", []),
        ("https://bsky.app/", []),
        ("https://www.pinterest.com/nasa/", [PINS]),
        ("https://pinterest.com/nasa?x=1", [PINS]),
        ("https://de.pinterest.com/nasa", [PINS]),
        ("https://www.pinterest.co.uk/nasa", [PINS]),
        ("https://www.pinterest.com/nasa/_saved", [PINS]),
        ("https://www.pinterest.com/nasa/space-walks/", ["https://www.pinterest.com/nasa/space-walks.rss", PINS]),
        (PINS, []),
        ("https://www.pinterest.com/nasa/space-walks.rss", []),
        ("https://www.pinterest.com/nasa/space-walks.rss/", []),
        ("https://www.pinterest.com/pin/123/", []),
        ("https://help.pinterest.com/en/article/sign-up", []),
        ("https://business.pinterest.com/en-gb/", []),
        ("https://developers.pinterest.com/docs/", []),
        ("https://www.pinterest.com/Ideas", []),
        ("https://letterboxd.com/dave/", ["https://letterboxd.com/dave/rss/"]),
        ("https://letterboxd.com/dave/film/arrival/", ["https://letterboxd.com/dave/rss/"]),
        ("https://letterboxd.com/film/arrival/", []),
        ("https://letterboxd.com/films/popular/", []),
        ("https://letterboxd.com/", []),
        (
            "https://www.goodreads.com/user/show/1-otis",
            ["https://www.goodreads.com/user/updates_rss/1", "https://www.goodreads.com/review/list_rss/1"],
        ),
        (
            "https://goodreads.com/review/list/1.Otis?page=2&shelf=to-read",
            [
                "https://www.goodreads.com/review/list_rss/1?shelf=to-read",
                "https://www.goodreads.com/user/updates_rss/1",
            ],
        ),
        ("https://www.goodreads.com/book/show/1-x", []),
    ],
)
def test_networks_with_one_host(url: str, expected: list[str]) -> None:
    assert feeds(url) == expected
