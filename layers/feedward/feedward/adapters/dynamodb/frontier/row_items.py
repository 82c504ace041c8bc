"""Converts frontier rows to items of FrontierTable and back: attributes, index keys and the changes of an update.

Both indexes are sparse: a row is in `due` while it waits to be fetched, and in `by_error` if its last fetch failed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from feedward.adapters.dynamodb.store.codec import Item
from feedward.frontier.row import FrontierRow, read_row, stored_row
from feedward.scheduling.jitter import stable_hash
from feedward.scheduling.shards import due_shard

BY_ERROR: Final = "by_error"
# A partition of an index takes 1000 writes per second. A list reads all shards.
ERROR_SHARDS: Final = 16
ATTRIBUTES: Final = (
    *("row_id", "rev", "url", "url_hash", "host", "owner", "status", "attempts", "last_error", "http_status"),
    *("etag", "last_modified", "final_url", "next_fetch_at", "last_fetched_at", "created_at", "runs"),
    *("content_version", "item_id", "scheme_open"),
)


def row_item(row: FrontierRow) -> Item:
    """Return the item of a row, with its index keys. `runs` is a string set."""
    item = stored_row(replace(row, sent_at=None))
    item |= {"runs": row.runs} if row.runs else {}
    item |= {"due_shard": due_shard(row.host)} if row.next_fetch_at is not None else {}
    item |= {"error_shard": error_shard(row.last_error, row.row_id, row.owner)} if row.last_error else {}
    return item


def row_of(item: Item) -> FrontierRow:
    """Return the row of an item of the table or of `due`. Raises InvalidInput, which names the attribute."""
    return read_row(item)


def changes(before: FrontierRow, after: FrontierRow) -> dict[str, Any]:
    """Return the changes for Transaction.update. The update increments the rev."""
    old, new = row_item(before), row_item(after)
    own = (old.keys() | new.keys()) - {"rev", "runs"}
    return {
        "assign": {name: new[name] for name in sorted(own & new.keys()) if old.get(name) != new[name]},
        "remove": sorted(own - new.keys()),
        "increment": ("rev",),
        "unite": {"runs": after.runs - before.runs},
        "take_out": {"runs": before.runs - after.runs},
    }


def error_shard(last_error: str, row_id: str, owner: str | None) -> str:
    """Return the row's key in `by_error`: `timeout#3`, or `tenant/timeout#3` for a private row (rule I8)."""
    return _shard_key(last_error, shard_number(row_id), owner)


def error_shards(last_error: str) -> Iterator[str]:
    """Yield all keys of `by_error` that list the shared rows with this error."""
    return (_shard_key(last_error, number, None) for number in range(ERROR_SHARDS))


def shard_number(row_id: str) -> int:
    """Return the number of the row's shard in `by_error`. It does not depend on the error."""
    return stable_hash(row_id) % ERROR_SHARDS


def _shard_key(last_error: str, number: int, owner: str | None) -> str:
    return f"{owner}/{last_error}#{number}" if owner else f"{last_error}#{number}"
