"""A feed as the indexer reads it, and what is sent of it (rule Q15). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256

from feedward.health.directory_feed import DirectoryFeed
from feedward.health.recent import RecentItem
from feedward.search.document import DocumentChange, FeedDocument
from feedward.search.document_of import NO_SITE, SiteTexts, document_of, is_found_by_search

GONE_DIGEST = "gone"
# Of a feed whose row was deleted by hand. No version of a row comes near it.
DELETED_VERSION = 2**53


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedFeed:
    """What the tables say about a feed now. `feed` is None for a tombstone, a deleted and an unreadable feed.

    `version` grows with every write of the feed that can change its document. `noted` is the digest of what was last
    sent. `is_unreadable`: its row is invalid, so that what was sent before stays.
    """

    feed_id: str
    version: int
    feed: DirectoryFeed | None
    items: Sequence[RecentItem] = ()
    site: SiteTexts = NO_SITE
    noted: str | None = None
    is_unreadable: bool = False

    def change(self, now: int) -> DocumentChange:
        """Return what is to be found of the feed at the time `now`: its document, or that it is found no more."""
        feed = self.feed
        if feed is None or not is_found_by_search(feed):
            return DocumentChange(self.feed_id, self.version, None)
        document = document_of(feed, self.items, site=self.site, version=self.version, now=now)
        return DocumentChange(self.feed_id, self.version, document)


def digest_of(document: FeedDocument | None) -> str:
    """Return a digest of what searches see of a document: equal for equal ones, whatever their version."""
    if document is None:
        return GONE_DIGEST
    said = asdict(document) | {"version": 0}
    return sha256(repr(sorted(said.items())).encode("utf-8", "surrogatepass")).hexdigest()[:32]
