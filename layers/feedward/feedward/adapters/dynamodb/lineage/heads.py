"""Operation Heads: reads the heads that an incoming item meets, and adds it in one transaction (rule R16).

Both heads are written with optimistic locking, and the marker of the run's page only if it is missing. So simultaneous
items of one URI or one content form a chain, and a repeated page is added once (rules L2, I6).
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any, Final

from feedward.adapters.dynamodb.lineage.items import put_edge, put_item, stored_duplicate_fetch
from feedward.adapters.dynamodb.lineage.keys import (
    content_head_key,
    counter_key,
    page_key,
    reprocessed_key,
    same_key,
    uri_head_key,
)
from feedward.adapters.dynamodb.store.codec import Item as Stored
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Condition, Transaction, absent, equals
from feedward.errors import FeedwardError
from feedward.lineage.item import Addition, Collected, Head, Heads, Item, Result
from feedward.lineage.match import refuse_untrue

_ATTRIBUTES: Final = ("pk", "sk", "item_id", "created_at_ms", "canonical_uri", "content_sha256", "rev", "result")
# Indexes of the writes in the transaction, by which refusals name them.
_MARKER: Final = 0
_HEADS: Final = (1, 2, 3)
# The marker holds an id of the call, so that a later call with the same addition is recognized as a repetition.
_CALL_BYTES: Final = 8


def read_heads(tables: Tables, item: Item, page: str) -> Heads:
    """Return both heads that the item meets and its run's marker of the page, from one consistent batch read."""
    keys = uri_head_key(item), content_head_key(item), same_key(item), page_key(item.run_id, page)
    by_uri, by_content, same, marker = keys
    found = {row["pk"]: row for row in tables.batch_get(tables.names.lineage, keys, _ATTRIBUTES)}
    done = found.get(marker["pk"])
    return Heads(
        by_uri=_head(found.get(by_uri["pk"]), canonical_uri=item.canonical_uri),
        by_content=_head(found.get(by_content["pk"]), content_sha256=item.content_sha256),
        same=found[same["pk"]]["item_id"] if same["pk"] in found else None,
        done=_collected(done, repeated=True) if done else None,
    )


def add(tables: Tables, addition: Addition) -> Collected | None:
    """Write the addition. Returns None if a head has changed. Raises InvalidInput for an inconsistent addition."""
    refuse_untrue(addition)
    call = secrets.token_hex(_CALL_BYTES)
    refusals = {refusal.index: refusal for refusal in tables.transact(_writes(tables.names.lineage, addition, call))}
    if not refusals:
        return _outcome(addition)
    if _MARKER in refusals:
        marker = refusals[_MARKER].item
        return _collected(marker, repeated=marker.get("call") != call) if marker else None
    if addition.item is not None and any(place in refusals for place in _HEADS):
        return None
    raise FeedwardError("another item has this item's id")


def _writes(table: str, addition: Addition, call: str) -> Transaction:
    transaction, outcome = Transaction(), _outcome(addition)
    marker = {"result": outcome.result.value, "item_id": outcome.item_id, "call": call}
    if addition.duplicate_fetch is not None:
        marker |= stored_duplicate_fetch(addition.duplicate_fetch, addition.page)
    transaction.put(table, {**page_key(addition.run_id, addition.page), **marker}, absent("pk"))
    if addition.item is not None:
        _put_heads(transaction, table, addition.item, addition.heads)
        put_item(transaction, table, addition.item, addition.page)
        if addition.edge is not None:
            put_edge(transaction, table, addition.edge)
    if addition.reprocessed_under is not None:
        became = {**reprocessed_key(addition.page, addition.reprocessed_under), "item_id": outcome.item_id}
        transaction.put(table, became)
    transaction.update(table, counter_key(addition.run_id, addition.page), None, add=_counts(addition))
    return transaction


def _put_heads(transaction: Transaction, table: str, item: Item, heads: Heads) -> None:
    """Add: make the item both heads, and the item of its URI and content. Each row holds only what its key lacks."""
    is_now = {"item_id": item.item_id, "created_at_ms": item.created_at_ms}
    by_uri = {**uri_head_key(item), **is_now, "content_sha256": item.content_sha256}
    by_content = {**content_head_key(item), **is_now, "canonical_uri": item.canonical_uri}
    for head, seen in ((by_uri, heads.by_uri), (by_content, heads.by_content)):
        transaction.put(table, {**head, "rev": seen.rev + 1 if seen else 1}, _is_as(seen))
    transaction.put(table, {**same_key(item), "item_id": item.item_id}, absent("pk"))


def _is_as(seen: Head | None) -> Condition:
    return equals("rev", seen.rev) if seen else absent("pk")


def _counts(addition: Addition) -> Mapping[str, int]:
    """Return the amounts that the page adds to its run's counters (Counters)."""
    counts = {
        "items": addition.item is not None,
        "sightings": addition.duplicate_fetch is not None,
        "not_modified": addition.not_modified,
        "superseded": addition.edge is not None,
        "conflicts": addition.edge is not None and addition.edge.metadata.conflict_resolved,
    }
    return {name: 1 for name, is_counted in counts.items() if is_counted}


def _outcome(addition: Addition) -> Collected:
    if addition.item is not None:
        return Collected(result=Result.ITEM, item_id=addition.item.item_id)
    if addition.duplicate_fetch is not None:
        return Collected(result=Result.SIGHTING, item_id=addition.duplicate_fetch.item_id)
    raise FeedwardError("the addition is empty")


def _collected(marker: Stored, *, repeated: bool) -> Collected:
    return Collected(result=Result(marker["result"]), item_id=marker["item_id"], repeated=repeated)


def _head(row: Stored | None, **known: str) -> Head | None:
    if row is None:
        return None
    members: dict[str, Any] = {**row, **known}
    return Head(
        item_id=members["item_id"],
        created_at_ms=members["created_at_ms"],
        canonical_uri=members["canonical_uri"],
        content_sha256=members["content_sha256"],
        rev=members["rev"],
    )
