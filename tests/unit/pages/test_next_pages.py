"""Which pages are worth a look where a page names no feed itself."""

from __future__ import annotations

import pytest

from feedward.discovery.page import read_page
from tests.effort import costs_at_most

SITE = "https://example.com"


def next_paths(body: str) -> list[str]:
    page = read_page(f"<!doctype html><html><body>{body}</body></html>".encode(), url=f"{SITE}/", headers={})
    return [url.removeprefix(SITE) for url in page.next_urls]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('<a href="/blog">x</a>', ["/blog"]),
        ('<a href="/en/Blog/">x</a>', ["/en/Blog/"]),
        ('<a href="/blog.html#top">x</a>', ["/blog.html"]),
        ('<a href="/x"> News </a>', ["/x"]),
        ('<a href="/aktuelles/">x</a>', ["/aktuelles/"]),
        ('<a href="/notes/">x</a>', ["/notes/"]),
        ('<a href="https://blog.example.com">x</a>', ["https://blog.example.com/"]),
        ('<a href="/news">x</a><a href="/blog">x</a>', ["/blog", "/news"]),
        ('<a href="/news">x</a><a href="/blog">x</a><a href="/journal">x</a>', ["/blog", "/journal"]),
        ('<a href="/blog/2026/hello">Hello</a>', []),
        ('<a href="/a/b/c/blog">x</a>', []),
        ('<a href="/newsletter">Newsletter</a>', []),
        ('<a href="https://blog.example.org/">Blog</a>', []),
        ('<a href="#blog">Blog</a><a href="/">Blog</a><a href="javascript:blog">Blog</a>', []),
        ('<a href="http://[bad">Blog</a><a href="/blog">x</a>', ["/blog"]),
        ('<a rel="feed" type="text/html" href="/all">x</a>', ["/all"]),
        ('<link rel="feed" href="/all">', []),
    ],
)
def test_blog_and_news_of_the_site_are_next(body: str, expected: list[str]) -> None:
    assert next_paths(body) == expected


def test_frames_come_first_and_three_pages_are_enough() -> None:
    frames = "".join(f'<frame name="f{n}" src="/{n}.html">' for n in range(5))
    page = read_page(f'<frameset cols="1,*">{frames}</frameset>'.encode(), url=f"{SITE}/", headers={})
    assert page.next_urls == (f"{SITE}/0.html", f"{SITE}/1.html", f"{SITE}/2.html")
    assert page.refresh_url is None


def test_only_frame_is_where_the_page_leads() -> None:
    html = (
        b'<html><head><title>x</title></head><frameset rows="100%,*"><frame src="http://example.org/~jo/"></frameset>'
    )
    assert read_page(html, url=f"{SITE}/", headers={}).refresh_url == "http://example.org/~jo/"


def test_sixty_thousand_links_to_the_blog_take_a_moment() -> None:
    body = "".join(f'<a href="/blog?{n}">Blog</a>' for n in range(60_000))
    found: list[str] = []

    assert costs_at_most(2, lambda: found.extend(next_paths(body)))
    assert len(found) == 2
