"""A feed as the indexer reads it, and what is sent of it (rule Q15). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256

from feedward.health.directory_feed import DirectoryFeed
from feedward.health.recent import RecentItem
from feedward.search.document import DocumentChange, FeedDocument
from feedward.search.document_of import NO_SITE, SiteTexts, document_of, is_found_by_search

GONE_DIGEST = "gone"
# Of a feed whose row was deleted by hand. No version of a row comes near it.
DELETED_VERSION = 2**53


@dataclass(frozen=True, slots=True)
class Noted:
    """What was last sent of a feed: the digest of its document, and the version under which it was sent."""

    digest: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedFeed:
    """What the tables say about a feed now. `feed` is None for a tombstone, a deleted and an unreadable feed.

    `version` grows with every write of its rows. `noted` is what was last sent. `is_unreadable`: its row is invalid, so
    that what was sent before stays.
    """

    feed_id: str
    version: int
    feed: DirectoryFeed | None
    items: Sequence[RecentItem] = ()
    site: SiteTexts = NO_SITE
    noted: Noted | None = None
    is_unreadable: bool = False

    def change(self, now: int) -> tuple[DocumentChange, Noted]:
        """Return what is to be found of the feed at the time `now`, and what is to be noted once that was sent.

        A document that differs from the last one has a higher version, whatever the rows say: the time, its site or a
        restored row may have changed it.
        """
        document = self._document(now)
        digest = digest_of(document)
        version = max(self.version, self.noted.version + (digest != self.noted.digest)) if self.noted else self.version
        if document is not None:
            document = replace(document, version=version)
        return DocumentChange(self.feed_id, version, document), Noted(digest, version)

    def is_news(self, noted: Noted) -> bool:
        """Return whether this is another document than the one that was last sent."""
        return self.noted is None or self.noted.digest != noted.digest

    def _document(self, now: int) -> FeedDocument | None:
        feed = self.feed
        if feed is None or not is_found_by_search(feed):
            return None
        return document_of(feed, self.items, site=self.site, version=self.version, now=now)


def digest_of(document: FeedDocument | None) -> str:
    """Return a digest of what searches see of a document: equal for equal ones, whatever their version."""
    if document is None:
        return GONE_DIGEST
    said = asdict(document) | {"version": 0}
    return sha256(repr(sorted(said.items())).encode("utf-8", "surrogatepass")).hexdigest()[:32]
