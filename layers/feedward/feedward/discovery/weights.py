"""The points of the score, as data. Rule D9 explains their order of importance.

Any main feed outranks an advertised feed of a part or of comments. No feed of another site outranks a feed of the
site's own parts.
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
    Source.PAGE_DATA: 315,
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
"""Instead of KIND, for the requested part."""
ONE_POST = -40
"""In addition to KIND, for the comments of a single post."""

SITE_LINK_OWN = 40
SITE_LINK_IS_PAGE = 20
OF_TYPED_PAGE = 200
"""For a feed in the directory of the typed page, a blog's, whose site link is that page: more than an advertisement."""
SITE_LINK_OTHER = -60
ANOTHER_SITE = -1500
"""For a feed with another site's link and items: it is listed after all feeds that may be chosen (rule D5)."""
ITEM_LINKS_OWN = 40
ITEM_LINKS_OTHER = -20
FEED_HOST = 20

DEPTH, DEPTH_AT_MOST = -10, -50
ORDER, ORDER_AT_MOST = -4, -20
PLATFORM_ORDER, PLATFORM_ORDER_AT_MOST = -40, -90
"""A platform rule lists the best feed first: this counts more than depth and site link, and less than items."""

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
"""For a feed in another language than the page's: more than its position on the page can outweigh."""

GUESSES = frozenset({Source.GUESS_DIRECTORY, Source.GUESS_ROOT, Source.DIRECT})
"""Sources whose order has no meaning."""
