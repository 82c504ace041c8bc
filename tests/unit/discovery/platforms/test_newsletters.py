from __future__ import annotations

import json

import pytest

from feedward.discovery.candidate import Kind
from feedward.discovery.page import Page
from feedward.discovery.platforms.index import page_platform_leads, platform_leads, platform_lookup


def feeds(url: str) -> list[str]:
    return [lead.url for lead in platform_leads(url)]


def feeds_of_page(url: str, *, generator: str | None = None, html: str = "") -> list[str]:
    page = Page(url=url, base_url=url, generator=generator, html=html)
    return [lead.url for lead in page_platform_leads(url, page)]


@pytest.mark.parametrize(
    "url",
    [
        "https://letters.substack.com",
        "https://letters.substack.com/p/some-post",
        "http://Letters.Substack.com/archive?sort=new",
        "https://www.letters.substack.com/about",
        "https://open.substack.com/pub/letters/p/post?r=1",
        "https://open.substack.com/pub/Letters",
    ],
)
def test_a_letter_of_substack_has_its_feed_at_its_root(url: str) -> None:
    assert feeds(url) == ["https://letters.substack.com/feed"]


@pytest.mark.parametrize(
    "url",
    [
        *("https://substack.com/", "https://substack.com/@user", "https://substack.com/home/post/p-1"),
        *("https://open.substack.com/", "https://open.substack.com/pub", "https://support.substack.com/hc"),
        *("https://letters.substack.com/feed", "https://a.b.substack.com/", "https://open.substack.com/pub/a%20b"),
    ],
)
def test_substacks_own_pages_and_feeds_have_none(url: str) -> None:
    assert feeds(url) == []


@pytest.mark.parametrize(
    ("generator", "html"), [("Substack", ""), (None, '<link rel="preconnect" href="https://substackcdn.com">')]
)
def test_substack_on_an_own_domain_is_known_by_its_page(generator: str | None, html: str) -> None:
    url = "https://newsletter.example.com/p/some-post"
    assert feeds_of_page(url, generator=generator, html=html) == ["https://newsletter.example.com/feed"]


def test_the_podcast_that_a_page_of_substack_names_is_proposed_too() -> None:
    url = "https://letters.substack.com/podcast"
    page = Page(url=url, base_url=url, html='"podcast_feed_url":"https://api.substack.com/feed/podcast/123.rss"')
    assert [(lead.url, lead.kind) for lead in page_platform_leads(url, page)] == [
        ("https://api.substack.com/feed/podcast/123.rss", Kind.PODCAST)
    ]


def test_substacks_own_page_is_no_letter_although_it_is_made_alike() -> None:
    assert feeds_of_page("https://substack.com/@user", html="https://substackcdn.com/bundle.js") == []


def test_a_profile_of_substack_is_looked_up_for_never_is_a_handle_a_letters_name() -> None:
    lookup = platform_lookup("https://substack.com/@user/note/c-1")
    assert lookup is not None
    assert lookup.url == "https://substack.com/api/v1/user/user/public_profile"
    document = {"handle": "user", "primaryPublication": {"id": 1, "subdomain": "letters", "custom_domain": None}}
    assert [feed.url for feed in lookup.read(json.dumps(document).encode())] == ["https://letters.substack.com/feed"]


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"<html>", b"[]", b"null", b"{}", b'{"primaryPublication": null}', b'{"primaryPublication": []}'),
        *(b'{"primaryPublication": {"subdomain": 7}}', b'{"primaryPublication": {"subdomain": "a.evil/"}}'),
        *(b"\xff\xfe", b"[" * 100_000),
    ],
    ids=lambda body: repr(body[:40]),
)
def test_a_profile_without_a_letter_names_no_feed(body: bytes) -> None:
    lookup = platform_lookup("https://substack.com/@user")
    assert lookup is not None
    assert list(lookup.read(body)) == []


@pytest.mark.parametrize("url", ["https://substack.com/", "https://substack.com/home", "https://example.com/@user"])
def test_a_url_that_is_no_profile_is_not_looked_up(url: str) -> None:
    assert platform_lookup(url) is None


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://buttondown.com/hillel", ["https://buttondown.com/hillel/rss"]),
        ("https://buttondown.email/hillel/archive/a-letter/", ["https://buttondown.com/hillel/rss"]),
        ("https://buttondown.com/hillel/rss", []),
        ("https://buttondown.com/pricing", []),
        ("https://buttondown.com/", []),
    ],
)
def test_buttondown(url: str, expected: list[str]) -> None:
    assert feeds(url) == expected


def test_a_form_of_buttondown_does_not_make_a_site_a_letter() -> None:
    form = '<form action="https://buttondown.com/api/emails/embed-subscribe/x">'
    assert feeds_of_page("https://own.example/", html=form) == []
    assert feeds_of_page("https://own.example/", html=form + '<a href="/archive/">') == ["https://own.example/rss"]


def test_beehiiv_has_no_feed_by_its_url_and_only_the_one_that_its_page_names() -> None:
    url = "https://x.beehiiv.com/p/a-letter"
    one = '<a href="https://rss.beehiiv.com/feeds/AbC1.xml">RSS</a>'
    assert feeds(url) == []
    assert feeds_of_page(url, html=one) == ["https://rss.beehiiv.com/feeds/AbC1.xml"]
    assert feeds_of_page(url, html=one + "https://rss.beehiiv.com/feeds/Other.xml") == []
