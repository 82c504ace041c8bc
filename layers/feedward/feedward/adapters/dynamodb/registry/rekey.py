"""Re-keys the registry to another key version: ports.RekeyStore over UrlsTable (rule C4).

For each row, the claims are written first, then the owners' hashes, then the mark on the old row with the counters. All
writes are idempotent, so the row of a killed worker is repeated. Old rows stay: old hashes still find their owner.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from feedward.adapters.dynamodb.registry.lookup import live_feed
from feedward.adapters.dynamodb.registry.rekey_job import (
    give_hash,
    job_key,
    read_duplicates,
    read_job,
    with_owners,
    write_duplicate,
    write_job,
)
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.errors import Refusal
from feedward.adapters.dynamodb.store.keys import url_key
from feedward.adapters.dynamodb.store.tables import Tables, TableStore
from feedward.adapters.dynamodb.store.transaction import Transaction, absent, both, differs, either, equals, present
from feedward.urls.rekey import Claim, Duplicate, OutdatedUrl, RegistryPage, Rekeyed, Rekeying, RekeyPlan, RekeyResult


class DynamoRekeyStore(TableStore):
    """ports.RekeyStore. Thread-safe."""

    def rekeying(self, version: str) -> Rekeying:
        """Return the state of the job for this version."""
        return read_job(self._tables, version)

    def take(self, version: str, *, holder: str, now: int, lease_until: int) -> Rekeying | None:
        """Take the lease. Returns None if the job is done or another lease is valid."""
        tables = self._tables
        seen = read_job(tables, version)
        if not seen.is_free_for(holder, now):
            return None
        return write_job(tables, seen, replace(seen, holder=holder, lease_until=lease_until))

    def outdated(self, held: Rekeying, *, at_most: int) -> RegistryPage:
        """Return the outdated rows among the next rows of the registry, with their owners."""
        tables = self._tables
        after = url_key(held.place) if held.place is not None else None
        rows, last = tables.scan(tables.names.urls, after=after, at_most=at_most)
        outdated = [row for row in rows if _is_outdated(row, held.version)]
        return RegistryPage(urls=with_owners(tables, outdated), place=last["url_hash"] if last else None)

    def rekey(self, url: OutdatedUrl, plan: RekeyPlan, *, version: str) -> RekeyResult:
        """Carry out the plan for a row. Raises Conflict if the row must be read again."""
        tables = self._tables
        duplicates = tuple(met for claim in plan.claims for met in _claim(tables, claim, version))
        for duplicate in duplicates:
            write_duplicate(tables, version, url.url_hash, duplicate)
        taken = {(duplicate.kind, duplicate.url_hash) for duplicate in duplicates}
        for kind, owner, url_hash in (("feed", url.feed, plan.feed_hash), ("row", url.row, plan.row_hash)):
            if owner and url_hash and url_hash != owner.url_hash and (kind, url_hash) not in taken:
                give_hash(tables, kind, owner, url_hash)
        rekeyed = plan.outcome(duplicates)
        _mark(tables, url.url_hash, plan, rekeyed, version)
        return RekeyResult(rekeyed=rekeyed, duplicates=duplicates)

    def advanced(self, held: Rekeying, place: str | None, *, lease_until: int) -> Rekeying | None:
        """Store the position of a held job; None means done. Returns None if another worker holds the lease."""
        wanted = replace(held, place=place, done=place is None, lease_until=lease_until)
        return write_job(self._tables, held, wanted)

    def duplicates(self, version: str) -> Iterator[Duplicate]:
        """Yield the duplicates that the job for this version found."""
        return read_duplicates(self._tables, version)


def _is_outdated(row: Item, version: str) -> bool:
    return version not in (row.get("key_version"), row.get("rekeyed"))


def _claim(tables: Tables, claim: Claim, version: str) -> Iterator[Duplicate]:
    """Claim a hash for the feed and for the frontier row, independently. Yields the owners whose claim failed."""
    for kind, owner_id in (("feed", claim.feed_id), ("row", claim.row_id)):
        if owner_id is None:
            continue
        other = _claim_for(tables, claim, f"{kind}_id", owner_id, version)
        if other is not None and not _is_same(tables, kind, owner_id, other):
            yield Duplicate(url_hash=claim.url_hash, kind=kind, owner_id=owner_id, other_id=other)


def _claim_for(tables: Tables, claim: Claim, attribute: str, owner_id: str, version: str) -> str | None:
    """Claim by update, because the other kind may own the hash too. Returns None, or the id of the other owner."""
    answer = tables.update(
        tables.names.urls,
        url_key(claim.url_hash),
        either(absent(attribute), equals(attribute, owner_id)),
        assign={attribute: owner_id},
        assign_once={"url": claim.url, "key_version": version},
    )
    return str(answer.item[attribute]) if isinstance(answer, Refusal) and answer.item else None


def _is_same(tables: Tables, kind: str, owner_id: str, other_id: str) -> bool:
    """Tell whether the other id is a tombstone of this feed."""
    live = live_feed(tables, other_id) if kind == "feed" else None
    return live is not None and live["feed_id"] == owner_id


def _mark(tables: Tables, url_hash: str, plan: RekeyPlan, rekeyed: Rekeyed, version: str) -> None:
    """Mark the old row as done and count it, once. A hash that is equal in both versions is not an alias."""
    is_right = any(claim.url_hash == url_hash for claim in plan.claims)
    transaction = Transaction()
    transaction.update(
        tables.names.urls,
        url_key(url_hash),
        both(present("url"), either(absent("rekeyed"), differs("rekeyed", version))),
        assign={"rekeyed": version, **({"key_version": version} if is_right else {})},
    )
    transaction.update(tables.names.state, job_key(version), None, add={rekeyed.value: 1})
    tables.transact(transaction)
