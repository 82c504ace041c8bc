"""A page, read once: everything that discovery wants to know of it (rule D2). `read_page` makes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from feedward.discovery.candidate import Lead


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """An HTML page. All URLs in it are resolved against `base_url` and fetchable; what is not was left out.

    `links` is what it advertises (link elements, Link headers, a and area with rel), in document order; `anchors` are
    its feed-like anchors, best first. `refresh_url` is where a meta refresh, or the only frame, leads at once.
    `next_urls` are pages that may name its feeds in its place: its frames, its site's blog or news; at most 3.
    `meta` maps the lower-case name, property or itemprop of each meta element to its content, the first of each.
    `generator` is meta["generator"]. `html` is the text that was read (at most MAX_CHARS), for rules that look for
    something in its scripts.
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
    anchors: tuple[Lead, ...] = ()
    next_urls: tuple[str, ...] = ()
    meta: Mapping[str, str] = field(default_factory=dict, repr=False)
    html: str = field(default="", repr=False)
