"""Sites, candidates and jobs: ports.SiteStore over SitesTable (rule R13)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Final

from feedward.adapters.dynamodb.sites import choices, jobs
from feedward.adapters.dynamodb.sites.choices import repoint_choice
from feedward.adapters.dynamodb.sites.site_items import candidate_item, read_candidate, read_site, site_item
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import CANDIDATE_PREFIX, site_key
from feedward.adapters.dynamodb.store.tables import Tables, TableStore
from feedward.adapters.dynamodb.store.transaction import Condition, Transaction, absent, equals
from feedward.discovery.records import in_order
from feedward.discovery.site import Job, JobStatus, SiteCandidate, StoredSite

if TYPE_CHECKING:
    from feedward.health.directory_feed import DirectoryFeed

# Candidates in a transaction with SITE. Its limits are 100 items and 4 MB; a candidate with URLs of the full length
# takes some 60 KB.
CANDIDATES_AT_ONCE: Final = 60
_MORE_READS: Final = 2
_FEEDS_OF_DOMAIN: Final = 100


class DynamoSiteStore(TableStore):
    """ports.SiteStore. Thread-safe."""

    def site(self, site_id: str) -> StoredSite | None:
        """Return the site with the candidates of one revision, or None."""
        tables = self._tables
        item, rows = _read(tables, site_id)
        for _ in range(_MORE_READS):
            if item is None or _are_of_one_write(item, rows):
                break
            item, rows = _read(tables, site_id)
        return _stored_site(item, rows) if item else None

    def save(
        self,
        site: StoredSite,
        *,
        changed: Sequence[SiteCandidate],
        seen_rev: int,
    ) -> bool:
        """Write SITE and the changed candidates with optimistic locking on the site's rev.

        Candidates beyond the size of a transaction are written first, in batches under the same condition. SITE, which
        makes them visible, is written last, with the first of `changed`. If another writer intervenes, the caller
        decides and writes again.
        """
        tables = self._tables
        is_unchanged = equals("rev", seen_rev) if seen_rev else absent("site_hash")
        site_id, rev = site.site.site_id, seen_rev + 1
        last, *before = _parts(changed)
        for part in before:
            if tables.transact(_part(tables, site_id, part, rev, is_unchanged)):
                return False
        transaction = Transaction()
        transaction.put(tables.names.sites, site_item(site.site, rev), is_unchanged)
        _put(transaction, tables, site_id, last, rev)
        return not tables.transact(transaction)

    def mark_choice(self, feed_id: str, *, site_id: str, score: int | None) -> None:
        """Mark the feed in its META as the site's choice with this score, or unmark it (None)."""
        choices.mark_choice(self._tables, feed_id, site_id, score)

    def found_at(self, feed_id: str, *, site_id: str) -> None:
        """Store in a feed's META the site that it belongs to, if there is none yet."""
        choices.note_site(self._tables, feed_id, site_id)

    def feeds_of_domain(self, domain: str, *, scope: str) -> Iterable[DirectoryFeed]:
        """Return some feeds of a registrable domain."""
        # Only the first search of a page needs it, so the cold start does not load it.
        from feedward.adapters.dynamodb.feeds.reader import DynamoFeedReader  # noqa: PLC0415
        from feedward.health.directory_feed import FeedQuery  # noqa: PLC0415

        listed = DynamoFeedReader(self._tables).listed(FeedQuery(domain=domain), tenant_id=scope or None)
        return [each.feed for each in islice(listed, _FEEDS_OF_DOMAIN) if each.feed]

    def repoint(self, feed_id: str, *, now: int) -> bool:  # noqa: ARG002 - the port's: nothing lags here
        """Re-point the site of a merged feed to the surviving feed (ports.PendingMerges)."""
        return repoint_choice(self._tables, feed_id)

    def open_job(self, job: Job) -> None:
        """Write a pending job with its pending mark."""
        jobs.open_job(self._tables, job)

    def job(self, job_id: str) -> Job | None:
        """Return the job, or None."""
        return jobs.read_job(self._tables, job_id)

    def take_job(self, job_id: str, *, now: int) -> Job | None:
        """Mark an open job as running, count the attempt and return it. None if it has ended or is unknown."""
        return jobs.take_job(self._tables, job_id, now)

    def end_job(self, job_id: str, *, status: JobStatus, now: int, reason: str | None = None) -> bool:
        """Mark an open job as done or failed and delete its pending mark. Returns False if it has ended."""
        return jobs.end_job(self._tables, job_id, status, now, reason)


def _read(tables: Tables, site_id: str) -> tuple[Item | None, list[Item]]:
    """Return SITE and then its candidates. If these are of a later revision, optimistic locking refuses the write."""
    item = tables.get(tables.names.sites, site_key(site_id))
    if item is None:
        return None, []
    return item, list(tables.query(tables.names.sites, ("site_hash", site_id), prefix=("sk", CANDIDATE_PREFIX)))


def _stored_site(item: Item, rows: Sequence[Item]) -> StoredSite:
    return StoredSite(site=read_site(item), candidates=in_order(map(read_candidate, rows)))


def _are_of_one_write(site: Item, candidates: Sequence[Item]) -> bool:
    """Tell whether no candidate is newer than SITE. A writer that died half-way leaves such candidates behind."""
    return all(row["site_rev"] <= site["rev"] for row in candidates)


def _parts(changed: Sequence[SiteCandidate]) -> list[Sequence[SiteCandidate]]:
    starts = range(0, len(changed), CANDIDATES_AT_ONCE)
    return [changed[start : start + CANDIDATES_AT_ONCE] for start in starts] or [()]


def _part(
    tables: Tables, site_id: str, part: Sequence[SiteCandidate], rev: int, is_unchanged: Condition
) -> Transaction:
    transaction = Transaction()
    transaction.check(tables.names.sites, site_key(site_id), is_unchanged)
    _put(transaction, tables, site_id, part, rev)
    return transaction


def _put(transaction: Transaction, tables: Tables, site_id: str, part: Sequence[SiteCandidate], rev: int) -> None:
    for candidate in part:
        transaction.put(tables.names.sites, candidate_item(site_id, candidate, rev))
