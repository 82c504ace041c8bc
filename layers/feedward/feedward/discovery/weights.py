"""The points of the score, as data (rule D9). Their order of importance is argued there.

A main feed that was found in any way outranks an advertised feed of a part or of comments; no feed of another site
outranks one of the site's own parts.
"""

from __future__ import annotations

from collections.abc import Mapping

from feedward.discovery.candidate import Kind, Source
from feedward.model import FeedFormat

SOURCE: Mapping[Source, int] = {
    Source.DIRECT: 1000,
    Source.LINK: 600,
    Source.LINK_HEADER: 600,
    Source.LINK_GENERIC: 580,
    Source.REL_FEED: 580,
    Source.PLATFORM: 550,
    Source.SECOND_HOP_LINK: 420,
    Source.ANCHOR: 400,
    Source.WEAK_ANCHOR: 320,
    Source.SECOND_HOP: 310,
    Source.GUESS_DIRECTORY: 300,
    Source.GUESS_ROOT: 290,
    Source.RSSHUB: 100,
}

KIND: Mapping[Kind, int] = {
    Kind.MAIN: 0,
    Kind.PODCAST: -50,
    Kind.CATEGORY: -300,
    Kind.TAG: -300,
    Kind.AUTHOR: -300,
    Kind.TOPIC: -300,
    Kind.SECTION: -300,
    Kind.SEARCH: -350,
    Kind.COMMENTS: -400,
}
REQUESTED = 150
"""Instead of KIND, for the part that was asked for."""
ONE_POST = -40
"""Beside KIND, for the comments of one post only."""

SITE_LINK_OWN = 40
SITE_LINK_IS_PAGE = 20
SITE_LINK_OTHER = -60
ANOTHER_SITE = -1500
"""For a feed whose site link and items are another site's: it is listed after all that may be chosen (rule D5)."""
ITEM_LINKS_OWN = 40
ITEM_LINKS_OTHER = -20
FEED_HOST = 20

DEPTH, DEPTH_AT_MOST = -10, -50
ORDER, ORDER_AT_MOST = -4, -20
PLATFORM_ORDER, PLATFORM_ORDER_AT_MOST = -40, -90
"""A rule lists the best first: that counts more than how deep a feed lies and what it links, and less than items."""

ITEMS_AT_MOST = 10
NO_ITEMS = -100
STALE = -120
STALE_AFTER_S = 365 * 86400

FORMAT: Mapping[FeedFormat, int] = {
    FeedFormat.RSS: 3,
    FeedFormat.ATOM: 3,
    FeedFormat.RDF: 1,
    FeedFormat.JSON_FEED: 0,
}
HTTPS = 5
LANGUAGE = -25
"""For a feed in another language than the page's: more than its place on the page can make up for."""

GUESSES = frozenset({Source.GUESS_DIRECTORY, Source.GUESS_ROOT, Source.DIRECT})
"""Sources whose order says nothing."""
