"""Software and services that run sites on their own domains and are named in each page: Ghost, Squarespace."""

from __future__ import annotations

import re
from collections.abc import Sequence

from feedward.discovery.candidate import Kind
from feedward.discovery.page import Page
from feedward.discovery.platforms.rule import Platform, Proposal
from feedward.discovery.url_patterns import account_label, names, origin_of, query_value, segments
from feedward.urls.parse import Url, parse_http_url

# --- Ghost

_GHOST_PAGES = {"tag": Kind.TAG, "author": Kind.AUTHOR}
# The scripts of memberships name their site, with the path where it is installed.
_GHOST_SITE = re.compile(r"""\bdata-ghost=["']([^"'\s]{1,500})["']""").search


def _ghost(url: Url) -> Sequence[Proposal]:
    return _ghost_at(origin_of(url), segments(url))


def _ghost_page(url: Url, page: Page) -> Sequence[Proposal]:
    base = _ghost_base(url, page)
    return _ghost_at("/".join([origin_of(url), *base]), segments(url)[len(base) :])


def _ghost_base(url: Url, page: Page) -> list[str]:
    """Return the path where the site is installed: from its scripts, else the part before /tag/ and /author/."""
    path = segments(url)
    found = _GHOST_SITE(page.html)
    site = parse_http_url(found[1]) if found else None
    if site is not None and site.host == url.host and path[: len(segments(site))] == segments(site):
        return segments(site)
    if len(path) == 3 and path[1] in _GHOST_PAGES:
        return path[:1]
    return []


def _ghost_at(root: str, path: list[str]) -> Sequence[Proposal]:
    if path and path[-1] == "rss":
        return ()
    posts = Proposal(url=f"{root}/rss/", what="posts")
    if len(path) > 1 and path[0] in _GHOST_PAGES:
        return (Proposal(url=f"{root}/{path[0]}/{path[1]}/rss/", kind=_GHOST_PAGES[path[0]], what=path[0]), posts)
    return (posts,)


# --- Squarespace

# The collection of the page, from the page's own script: {"collection":{..."fullUrl":"/blog"...
# "type" is the type of the collection.
_COLLECTION = re.compile(
    r'"collection"\s?:\s?\{[^{}]{0,2000}?"fullUrl"\s?:\s?"(/[^"\\\s]{0,300})"(?:[^{}]{0,300}?"type"\s?:\s?([0-9]{1,4})\b)?'
).search
_PAGE_OF_BLOCKS = "10"
_BLOG_ANCHOR = re.compile(
    r"""\bhref=["']?(/(?:[a-z0-9-]{0,20}-)?(?:articles|blog|essays|journal|news|posts|stories|writing))(?=["'\s>])"""
).finditer
_SQUARESPACE_NO_BLOGS = names("api cart checkout commerce config login search s static universal")
_SQUARESPACE_SERVICES = names(
    "account assets circle developers engineering experts forum images investors login newsroom static static1 status "
    "support www"
)
_SELECTIONS = {"category": Kind.CATEGORY, "tag": Kind.TAG, "author": Kind.AUTHOR}


def _squarespace(url: Url) -> Sequence[Proposal]:
    return () if account_label(url, "squarespace.com") in _SQUARESPACE_SERVICES else _squarespace_at(url, None)


def _squarespace_page(url: Url, page: Page) -> Sequence[Proposal]:
    """Propose the feed of the page's collection of items; for a page of blocks only, those of the blogs it links."""
    if query_value(url, "format"):
        return ()
    found = _COLLECTION(page.html)
    own = _squarespace_at(url, found[1] if found else None)
    if found is not None and found[2] != _PAGE_OF_BLOCKS:
        return own
    if found is None and segments(url):
        return (*own, *_squarespace_blogs(url, page))
    return _squarespace_blogs(url, page) or own


def _squarespace_blogs(url: Url, page: Page) -> Sequence[Proposal]:
    blogs = dict.fromkeys(anchor[1] for anchor in _BLOG_ANCHOR(page.html))
    return [Proposal(url=f"{origin_of(url)}{path}?format=rss", what="posts") for path in list(blogs)[:3]]


def _squarespace_at(url: Url, collection: str | None) -> Sequence[Proposal]:
    """Propose the feed of the page's collection: `collection` if that is known, else by the path."""
    path = segments(url)
    if query_value(url, "format") or (path and path[0] in _SQUARESPACE_NO_BLOGS):
        return ()
    place = collection or "/" + "/".join(path[:1])  # collections are at the root, and their items below them
    posts = Proposal(url=f"{origin_of(url)}{place}?format=rss", what="posts")
    return (*_squarespace_selection(url, path, place), posts)


def _squarespace_selection(url: Url, path: list[str], place: str) -> Sequence[Proposal]:
    """Propose the feed of a category, tag or author of the collection: /blog?category=X, /blog/category/X."""
    for name, kind in _SELECTIONS.items():
        value = query_value(url, name)
        if not value and len(path) == 3 and path[1] == name:
            value = path[2].replace("&", "%26")  # + is a blank here too
        if value:
            feed = f"{origin_of(url)}{place}?{name}={value}&format=rss"
            return (Proposal(url=feed, kind=kind, what=name),)
    return ()


def _is_squarespace(page: Page) -> bool:
    return "<!-- This is Squarespace. -->" in page.html or "Static.SQUARESPACE_CONTEXT" in page.html


RULES: tuple[Platform, ...] = (
    Platform(name="ghost", hosts=(".ghost.io",), feeds=_ghost),
    Platform(name="ghost", page_feeds=_ghost_page, generators=("ghost",)),
    Platform(name="squarespace", hosts=(".squarespace.com",), feeds=_squarespace, page_feeds=_squarespace_page),
    Platform(name="squarespace", page_feeds=_squarespace_page, generators=("squarespace",), recognizes=_is_squarespace),
)
