"""Converts items, edges and duplicate fetches to items of LineageTable and back (rules R16, V6).

They are written once and never changed. Texts of foreign pages are cut to their limits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields
from itertools import islice
from operator import itemgetter
from typing import Any, Final

from feedward.adapters.dynamodb.lineage.keys import (
    INDEX,
    SUPERSEDES_PREFIX,
    duplicate_fetch_place,
    duplicate_fetches_shard,
    item_key,
    item_pk,
    items_list_shard,
    superseded_by_key,
    supersedes_key,
)
from feedward.adapters.dynamodb.store.codec import Item as Stored
from feedward.adapters.dynamodb.store.codec import text
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Transaction, absent
from feedward.lineage.item import DuplicateFetch, Edge, EdgeMetadata, Item

_ITEM_FIELDS: Final = tuple(field.name for field in fields(Item))
_SIGHTING_FIELDS: Final = tuple(field.name for field in fields(DuplicateFetch))
_OF_EDGES: Final = "SUPERSEDE"  # the common prefix of both kinds of sort keys
_TITLE_CHARS: Final = 500
_CONTENT_TYPE_CHARS: Final = 200
SIGHTINGS_AT_MOST: Final = 500


def put_item(transaction: Transaction, table: str, item: Item, page: str) -> None:
    """Add: write a new item with its entry in the list of its version. `page` is the key of its run's marker."""
    listed = {
        "list_shard": items_list_shard(item.normalization_version, item.item_id, scope=item.scope),
        "list_place": item.item_id,
    }
    cut = {"title": text(item.title, _TITLE_CHARS), "content_type": text(item.content_type, _CONTENT_TYPE_CHARS)}
    stored = {**asdict(item), **cut, "scope": item.scope or None, "page": page}
    transaction.put(table, {**item_key(item.item_id), **stored, **listed}, absent("pk"))


def put_edge(transaction: Transaction, table: str, edge: Edge) -> None:
    """Add: write an edge under both of its ends."""
    for key in (supersedes_key(edge.newer, edge.older), superseded_by_key(edge.newer, edge.older)):
        transaction.put(table, {**key, **asdict(edge)}, absent("pk"))


def stored_duplicate_fetch(duplicate_fetch: DuplicateFetch, page: str) -> Stored:
    """Return the attributes that make a page's marker a duplicate fetch, in the list of its item."""
    return asdict(duplicate_fetch) | {
        "list_shard": duplicate_fetches_shard(duplicate_fetch.item_id),
        "list_place": duplicate_fetch_place(duplicate_fetch.seen_at, duplicate_fetch.run_id, page),
    }


def read_item(tables: Tables, item_id: str) -> Item | None:
    """Return the item, or None."""
    stored = tables.get(tables.names.lineage, item_key(item_id))
    return stored_item(stored) if stored else None


def read_items(tables: Tables, item_ids: Sequence[str]) -> Sequence[Item]:
    """Return the items in the order of their ids, without those that are missing, by one batch read."""
    rows = tables.batch_get(tables.names.lineage, [item_key(item_id) for item_id in item_ids], _ITEM_FIELDS)
    found = {row["item_id"]: stored_item(row) for row in rows}
    return [found[item_id] for item_id in item_ids if item_id in found]


def read_edges(tables: Tables, item_id: str) -> Sequence[Edge]:
    """Return the item's edges: first to the items that it supersedes, then from those that supersede it."""
    rows = list(tables.query(tables.names.lineage, ("pk", item_pk(item_id)), prefix=("sk", _OF_EDGES)))
    return [_edge(row) for row in sorted(rows, key=lambda row: not row["sk"].startswith(SUPERSEDES_PREFIX))]


def read_duplicate_fetches(tables: Tables, item_id: str) -> Sequence[DuplicateFetch]:
    """Return the item's duplicate fetches, oldest first, at most SIGHTINGS_AT_MOST."""
    shard = "list_shard", duplicate_fetches_shard(item_id)
    listed = tables.query(tables.names.lineage, shard, index=INDEX, page_items=SIGHTINGS_AT_MOST)
    keys = [{"pk": each["pk"], "sk": each["sk"]} for each in islice(listed, SIGHTINGS_AT_MOST)]
    rows = tables.batch_get(tables.names.lineage, keys)
    return [_duplicate_fetch(row) for row in sorted(rows, key=itemgetter("list_place"))]


def stored_item(stored: Stored) -> Item:
    """Return the item of an ITEM row."""
    members: dict[str, Any] = {"title": None, "text_length": None}
    return Item(**members | {name: stored[name] for name in _ITEM_FIELDS if name in stored})


def _edge(row: Stored) -> Edge:
    metadata = EdgeMetadata(**row["metadata"])
    return Edge(newer=row["newer"], older=row["older"], metadata=metadata, created_at_ms=row["created_at_ms"])


def _duplicate_fetch(row: Stored) -> DuplicateFetch:
    return DuplicateFetch(**{name: row[name] for name in _SIGHTING_FIELDS})
