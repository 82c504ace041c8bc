"""State of the re-key job: its lease and position, the duplicates, and the owners of registry rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import Any, Final

from feedward.adapters.dynamodb.registry.lookup import live_feed
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.errors import Refusal
from feedward.adapters.dynamodb.store.keys import feed_key, row_key
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import absent, both, equals
from feedward.errors import Conflict
from feedward.urls.rekey import Duplicate, OutdatedUrl, Owner, Rekeying

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
