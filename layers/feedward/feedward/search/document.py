"""The search document of a feed, and a change to it. Pure data."""

from __future__ import annotations

from dataclasses import dataclass

from feedward.model import FeedState


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedDocument:
    """A shared feed as indexed.

    `version` is the `rev` of the feed that the document was made from; the higher version of two documents counts.
    `domain` is the host of the site, else of the URL. `language` is the feed's, else the site's. `topics` are approved.
    `item_titles` are the last ones, newest first, at most 10. `is_never_fetched`: it has the texts of its seed only.
    """

    feed_id: str
    version: int
    url: str
    domain: str
    title: str = ""
    site_title: str = ""
    site_url: str = ""
    description: str = ""
    language: str = ""
    topics: tuple[str, ...] = ()
    item_titles: tuple[str, ...] = ()
    state: FeedState = FeedState.HEALTHY
    is_canonical: bool = False
    is_main: bool = True
    is_stale: bool = False
    is_never_fetched: bool = False


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A new document of a feed, or None if the feed is no longer searchable: merged, private or deleted."""

    feed_id: str
    version: int
    document: FeedDocument | None
