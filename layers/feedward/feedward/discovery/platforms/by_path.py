"""Platform rules that are nothing but a table: which path has which feeds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from feedward.discovery.path_patterns import fill, find
from feedward.discovery.platforms.rule import Proposal
from feedward.urls.parse import Url

# The address of a feed: there is nothing to propose for it.
_DOCUMENT = re.compile(r"\.(?:rss|atom|xml|rdf|gne)/?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class PathFeeds:
    """A pattern (see discovery/path_patterns.py) and the feeds it has, best first; their URLs are templates."""

    pattern: str
    feeds: tuple[Proposal, ...]


def at(pattern: str, *feeds: Proposal) -> PathFeeds:
    """`feeds` are what `pattern` has; with none of them, the pages of `pattern` have no feed."""
    return PathFeeds(pattern, feeds)


def by_path(*table: PathFeeds, reserved: frozenset[str] = frozenset()) -> Callable[[Url], Sequence[Proposal]]:
    """Return a rule's `feeds`: the first pattern that is met decides. `reserved` as in `find`.

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
