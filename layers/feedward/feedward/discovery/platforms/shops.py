"""Shops on Shopify: a feed for each blog and each collection, on myshopify.com and, by the page, on any domain."""

from __future__ import annotations

import re
from collections.abc import Sequence

from feedward.discovery.candidate import Kind
from feedward.discovery.page import Page
from feedward.discovery.platforms.rule import Platform, Proposal
from feedward.discovery.url_patterns import has_ending, origin_of, segments
from feedward.urls.parse import Url

_LOCALE = re.compile(r"[a-z]{2}(?:-[a-z]{2})?", re.IGNORECASE).fullmatch
_BLOG_ANCHOR = re.compile(
    r"""\bhref=["']?(?:https?://[^/"'\s]{1,255})?(/(?:[a-z-]{2,5}/)?blogs/[^/?#"'\s<>]{1,100})(?=["'\s>/?#])"""
).finditer
_MOST_BLOGS = 3


def _shopify(url: Url) -> Sequence[Proposal]:
    return _shopify_at(url, [])


def _shopify_page(url: Url, page: Page) -> Sequence[Proposal]:
    own = origin_of(url)
    blogs = dict.fromkeys(anchor[1] for anchor in _BLOG_ANCHOR(page.html) if _is_own(anchor[0], own))
    return _shopify_at(url, list(blogs)[:_MOST_BLOGS])


def _is_own(anchor: str, origin: str) -> bool:
    return "://" not in anchor or anchor.partition("://")[2].startswith(origin.partition("://")[2] + "/")


def _shopify_at(url: Url, blogs: list[str]) -> Sequence[Proposal]:
    """Propose the feed of the path, then those of the blogs that the page links, or that of the default blog."""
    path = segments(url)
    if path and has_ending(path[-1], ".atom"):
        return ()
    root = origin_of(url)
    locale = path[:1] if path and _LOCALE(path[0]) else []
    base = "/".join([root, *locale])
    asked = _shopify_asked(base, path[len(locale) :])
    if asked and path[len(locale)] == "blogs":
        return asked
    others = [Proposal(url=f"{root}{blog}.atom", what="blog") for blog in blogs]
    return (*asked, *(others or [Proposal(url=f"{base}/blogs/news.atom", what="blog")]))


def _shopify_asked(base: str, path: list[str]) -> Sequence[Proposal]:
    if len(path) < 2 or path[0] not in ("blogs", "collections"):
        return ()
    if path[0] == "collections":
        return (Proposal(url=f"{base}/collections/{path[1]}.atom", what="collection"),)
    blog = Proposal(url=f"{base}/blogs/{path[1]}.atom", what="blog")
    if path[2:3] == ["tagged"] and len(path) == 4:
        tag = f"{base}/blogs/{path[1]}/tagged/{path[3]}.atom"
        return (Proposal(url=tag, kind=Kind.TAG, what="tag"), blog)
    return (blog,)


def _is_shopify(page: Page) -> bool:
    html = page.html
    return "Shopify.theme" in html or "Shopify.shop" in html or ("cdn.shopify.com" in html and "shopify-" in html)


RULES: tuple[Platform, ...] = (
    Platform(name="shopify", hosts=(".myshopify.com",), feeds=_shopify, page_feeds=_shopify_page),
    Platform(name="shopify", page_feeds=_shopify_page, generators=("shopify",), recognizes=_is_shopify),
)
