"""A blog to discover, fast or slow, and questions of a test about a directory afterwards."""

from __future__ import annotations

from typing import Any

from feedward.urls.key import url_hash
from tests.fakes.directory import NOW, FakeDirectory
from tests.unit.canonical.documents import atom

HOME = "https://blog.example.com/"
FEED = "https://blog.example.com/posts.xml"  # no path that a discovery guesses
COMMENTS = "https://blog.example.com/comments.xml"
SITE_ID = url_hash(HOME)
HTML = {"Content-Type": "text/html; charset=utf-8"}
SLOW_S = 6.0


def page(*links: str, **members: Any) -> dict[str, Any]:
    tags = "".join(f'<link rel="alternate" type="application/atom+xml" href="{link}">' for link in links)
    return {"body": f"<!doctype html><title>A Blog</title>{tags}<p>Hello", "headers": HTML, **members}


def document(url: str = FEED, **members: Any) -> dict[str, Any]:
    body = atom(self_url=url, items=("1", "2", "3")).replace("<id>urn:f</id>", f'<id>urn:f</id><link href="{HOME}"/>')
    return {"body": body, "headers": {"Content-Type": "application/atom+xml"}, **members}


def site(**members: Any) -> dict[str, Any]:
    """A home page that advertises one feed."""
    return {HOME: page("/posts.xml", **members), FEED: document()}


def slow_site() -> FakeDirectory:
    """Only the home page is slow: the threads of a wave share the clock, so a slow guess would cut others by chance."""
    return FakeDirectory(site(delay_s=SLOW_S))


def requested(directory: FakeDirectory) -> int:
    return len(directory.internet.requests)


def detail(url: str = "blog.example.com") -> dict[str, Any]:
    return {
        "version": 1,
        "id": "01K00000000000000000000000",
        "occurred_at": NOW,
        "tenant_id": None,
        "subscription_id": "01K00000000000000000000001",
        "url": url,
    }


def meta_of(directory: FakeDirectory, feed_id: str | None) -> dict[str, Any]:
    (meta,) = directory.contents.under(feed_id or "", "META")
    return {name: meta.get(name) for name in ("site_id", "is_canonical", "canonical_score")}
