"""Re-keys the registry to another key version: ports.RekeyStore over UrlsTable (rule C4).

For each row, the claims are written first, then the owners' hashes, then the mark on the old row with the counters. All
writes are idempotent, so the row of a killed worker is repeated. Old rows stay: old hashes still find their owner. The
job has a lease and a position.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any, Final

from feedward.adapters.dynamodb.registry.lookup import live_feed
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.errors import Refusal
from feedward.adapters.dynamodb.store.keys import feed_key, row_key, url_key
from feedward.adapters.dynamodb.store.tables import Tables, TableStore
from feedward.adapters.dynamodb.store.transaction import Transaction, absent, both, differs, either, equals, present
from feedward.errors import Conflict
from feedward.urls.rekey import (
    Claim,
    Duplicate,
    OutdatedUrl,
    Owner,
    RegistryPage,
    Rekeyed,
    Rekeying,
    RekeyPlan,
    RekeyResult,
)

_DUPLICATE_PREFIX: Final = "DUPLICATE#"
_MEMBERS: Final = tuple(field.name for field in fields(Rekeying) if field.name != "version")
_OF_A_DUPLICATE: Final = tuple(field.name for field in fields(Duplicate))


def job_key(version: str) -> dict[str, str]:
    """Return the key of the job for a version."""
    return {"pk": f"REKEY#{version}", "sk": "JOB"}


def read_job(tables: Tables, version: str) -> Rekeying:
    """Return the job; its initial state if it has not started."""
    row = tables.get(tables.names.state, job_key(version))
    return _read(version, row) if row else Rekeying(version=version)


def write_job(tables: Tables, seen: Rekeying, wanted: Rekeying) -> Rekeying | None:
    """Write the job with optimistic locking. Returns None if another worker was faster."""
    after = replace(wanted, rev=seen.rev + 1)
    answer = tables.update(
        tables.names.state,
        job_key(seen.version),
        equals("rev", seen.rev) if seen.rev else absent("rev"),
        assign={
            "rev": after.rev,
            "holder": after.holder,
            "lease_until": after.lease_until,
            "done": after.done,
            **({"place": after.place} if after.place is not None else {}),
        },
        remove=("place",) if after.place is None else (),
    )
    if not isinstance(answer, Refusal):
        return _read(seen.version, answer)
    found = answer.item
    is_ours = found is not None and (found["rev"], found["holder"]) == (after.rev, after.holder)
    return _read(seen.version, found) if found and is_ours else None


def write_duplicate(tables: Tables, version: str, url_hash: str, duplicate: Duplicate) -> None:
    """Store a duplicate found for the row of this old hash. Idempotent."""
    key = {"pk": job_key(version)["pk"], "sk": f"{_DUPLICATE_PREFIX}{url_hash}#{duplicate.kind}#{duplicate.url_hash}"}
    tables.update(tables.names.state, key, None, assign=asdict(duplicate))


def read_duplicates(tables: Tables, version: str) -> Iterator[Duplicate]:
    """Yield the stored duplicates, page by page."""
    rows = tables.query(tables.names.state, ("pk", job_key(version)["pk"]), prefix=("sk", _DUPLICATE_PREFIX))
    return (Duplicate(**{name: row[name] for name in _OF_A_DUPLICATE}) for row in rows)


def _read(version: str, row: Item) -> Rekeying:
    members: dict[str, Any] = {name: row[name] for name in _MEMBERS if name in row}
    return Rekeying(version=version, **members)


_ATTRIBUTES: Final = ("url", "url_hash", "owner", "rev")
_ROUNDS: Final = 8


def with_owners(tables: Tables, rows: Sequence[Item]) -> list[OutdatedUrl]:
    """Return registry rows with their owners, which are read in batches. Tombstones are resolved."""
    feeds = _feeds(tables, {row["feed_id"] for row in rows if "feed_id" in row})
    found = _frontier_rows(tables, {row["row_id"] for row in rows if "row_id" in row})
    return [
        OutdatedUrl(
            url_hash=row["url_hash"],
            url=row["url"],
            key_version=row["key_version"],
            feed=feeds.get(row.get("feed_id", "")),
            row=found.get(row.get("row_id", "")),
        )
        for row in rows
    ]


def give_hash(tables: Tables, kind: str, owner: Owner, url_hash: str) -> None:
    """Set the owner's hash, if it is still the hash that was read. An owner with another hash keeps it.

    Raises Conflict if the owner has another URL under the old hash, or if its rev kept changing.
    """
    table, key = _place(tables, kind, owner)
    seen = owner
    for _ in range(_ROUNDS):
        answer = tables.update(
            table,
            key,
            both(equals("rev", seen.rev), equals("url_hash", seen.url_hash)),
            assign={"url_hash": url_hash},
            increment=("rev",),
        )
        if not isinstance(answer, Refusal) or answer.item is None or answer.item["url_hash"] != owner.url_hash:
            return
        seen = replace(seen, rev=answer.item["rev"], url=answer.item["url"])
        if seen.url != owner.url:
            break
    raise Conflict(f"the URL of {kind} {owner.owner_id} kept changing")


def _place(tables: Tables, kind: str, owner: Owner) -> tuple[str, dict[str, str]]:
    if kind == "feed":
        return tables.names.feeds, feed_key(owner.owner_id)
    return tables.names.frontier, row_key(owner.owner_id)


def _feeds(tables: Tables, feed_ids: Iterable[str]) -> Mapping[str, Owner]:
    items = _batch(tables, tables.names.feeds, "feed_id", feed_ids, feed_key, "merged_into")
    live = {feed_id: live_feed(tables, feed_id) if "merged_into" in item else item for feed_id, item in items.items()}
    return {feed_id: _owner(item, "feed_id") for feed_id, item in live.items() if item}


def _frontier_rows(tables: Tables, row_ids: Iterable[str]) -> Mapping[str, Owner]:
    items = _batch(tables, tables.names.frontier, "row_id", row_ids, row_key)
    return {row_id: _owner(item, "row_id") for row_id, item in items.items()}


def _batch(
    tables: Tables, table: str, name: str, ids: Iterable[str], key: Callable[[str], dict[str, str]], *more: str
) -> dict[str, Item]:
    items = tables.batch_get(table, [key(each) for each in sorted(ids)], (name, *_ATTRIBUTES, *more))
    return {item[name]: item for item in items}


def _owner(item: Item, name: str) -> Owner:
    return Owner(
        owner_id=item[name],
        url=item["url"],
        url_hash=item["url_hash"],
        rev=item["rev"],
        scope=item.get("owner") or "",
    )


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
