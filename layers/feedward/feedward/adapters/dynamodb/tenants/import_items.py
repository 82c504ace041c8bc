"""Converts imports to items of TenantsTable and back (rule R18): IMPORT, its counters, chunks, and late results.

A chunk holds its entries and results as JSON: it is written and read as a whole, and a text is the cheapest form.

The entry of a pending subscription ends in the transaction that settles the subscription, so the sums of an import hold
at every moment (rule IM3).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from typing import Any, Final

from feedward.access import tenant_named
from feedward.adapters.dynamodb.store.codec import Item
from feedward.adapters.dynamodb.store.keys import IMPORT_PREFIX, import_part_key, import_sk, tenant_key
from feedward.adapters.dynamodb.store.transaction import Transaction
from feedward.intake.chunk_results import result_of
from feedward.intake.entry import Entry, FileKind
from feedward.intake.job import COUNT_SHARDS, COUNTED, Chunk, Counts, Ended, Import, ImportStatus, Result, Target
from feedward.scheduling.shards import PENDING_SHARDS, pending_shard
from feedward.subscriptions.subscription import Subscription

PENDING_KIND: Final = "import"
SHARDS: Final = tuple(f"{PENDING_KIND}#{shard}" for shard in range(PENDING_SHARDS))
_KEYS: Final = ("tenant_id", "import_id", "counts")
_FIELDS: Final = tuple(each.name for each in fields(Import) if each.name not in _KEYS)
_ENTRY: Final = tuple(each.name for each in fields(Entry) if each.name != "folders")
_ENDED: Final = tuple(each.name for each in fields(Ended) if each.name != "result")


def import_item(found: Import) -> Item:
    """Return IMPORT. It has a pending mark while work remains."""
    stored = {name: getattr(found, name) for name in _FIELDS}
    shard = pending_shard(PENDING_KIND, found.import_id) if found.pending_since is not None else None
    return {**tenant_key(found.tenant_id, import_sk(found.import_id)), **stored, "pending_shard": shard}


def read_import(item: Item, counters: Iterable[Item]) -> Import:
    """Return the import of an IMPORT item and its counters."""
    members: dict[str, Any] = {name: item[name] for name in _FIELDS if item.get(name) is not None}
    members["status"] = ImportStatus(members["status"])
    members["into"] = Target(members["into"]) if members.get("into") else None
    members["kind"] = FileKind(members["kind"]) if members.get("kind") else None
    tenant_id, import_id = import_owner(item)
    rows = list(counters)
    counts = Counts(**{name: sum(row.get(name, 0) for row in rows) for name in COUNTED})
    return Import(tenant_id=tenant_id, import_id=import_id, counts=counts, **members)


def import_owner(item: Item) -> tuple[str | None, str]:
    """Return the tenant and the id of an IMPORT item, or of its index entry."""
    return tenant_named(item["tenant_id"]), item["sk"].removeprefix(IMPORT_PREFIX)


def counter_key(tenant_id: str | None, import_id: str, shard: int) -> dict[str, str]:
    """Return the key of a counter."""
    return import_part_key(tenant_id, import_id, f"COUNT#{shard:02d}")


def counter_keys(tenant_id: str | None, import_ids: Iterable[str]) -> list[dict[str, str]]:
    """Return the keys of all counters of these imports."""
    return [counter_key(tenant_id, import_id, shard) for import_id in import_ids for shard in range(COUNT_SHARDS)]


def part_of(item: Item) -> str:
    """Return the partition of the counters of an IMPORT item."""
    return counter_key(*import_owner(item), 0)["tenant_id"]


def chunk_key(tenant_id: str | None, import_id: str, number: int) -> dict[str, str]:
    """Return the key of a chunk."""
    return import_part_key(tenant_id, import_id, f"CHUNK#{number:05d}")


def end_key(tenant_id: str | None, import_id: str, number: int) -> dict[str, str]:
    """Return the key of the result of an entry that was settled after its chunk."""
    return import_part_key(tenant_id, import_id, f"END#{number:06d}")


def chunk_item(found: Import, chunk: Chunk) -> Item:
    """Return CHUNK: entries, and the results of the first of them."""
    return {
        **chunk_key(found.tenant_id, found.import_id, chunk.number),
        "entries": _json([_entry_map(each) for each in chunk.entries]),
        **results_of(chunk.results),
    }


def results_of(results: Sequence[Ended]) -> Item:
    """Return the attributes of CHUNK that hold the results."""
    return {"done": len(results), "results": _json([ended_map(each) for each in results])}


def read_chunk(item: Item) -> Chunk:
    """Return the chunk of a CHUNK item."""
    return Chunk(
        number=int(item["sk"].rpartition("#")[2]),
        entries=tuple(map(_read_entry, json.loads(item["entries"]))),
        results=tuple(map(read_ended, json.loads(item["results"]))),
        is_told=item.get("told") is True,
    )


def end_item(tenant_id: str | None, import_id: str, number: int, ended: Ended) -> Item:
    """Return END: the result of an entry that was settled after its chunk."""
    return {**end_key(tenant_id, import_id, number), **ended_map(ended)}


def ended_map(ended: Ended) -> dict[str, Any]:
    """Return a result as a map."""
    said = {name: getattr(ended, name) for name in _ENDED}
    return {"result": ended.result.value, **{name: value for name, value in said.items() if value is not None}}


def read_ended(said: Mapping[str, Any]) -> Ended:
    """Return the result of a map or an END item."""
    return Ended(result=Result(said["result"]), **{name: said[name] for name in _ENDED if name in said})


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _entry_map(entry: Entry) -> dict[str, Any]:
    said = {name: getattr(entry, name) for name in _ENTRY}
    stored = {name: value for name, value in said.items() if value not in (None, "")}
    return stored | ({"folders": [list(path) for path in entry.folders]} if entry.folders else {})


def _read_entry(said: Mapping[str, Any]) -> Entry:
    members = {name: said[name] for name in _ENTRY if name in said}
    return Entry(folders=tuple(tuple(path) for path in said.get("folders", ())), **{"url": "", **members})


_DELETED: Final = Ended(result=Result.FAILED, reason="the subscription was deleted before its feed was found")


def end_entry(transaction: Transaction, table: str, settled: Subscription) -> None:
    """Add: end the entry that waits for this subscription, which is settled in the same transaction, or deleted."""
    _end(transaction, table, settled, _DELETED if settled.is_pending else result_of(settled))


def _end(transaction: Transaction, table: str, of: Subscription, ended: Ended) -> None:
    import_id, shard, number = str(of.import_entry).split("#")
    transaction.put(table, end_item(of.tenant_id, import_id, int(number), ended))
    counts = {Result.PENDING.value: -1, ended.result.value: 1}
    transaction.update(table, counter_key(of.tenant_id, import_id, int(shard)), None, add=counts)
