"""Lists of items: of a run by its markers, of a version by the index `listed`. Both are read as they are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from feedward.adapters.dynamodb.lineage_keys import (
    INDEX,
    PAGE_PREFIX,
    item_key,
    items_list_shard,
    items_list_shards,
    page_key,
    run_pk,
)
from feedward.adapters.dynamodb.tables import Tables
from feedward.errors import InvalidInput
from feedward.lineage.collected import Result

_AT_ONCE: Final = 100


def items_of_run(tables: Tables, run_id: str, after: str | None) -> Iterator[str]:
    """Yield the ids of the items that the run made, in the order of its pages. Raises InvalidInput (`after`)."""
    rows = tables.query(
        tables.names.lineage,
        ("pk", run_pk(run_id)),
        prefix=("sk", PAGE_PREFIX),
        after=_marker_of(tables, run_id, after) if after is not None else None,
        page_items=_AT_ONCE,
    )
    return (row["item_id"] for row in rows if row["result"] == Result.ITEM)


def items_of_version(tables: Tables, version: str, scope: str, after: str | None) -> Iterator[str]:
    """Yield the ids of the version's items, shard by shard, by age within each."""
    shards = list(items_list_shards(version, scope=scope))
    own = items_list_shard(version, after, scope=scope) if after is not None else shards[0]
    for shard in shards[shards.index(own) :]:
        place = {**item_key(after), "list_shard": shard, "list_place": after} if after and shard == own else None
        rows = tables.query(tables.names.lineage, ("list_shard", shard), index=INDEX, after=place, page_items=_AT_ONCE)
        yield from (row["list_place"] for row in rows)


def _marker_of(tables: Tables, run_id: str, item_id: str) -> dict[str, str]:
    item = tables.get(tables.names.lineage, item_key(item_id))
    if item is None or item["run_id"] != run_id:
        raise InvalidInput("after", "this run made no such item")
    return page_key(run_id, item["page"])
