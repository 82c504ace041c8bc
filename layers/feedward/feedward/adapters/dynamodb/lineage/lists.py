"""Lists of items by run and by version, and the position of a reprocessing run in the older run's list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from feedward.adapters.dynamodb.lineage.keys import (
    INDEX,
    PAGE_PREFIX,
    SUPERSEDES_PREFIX,
    content_chain_key,
    counter_key,
    item_key,
    item_pk,
    items_list_shard,
    items_list_shards,
    page_key,
    reprocessed_key,
    run_key,
    run_pk,
    uri_chain_key,
)
from feedward.adapters.dynamodb.lineage.runs import MARK, open_mark
from feedward.adapters.dynamodb.store.codec import Item as Stored
from feedward.adapters.dynamodb.store.tables import Tables
from feedward.adapters.dynamodb.store.transaction import Condition, Transaction, absent, both, equals
from feedward.errors import InvalidInput
from feedward.lineage.item import Result
from feedward.lineage.run import ReprocessPlace, RunKind

_AT_ONCE: Final = 100


def items_of_run(tables: Tables, run_id: str, after: str | None) -> Iterator[str]:
    """Yield the ids of the items of the run, in the order of its pages. Raises InvalidInput (`after`)."""
    rows = tables.query(
        tables.names.lineage,
        ("pk", run_pk(run_id)),
        prefix=("sk", PAGE_PREFIX),
        after=_marker_of(tables, run_id, after) if after is not None else None,
        page_items=_AT_ONCE,
    )
    return (row["item_id"] for row in rows if row["result"] == Result.ITEM)


def items_of_version(tables: Tables, version: str, scope: str, after: str | None) -> Iterator[str]:
    """Yield the ids of the version's items, by shard, then by age."""
    shards = list(items_list_shards(version, scope=scope))
    own = items_list_shard(version, after, scope=scope) if after is not None else shards[0]
    for shard in shards[shards.index(own) :]:
        place = {**item_key(after), "list_shard": shard, "list_place": after} if after and shard == own else None
        rows = tables.query(tables.names.lineage, ("list_shard", shard), index=INDEX, after=place, page_items=_AT_ONCE)
        yield from (row["list_place"] for row in rows)


def items_of_uri(tables: Tables, uri: str, version: str, scope: str, after: str | None) -> Iterator[str]:
    """Yield the ids of the items of a URI, newest first."""
    return _chain(tables, uri_chain_key(uri, version, scope), "canonical_uri_match", after)


def items_of_content(tables: Tables, sha256: str, version: str, scope: str, after: str | None) -> Iterator[str]:
    """Yield the ids of the items of a content, newest first. Items without text are not among them (rule L4)."""
    return _chain(tables, content_chain_key(sha256, version, scope), "content_sha256_match", after)


def _chain(tables: Tables, head: dict[str, str], match: str, after: str | None) -> Iterator[str]:
    """Follow a chain from its head, or from `after`. Each item's edge names the item that it met, so no index is
    needed.
    """
    row = tables.get(tables.names.lineage, head) if after is None else None
    item_id = _met_by(tables, after, match) if after is not None else row["item_id"] if row else None
    while item_id is not None:
        yield item_id
        item_id = _met_by(tables, item_id, match)


def _met_by(tables: Tables, item_id: str, match: str) -> str | None:
    """Return the item that an item met when it was added, by its URI or by its content."""
    edges = tables.query(tables.names.lineage, ("pk", item_pk(item_id)), prefix=("sk", SUPERSEDES_PREFIX), page_items=1)
    return next((edge["metadata"][match] for edge in edges), None)


def _marker_of(tables: Tables, run_id: str, item_id: str) -> dict[str, str]:
    item = tables.get(tables.names.lineage, item_key(item_id))
    if item is None or item["run_id"] != run_id:
        raise InvalidInput("after", "this run made no such item")
    return page_key(run_id, item["page"])


def read_place(tables: Tables, run_id: str) -> ReprocessPlace | None:
    """Return the position of the run. None if it is finished, or is not a reprocessing run."""
    row = tables.get(tables.names.lineage, run_key(run_id))
    if row is None or row["kind"] != RunKind.REPROCESSING or row["started"]:
        return None
    return _place(row)


def advance(
    tables: Tables,
    run_id: str,
    seen: ReprocessPlace,
    to: str | None,
    pages: int,
    *,
    refused: int,
    done: bool,
    now: int,
) -> bool:
    """Move the position and count refused items, if the position is unchanged. The last step sets `pages`."""
    there = ReprocessPlace(after=to if to is not None else seen.after, pages=seen.pages + pages)
    transaction = Transaction()
    transaction.update(
        tables.names.lineage,
        run_key(run_id),
        both(equals("started", False), _is_at(seen)),
        assign=_stored(there) | ({"started": True, "pages": there.pages} if done else open_mark(run_id, now)),
        remove=MARK if done else (),
    )
    if refused:
        transaction.update(tables.names.lineage, counter_key(run_id, f"{there.pages}"), None, add={"refused": refused})
    refusals = tables.transact(transaction)
    return not refusals or _is_ours(refusals[0].item, there, done=done)


def read_reprocessed(tables: Tables, item_ids: Sequence[str], version: str) -> Mapping[str, str]:
    """Return the results of reprocessing these items under the version. Items without a result are left out."""
    keys = {reprocessed_key(item_id, version)["pk"]: item_id for item_id in item_ids}
    rows = tables.batch_get(
        tables.names.lineage, [reprocessed_key(item_id, version) for item_id in keys.values()], ("pk", "item_id")
    )
    return {keys[row["pk"]]: row["item_id"] for row in rows}


def _is_at(place: ReprocessPlace) -> Condition:
    passed = equals("passed", place.after) if place.after is not None else absent("passed")
    return both(passed, equals("pages_passed", place.pages))


def _is_ours(found: Stored | None, wanted: ReprocessPlace, *, done: bool) -> bool:
    """Tell whether the row is the result of this step: its response was lost, or another worker did the same."""
    return found is not None and _place(found) == wanted and found["started"] is done


def _stored(place: ReprocessPlace) -> dict[str, Any]:
    passed = {"passed": place.after} if place.after is not None else {}
    return {"pages_passed": place.pages, **passed}


def _place(row: Stored) -> ReprocessPlace:
    return ReprocessPlace(after=row.get("passed"), pages=row["pages_passed"])
