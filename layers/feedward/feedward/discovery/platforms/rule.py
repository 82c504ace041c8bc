"""A platform rule: data plus small pure functions, many of them tables of paths and their feeds.

A rule only proposes; the feed is validated (rule D1). Each family of platforms has a file with its rules;
`platforms/index.py` lists them all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from feedward.discovery.candidate import Kind
from feedward.discovery.page import Page
from feedward.discovery.url_patterns import fill, find
from feedward.urls.parse import Url


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A feed URL that a platform has for a URL. `what` names it for people: `releases`, `uploads`, `posts`.

    `kind` is relative to the URL: a profile's or a listing's feed is its MAIN feed; feeds of tags and topics differ.
    """

    url: str
    kind: Kind = Kind.MAIN
    what: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookup:
    """A document of a platform's own API that names the feed: its URL, and the function that reads the feed's URL."""

    url: str
    read: Callable[[bytes], Sequence[Proposal]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Platform:
    """One platform. `hosts` are hosts without www; a host that begins with a dot stands for all its subdomains.

    `feeds` proposes by the URL alone, best first; `page_feeds` by the page, on these hosts, or on any host if
    `generators` (lower-case prefixes of a page's generator) or `recognizes` match. `lookup` names an API document.
    """

    name: str
    hosts: tuple[str, ...] = ()
    feeds: Callable[[Url], Sequence[Proposal]] | None = None
    page_feeds: Callable[[Url, Page], Sequence[Proposal]] | None = None
    generators: tuple[str, ...] = ()
    recognizes: Callable[[Page], bool] | None = None
    lookup: Callable[[Url], Lookup | None] | None = None


# The URL of a feed, for which there is nothing to propose.
_DOCUMENT = re.compile(r"\.(?:rss|atom|xml|rdf|gne)/?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PathFeeds:
    """A pattern (see discovery/url_patterns.py) and its feeds, best first; their URLs are templates."""

    pattern: str
    feeds: tuple[Proposal, ...]


def at(pattern: str, *feeds: Proposal) -> PathFeeds:
    """Return the entry of `pattern` with its `feeds`; without feeds, the pages of `pattern` have none."""
    return PathFeeds(pattern, feeds)


def by_path(*table: PathFeeds, reserved: frozenset[str] = frozenset()) -> Callable[[Url], Sequence[Proposal]]:
    """Return a rule's `feeds`: the first pattern that matches decides. `reserved` as in `find`.

    A template that begins with `/` is a path at the URL's own origin.
    """

    def feeds(url: Url) -> Sequence[Proposal]:
        if _DOCUMENT.search(url.pathname):
            return ()
        for row in table:
            found = find(row.pattern, url, reserved)
            if found is not None:
                return tuple(replace(feed, url=_absolute(fill(feed.url, found), url)) for feed in row.feeds)
        return ()

    return feeds


def _absolute(feed_url: str, url: Url) -> str:
    return url.origin + feed_url if feed_url.startswith("/") else feed_url
