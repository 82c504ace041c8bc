from __future__ import annotations

import pytest

from feedward.discovery.page import Page
from feedward.discovery.platforms.index import page_platform_leads, platform_leads

SHOPIFY = "<script>Shopify.theme = {}</script>"


def feeds_of_page(url: str, html: str) -> list[str]:
    return [lead.url for lead in page_platform_leads(url, Page(url=url, base_url=url, html=html))]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/", ["/blogs/news.atom"]),
        ("/products/x", ["/blogs/news.atom"]),
        ("/blogs/journal", ["/blogs/journal.atom"]),
        ("/blogs/journal/a-post?x=1", ["/blogs/journal.atom"]),
        ("/blogs/journal/tagged/a%20b", ["/blogs/journal/tagged/a%20b.atom", "/blogs/journal.atom"]),
        ("/en-us/blogs/journal", ["/en-us/blogs/journal.atom"]),
        ("/collections/all/products/x", ["/collections/all.atom", "/blogs/news.atom"]),
        ("/blogs/journal.atom", []),
        ("/collections/all.atom", []),
    ],
)
def test_a_shop_has_a_feed_for_each_blog_and_collection(path: str, expected: list[str]) -> None:
    found = [lead.url for lead in platform_leads(f"https://shop.myshopify.com{path}")]
    own = feeds_of_page(f"http://shop.example{path}", SHOPIFY)
    assert {feed.partition(".com")[2] for feed in found} >= set(expected)
    assert [feed.partition(".com")[2] for feed in found[: len(expected)]] == expected
    assert own == [feed.replace("https://shop.myshopify.com", "http://shop.example") for feed in found]
    assert bool(found) is bool(expected)


def test_a_shops_page_names_its_blogs() -> None:
    html = (
        SHOPIFY
        + '<a href="/blogs/journal">J</a><a href="https://shop.example/blogs/recipes/x">R</a>'
        + '<a href="https://other.example/blogs/theirs">T</a>'
    )
    assert feeds_of_page("https://shop.example/", html) == [
        "https://shop.example/blogs/journal.atom",
        "https://shop.example/blogs/recipes.atom",
    ]


def test_an_image_from_shopify_does_not_make_a_shop() -> None:
    assert feeds_of_page("https://own.example/", '<img src="https://cdn.shopify.com/x.png">') == []
