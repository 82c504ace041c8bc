"""What the search index knows about a feed, and a change of it. Pure data."""

from __future__ import annotations

from dataclasses import dataclass

from feedward.model import FeedState


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedDocument:
    """A shared feed as it is indexed.

    `version` is the `rev` of the feed that the document was made from: of two documents of a feed the higher counts.
    `domain` is the host of the site, else of the URL. `language` is the site's where the feed is silent. `topics` are
    approved. `item_titles` are the last ones, newest first, at most 10.
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


@dataclass(frozen=True, slots=True)
class DocumentChange:
    """A new document of a feed, or None if the feed is no longer found: merged, private or deleted."""

    feed_id: str
    version: int
    document: FeedDocument | None
