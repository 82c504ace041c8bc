from __future__ import annotations

import pytest

from feedward.discovery.candidate import Kind
from feedward.discovery.page import Page
from feedward.discovery.platforms.index import page_platform_leads, platform_leads

SQUARESPACE = "<!-- This is Squarespace. -->"


def feeds_of_page(url: str, *, generator: str | None = None, html: str = "") -> list[str]:
    return [lead.url for lead in page_platform_leads(url, Page(url=url, base_url=url, generator=generator, html=html))]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/", ["/rss/"]),
        ("/a-post/", ["/rss/"]),
        ("/tag/news/", ["/tag/news/rss/", "/rss/"]),
        ("/tag/news/page/2/", ["/tag/news/rss/", "/rss/"]),
        ("/author/jo%20e/", ["/author/jo%20e/rss/", "/rss/"]),
        ("/blog/tag/news/", ["/blog/tag/news/rss/", "/blog/rss/"]),
        ("/rss/", []),
        ("/tag/news/rss/", []),
    ],
)
def test_ghost_is_known_by_its_generator(path: str, expected: list[str]) -> None:
    found = feeds_of_page(f"http://ghost.example{path}", generator="Ghost 5.82")
    assert found == [f"http://ghost.example{feed}" for feed in expected]


def test_ghost_says_below_which_path_it_lives() -> None:
    html = '<script defer data-ghost="https://ghost.example/blog/" data-key="x"></script>'
    found = feeds_of_page("https://ghost.example/blog/a-post/", generator="Ghost 5.82", html=html)
    assert found == ["https://ghost.example/blog/rss/"]


def test_ghost_is_not_sent_to_another_site() -> None:
    html = '<script data-ghost="https://other.example/"></script>'
    found = feeds_of_page("https://ghost.example/a-post/", generator="Ghost 5.82", html=html)
    assert found == ["https://ghost.example/rss/"]


def test_a_tag_and_an_author_of_ghost_are_told_from_the_whole() -> None:
    leads = platform_leads("https://x.ghost.io/author/jo/")
    assert [(lead.url, lead.kind) for lead in leads] == [
        ("https://x.ghost.io/author/jo/rss/", Kind.AUTHOR),
        ("https://x.ghost.io/rss/", Kind.MAIN),
    ]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/blog", ["/blog?format=rss"]),
        ("/blog/", ["/blog?format=rss"]),
        ("/blog/2024/5/a-post", ["/blog?format=rss"]),
        ("/blog/category/My+Things", ["/blog?category=My+Things&format=rss", "/blog?format=rss"]),
        ("/blog?tag=a%20b", ["/blog?tag=a%20b&format=rss", "/blog?format=rss"]),
        ("/", ["/?format=rss"]),
        ("/blog?format=rss", []),
        ("/cart", []),
    ],
)
def test_squarespace_has_a_feed_for_each_collection(path: str, expected: list[str]) -> None:
    assert [lead.url for lead in platform_leads(f"https://x.squarespace.com{path}")] == [
        f"https://x.squarespace.com{feed}" for feed in expected
    ]
    assert feeds_of_page(f"http://own.example{path}", html=SQUARESPACE) == [
        f"http://own.example{feed}" for feed in expected
    ]
    assert feeds_of_page(f"http://own.example{path}", generator="Squarespace") == [
        f"http://own.example{feed}" for feed in expected
    ]


def test_squarespace_says_which_collection_a_page_shows() -> None:
    html = 'Static.SQUARESPACE_CONTEXT = {"collection":{"title":"J","id":"1","fullUrl":"/journal","type":1}};'
    assert feeds_of_page("https://own.example/", html=html) == ["https://own.example/journal?format=rss"]


@pytest.mark.parametrize(("path", "name"), [("/", "/"), ("/about", "/about"), ("/", "/home")])
def test_a_page_of_blocks_has_no_items_but_links_the_blogs(path: str, name: str) -> None:
    html = (
        SQUARESPACE
        + f'{{"collection":{{"title":"P","id":"1","fullUrl":"{name}","type":10,"permissionType":1}}}}'
        + '<a href="/about">A</a><a href="/journal">J</a>'
    )

    assert feeds_of_page(f"https://own.example{path}", html=html) == ["https://own.example/journal?format=rss"]
    assert feeds_of_page(f"https://own.example{path}?format=rss", html=html) == []


@pytest.mark.parametrize("service", ["support", "forum", "account"])
def test_squarespaces_services_are_not_sites_of_customers(service: str) -> None:
    assert platform_leads(f"https://{service}.squarespace.com/hc") == []


def test_the_home_page_of_squarespace_leads_to_the_blogs_that_it_links() -> None:
    html = (
        SQUARESPACE + '<a href="/about">A</a><a href="/our-blog">B</a><a href=/news>N</a><a href="/blog/a-post">P</a>'
    )
    assert feeds_of_page("https://own.example/", html=html) == [
        "https://own.example/our-blog?format=rss",
        "https://own.example/news?format=rss",
    ]
