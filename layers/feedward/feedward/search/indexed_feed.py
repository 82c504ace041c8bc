"""A feed as the indexer reads it, and its change to send (rule Q15). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256

from feedward.health.directory_feed import DirectoryFeed
from feedward.health.recent_items import RecentItem
from feedward.search.document import NO_SITE, DocumentChange, FeedDocument, SiteTexts, document_of, is_found_by_search

GONE_DIGEST = "gone"
# The version of a feed whose row was deleted manually. No version of a row comes near it.
DELETED_VERSION = 2**53


@dataclass(frozen=True, slots=True)
class Noted:
    """The last sent state of a feed: the digest of its document, and the version under which it was sent."""

    digest: str
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedFeed:
    """The current state of a feed in the tables. `feed` is None for a merged, a deleted and an unreadable feed.

    `version` grows with each write of its rows. `noted` is the last sent state. `is_unreadable`: its row is invalid, so
    its last sent document stays.
    """

    feed_id: str
    version: int
    feed: DirectoryFeed | None
    items: Sequence[RecentItem] = ()
    site: SiteTexts = NO_SITE
    noted: Noted | None = None
    is_unreadable: bool = False

    def change(self, now: int) -> tuple[DocumentChange, Noted]:
        """Return the change to send for the feed at the time `now`, and the state to note once it was sent.

        A document that differs from the last one has a higher version, whatever the rows contain: the time, its site or
        a restored row may have changed it.
        """
        document = self._document(now)
        digest = digest_of(document)
        version = max(self.version, self.noted.version + (digest != self.noted.digest)) if self.noted else self.version
        if document is not None:
            document = replace(document, version=version)
        return DocumentChange(self.feed_id, version, document), Noted(digest, version)

    def is_news(self, noted: Noted) -> bool:
        """Return whether this document differs from the last sent one."""
        return self.noted is None or self.noted.digest != noted.digest

    def _document(self, now: int) -> FeedDocument | None:
        feed = self.feed
        if feed is None or not is_found_by_search(feed):
            return None
        return document_of(feed, self.items, site=self.site, version=self.version, now=now)


def digest_of(document: FeedDocument | None) -> str:
    """Return a digest of the searchable content of a document, which does not depend on its version."""
    if document is None:
        return GONE_DIGEST
    said = asdict(document) | {"version": 0}
    if not document.is_never_fetched:  # so that most digests are those of documents that were sent without this field
        del said["is_never_fetched"]
    return sha256(repr(sorted(said.items())).encode("utf-8", "surrogatepass")).hexdigest()[:32]
