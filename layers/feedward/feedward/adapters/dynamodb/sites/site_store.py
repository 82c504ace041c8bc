"""Sites, candidates and jobs: ports.SiteStore over SitesTable (rule R13).

A job is JOB#ulid under its site, with a pending mark while it is open (rule I7).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from feedward.adapters.dynamodb.sites import canonical_choices
from feedward.adapters.dynamodb.sites.canonical_choices import repoint_choice
from feedward.adapters.dynamodb.sites.site_items import candidate_item, read_candidate, read_site, site_item
from feedward.adapters.dynamodb.store.codec import Item, text
from feedward.adapters.dynamodb.store.keys import CANDIDATE_PREFIX, job_key, site_key
from feedward.adapters.dynamodb.store.tables import Tables, TableStore
from feedward.adapters.dynamodb.store.transaction import Condition, Transaction, absent, either, equals
from feedward.discovery.candidate import Kind
from feedward.discovery.site import Job, JobStatus, SiteCandidate, StoredSite
from feedward.discovery.site_update import in_order
from feedward.scheduling.shards import pending_shard
from feedward.ulid import new_ulid

if TYPE_CHECKING:
    from feedward.health.directory_feed import DirectoryFeed

# Candidates in a transaction with SITE. Its limits are 100 items and 4 MB; a candidate with URLs of the full length
# takes some 60 KB.
CANDIDATES_AT_ONCE: Final = 60
_MORE_READS: Final = 2
_FEEDS_OF_DOMAIN: Final = 100

MARK: Final = ("pending_shard", "pending_since")
_OPEN: Final = (JobStatus.PENDING, JobStatus.RUNNING)
_FIELDS: Final = tuple(field.name for field in fields(Job))
_ENUMS: Final[dict[str, Any]] = {"status": JobStatus, "intent": Kind}
_REASON_CHARS: Final = 500


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
        canonical_choices.mark_choice(self._tables, feed_id, site_id, score)

    def found_at(self, feed_id: str, *, site_id: str) -> None:
        """Store in a feed's META the site that it belongs to, if there is none yet."""
        canonical_choices.note_site(self._tables, feed_id, site_id)

    def touch_feeds(self, feed_ids: Collection[str], *, site_id: str) -> None:
        """Count a write of the feeds that belong to the site, after its texts changed."""
        canonical_choices.touch_feeds(self._tables, feed_ids, site_id)

    def feeds_of_domain(self, domain: str, *, scope: str) -> Iterable[DirectoryFeed]:
        """Return some feeds of a registrable domain."""
        # Only the first search of a page needs it, so the cold start does not load it.
        from feedward.adapters.dynamodb.feeds.feed_reader import DynamoFeedReader  # noqa: PLC0415
        from feedward.health.directory_feed import FeedQuery  # noqa: PLC0415

        listed = DynamoFeedReader(self._tables).listed(FeedQuery(domain=domain), tenant_id=scope or None)
        return [each.feed for each in islice(listed, _FEEDS_OF_DOMAIN) if each.feed]

    def repoint(self, feed_id: str, *, now: int) -> bool:  # noqa: ARG002 - the port's: nothing lags here
        """Re-point the site of a merged feed to the surviving feed (ports.PendingMerges)."""
        return repoint_choice(self._tables, feed_id)

    def open_job(self, job: Job) -> None:
        """Write a new job. A stored job with this id is kept: it is from an earlier attempt of this call."""
        transaction = Transaction()
        transaction.put(self._tables.names.sites, _job_item(job), absent("site_hash"))
        self._tables.transact(transaction)

    def job(self, job_id: str) -> Job | None:
        """Return the job. None if it is unknown or the id is invalid."""
        tables = self._tables
        item = tables.get(tables.names.sites, job_key(job_id)) if _may_be_id(job_id) else None
        return _job(item) if item else None

    def take_job(self, job_id: str, *, now: int) -> Job | None:
        """Mark an open job as running, count the attempt and return it. None if it has ended or is unknown."""
        job = self.job(job_id)
        if job is None or job.status not in _OPEN:
            return None
        taken = replace(job, status=JobStatus.RUNNING, attempts=job.attempts + 1, updated_at=now)
        transaction = Transaction()
        transaction.update(
            self._tables.names.sites,
            job_key(job_id),
            _is_open(),
            # Each attempt has a new id: two attempts in one second are two writes.
            assign={"status": taken.status.value, "updated_at": now, "pending_since": now, "taking": new_ulid(now)},
            increment=("attempts",),
        )
        return None if self._tables.transact(transaction) else taken

    def end_job(self, job_id: str, *, status: JobStatus, now: int, reason: str | None = None) -> bool:
        """Mark an open job as ended and delete its pending mark. Returns False if it has ended or is unknown."""
        if not _may_be_id(job_id):
            return False
        transaction = Transaction()
        ended = {"status": status.value, "updated_at": now}
        cut = text(reason, _REASON_CHARS)
        transaction.update(
            self._tables.names.sites,
            job_key(job_id),
            _is_open(),
            assign=ended | ({"reason": cut} if cut else {}),
            remove=MARK,
        )
        return not self._tables.transact(transaction)


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


def _may_be_id(job_id: str) -> bool:
    site_id, _, ulid = job_id.partition(".")
    return bool(site_id and ulid)


def _is_open() -> Condition:
    return either(*(equals("status", status.value) for status in _OPEN))


def _job_item(job: Job) -> Item:
    _, _, ulid = job.job_id.partition(".")
    mark = {"pending_shard": pending_shard("job", ulid), "pending_since": job.created_at}
    return {**job_key(job.job_id), **{name: getattr(job, name) for name in _FIELDS}, **mark}


def _job(item: Item) -> Job:
    return Job(**{name: _ENUMS.get(name, _as_it_is)(item[name]) for name in _FIELDS if name in item})


def _as_it_is(value: Any) -> Any:
    return value
