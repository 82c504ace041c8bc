"""Leads and candidates: a lead is a URL that may be a feed; a candidate is its result, with an explained score.

Pure data (rules D1, D5).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from feedward.model import Feed, FeedFormat, FetchResult, Item, Outcome


class DiscoveredFrom(StrEnum):
    """The origin of a candidate, in the terms of rule D5."""

    HTML = "html"
    HEADERS = "headers"
    GUESS = "guess"
    PLATFORM = "platform"
    EXTERNAL = "external"
    DIRECT = "direct"


class Source(StrEnum):
    """The origin of a candidate, in the detail that the score needs."""

    DIRECT = "direct"
    LINK = "link"
    LINK_HEADER = "link_header"
    LINK_GENERIC = "link_generic"
    """An alternate with the generic type JSON or XML."""
    REL_FEED = "rel_feed"
    PLATFORM = "platform"
    ANCHOR = "anchor"
    """An anchor whose path says feed."""
    WEAK_ANCHOR = "weak_anchor"
    """An anchor where only the surrounding words say feed."""
    PAGE_DATA = "page_data"
    """Named in the data of the page's scripts, where no link element advertises a feed."""
    SECOND_HOP_LINK = "second_hop_link"
    """Advertised by the page that an anchor led to, or by the site's root."""
    SECOND_HOP = "second_hop"
    """Linked from the page that an anchor led to."""
    GUESS_DIRECTORY = "guess_directory"
    GUESS_ROOT = "guess_root"
    RSSHUB = "rsshub"

    @property
    def discovered_from(self) -> DiscoveredFrom:
        """The term of rule D5 for this source."""
        return _WORDS[self]


_WORDS: Mapping[Source, DiscoveredFrom] = {
    Source.DIRECT: DiscoveredFrom.DIRECT,
    Source.LINK: DiscoveredFrom.HTML,
    Source.LINK_HEADER: DiscoveredFrom.HEADERS,
    Source.LINK_GENERIC: DiscoveredFrom.HTML,
    Source.REL_FEED: DiscoveredFrom.HTML,
    Source.PLATFORM: DiscoveredFrom.PLATFORM,
    Source.ANCHOR: DiscoveredFrom.HTML,
    Source.WEAK_ANCHOR: DiscoveredFrom.HTML,
    Source.PAGE_DATA: DiscoveredFrom.HTML,
    Source.SECOND_HOP_LINK: DiscoveredFrom.HTML,
    Source.SECOND_HOP: DiscoveredFrom.HTML,
    Source.GUESS_DIRECTORY: DiscoveredFrom.GUESS,
    Source.GUESS_ROOT: DiscoveredFrom.GUESS,
    Source.RSSHUB: DiscoveredFrom.EXTERNAL,
}


class Kind(StrEnum):
    """The part of a site that a feed covers."""

    MAIN = "main"
    CATEGORY = "category"
    TAG = "tag"
    AUTHOR = "author"
    TOPIC = "topic"
    SECTION = "section"
    COMMENTS = "comments"
    SEARCH = "search"
    PODCAST = "podcast"


class ValidationStatus(StrEnum):
    """The result of trying a candidate."""

    VALID = "valid"
    INVALID = "invalid"
    UNTESTED = "untested"
    """It was not needed, or the budget or the time was used up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lead:
    """A URL that may be a feed, and its source. `url` is fetchable: absolute, http(s), without fragment.

    `position` is its index among the leads of the same source, from 0. `title` and `language` come from the source (a
    link's title and hreflang), `kind` from a platform rule. `why` is for people: `link rel=alternate`, `anchor text
    "RSS"`, `github: releases`. `page_url` is the page where it was found.
    """

    url: str
    source: Source
    position: int = 0
    title: str | None = None
    language: str | None = None
    kind: Kind | None = None
    why: str = ""
    page_url: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A candidate, tried or not, with its score and the parts of the score.

    `leads` are all leads to it, best source first. `final_url` is its landing URL, `aliases` are the other URLs that
    led to the same feed in this run. `outcome` and `detail` describe the fetch and why it is not a feed. Texts are
    those of the feed. `items` is a sample of at most 3. `newest_item_at` is in epoch seconds.
    """

    url: str
    leads: tuple[Lead, ...]
    status: ValidationStatus
    kind: Kind = Kind.MAIN
    score: int = 0
    parts: Mapping[str, int] = field(default_factory=dict)
    is_canonical: bool = False
    final_url: str | None = None
    aliases: tuple[str, ...] = ()
    outcome: Outcome | None = None
    http_status: int | None = None
    detail: str = ""
    format: FeedFormat | None = None
    title: str | None = None
    description: str | None = None
    site_url: str | None = None
    language: str | None = None
    item_count: int = 0
    items: tuple[Item, ...] = ()
    newest_item_at: int | None = None
    fetch: FetchResult | None = field(default=None, repr=False, compare=False)
    feed: Feed | None = field(default=None, repr=False, compare=False)

    @property
    def source(self) -> Source:
        """The best source of its leads."""
        return self.leads[0].source

    @property
    def discovered_from(self) -> tuple[DiscoveredFrom, ...]:
        """The terms of rule D5 for all its sources, best first, without duplicates."""
        return tuple(dict.fromkeys(lead.source.discovered_from for lead in self.leads))
