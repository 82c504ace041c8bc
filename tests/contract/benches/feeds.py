"""Feeds to register, for the contract suite: one line each."""

from __future__ import annotations

from typing import Any

from feedward.model import FeedFormat, Validators
from feedward.registration import NewFeed
from feedward.ulid import derived_ulid

NOW = 1_790_000_000


def feed_id(name: str, now: int = NOW) -> str:
    """Return the ULID of this name; a later `now` makes a larger id."""
    return derived_ulid(now, name)


def new_feed(name: str, url: str, *aliases: str, now: int = NOW, **members: Any) -> NewFeed:
    """Return a feed to register, with all data of the first document."""
    given: dict[str, Any] = {
        "title": "Example",
        "description": "News of examples",
        "site_url": "https://example.com/",
        "language": "en-gb",
        "hub_urls": ("https://hub.example.com/",),
        "format": FeedFormat.ATOM,
        "http_status": 200,
        "validators": Validators(etag='W/"abc"', last_modified="Thu, 01 Oct 2026 10:00:00 GMT"),
        "content_hash": "ab" * 32,
        "latest_item_published_at": NOW - 3600,
    }
    return NewFeed(feed_id=feed_id(name, now), url=url, aliases=aliases, now=now, **given | members)
