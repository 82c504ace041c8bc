"""A parsed page with all the data that discovery needs (rule D2). `read_page` creates it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from feedward.discovery.candidate import Lead


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """An HTML page. All its URLs are resolved against `base_url` and fetchable; others were dropped.

    `links` are the advertised links (link elements, Link headers, a and area with rel) in document order; `anchors` are
    the feed-like anchors, best first. `advertises_itself`: a link says that the page's own URL is a feed.
    `refresh_url` is the target of an immediate meta refresh or of the only frame.
    `next_urls` are at most 3 other pages that may name its feeds: its frames, its site's blog or news.
    `meta` maps the lower-case name, property or itemprop of each meta element to its first content.
    `generator` is meta["generator"]. `html` is the text that was read (at most MAX_CHARS), for rules that search its
    scripts.
    """

    url: str
    base_url: str
    title: str | None = None
    language: str | None = None
    favicon: str | None = None
    generator: str | None = None
    canonical_url: str | None = None
    refresh_url: str | None = None
    hub_urls: tuple[str, ...] = ()
    links: tuple[Lead, ...] = ()
    advertises_itself: bool = False
    anchors: tuple[Lead, ...] = ()
    next_urls: tuple[str, ...] = ()
    meta: Mapping[str, str] = field(default_factory=dict, repr=False)
    html: str = field(default="", repr=False)
