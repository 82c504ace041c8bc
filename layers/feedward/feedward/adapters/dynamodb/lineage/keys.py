"""Keys of LineageTable: runs, items, edges and heads (rule R16).

Long values such as URLs are hashed, because a partition key holds 2,048 bytes. The sparse index `listed` has the keys
`list_shard` and `list_place`. It lists the items of a version, the duplicate fetches of an item, and the unfinished
runs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Final

from feedward.lineage.item import Item as LineageItem

RUN: Final = "RUN"
ITEM: Final = "ITEM"
HEAD: Final = "HEAD"
SAME: Final = "SAME"
VERSIONS: Final = "VERSIONS"
CHUNK_PREFIX: Final = "CHUNK#"
# Sorts before COUNT: one query reads a run with its counters and without these items.
CHUNKED_PREFIX: Final = "CHUNKED#"
COUNT_PREFIX: Final = "COUNT#"
PAGE_PREFIX: Final = "URL#"
SUPERSEDES_PREFIX: Final = "SUPERSEDES#"
SUPERSEDED_BY_PREFIX: Final = "SUPERSEDED_BY#"

# The number of pages of a run that can be counted at the same time: simultaneous transactions on one item conflict.
COUNTERS: Final = 16
# A partition of an index takes 1000 writes per second. A list reads all shards.
LIST_SHARDS: Final = 8

INDEX: Final = "listed"
INDEX_KEYS: Final = ("list_shard", "list_place")


def run_pk(run_id: str) -> str:
    """Return the partition of a run."""
    return f"RUN#{run_id}"


def run_key(run_id: str) -> dict[str, str]:
    """Return the key of a run."""
    return _key(run_pk(run_id), RUN)


def chunk_key(run_id: str, chunk: int) -> dict[str, str]:
    """Return the key of a chunk of URLs that a run has yet to submit. Chunks sort by number."""
    return _key(run_pk(run_id), f"{CHUNK_PREFIX}{chunk:08d}")


def chunked_key(run_id: str, chunk: int) -> dict[str, str]:
    """Return the key of the row ids of a submitted chunk."""
    return _key(run_pk(run_id), f"{CHUNKED_PREFIX}{chunk:08d}")


def counter_key(run_id: str, page: str) -> dict[str, str]:
    """Return the key of the counter shard of a page of a run (`page`: the row_id). A page always has the same one."""
    return _key(run_pk(run_id), f"{COUNT_PREFIX}{_digest(page, COUNTERS)}")


def page_key(run_id: str, page: str) -> dict[str, str]:
    """Return the key of the marker that a run has finished a page: also its duplicate fetch, if it found no item."""
    return _key(run_pk(run_id), PAGE_PREFIX + page)


def item_pk(item_id: str) -> str:
    """Return the partition of an item and its edges."""
    return f"ITEM#{item_id}"


def item_key(item_id: str) -> dict[str, str]:
    """Return the key of an item."""
    return _key(item_pk(item_id), ITEM)


def supersedes_key(newer: str, older: str) -> dict[str, str]:
    """Return the key of an edge under the newer item."""
    return _key(item_pk(newer), SUPERSEDES_PREFIX + older)


def superseded_by_key(newer: str, older: str) -> dict[str, str]:
    """Return the key of an edge under the older item."""
    return _key(item_pk(older), SUPERSEDED_BY_PREFIX + newer)


def reprocessed_key(item_id: str, version: str) -> dict[str, str]:
    """Return the key of the result of reprocessing an item under another version."""
    return _key(item_pk(item_id), f"REPROCESSED#{version}")


def uri_head_key(item: LineageItem) -> dict[str, str]:
    """Return the key of the newest item of this item's (scope, version, canonical_uri)."""
    return uri_chain_key(item.canonical_uri, item.normalization_version, item.scope)


def uri_chain_key(canonical_uri: str, version: str, scope: str) -> dict[str, str]:
    """Return the key of the newest item of a URI in a scope and version."""
    return _key(f"HEAD#URI#{_hex(scope, version, canonical_uri)}", HEAD)


def content_head_key(item: LineageItem) -> dict[str, str]:
    """Return the key of the newest item of this item's (scope, version, content_sha256).

    An item without text is compared within its URI only (rule L4).
    """
    if item.has_no_text:
        return content_chain_key(f"{item.content_sha256}\n{item.canonical_uri}", item.normalization_version, item.scope)
    return content_chain_key(item.content_sha256, item.normalization_version, item.scope)


def content_chain_key(content_sha256: str, version: str, scope: str) -> dict[str, str]:
    """Return the key of the newest item of a content in a scope and version."""
    return _key(f"HEAD#CONTENT#{_hex(scope, version, content_sha256)}", HEAD)


def same_key(item: LineageItem) -> dict[str, str]:
    """Return the key of the one item of this item's (scope, version, canonical_uri, content_sha256)."""
    parts = item.scope, item.normalization_version, item.canonical_uri, item.content_sha256
    return _key(f"SAME#{_hex(*parts)}", SAME)


def versions_key(scope: str) -> dict[str, str]:
    """Return the key of the versions that runs of this tenant have used; an empty scope means shared runs."""
    return _key(f"VERSIONS#{_hex(scope)}" if scope else VERSIONS, VERSIONS)


def runs_list_pk(version: str, scope: str) -> str:
    """Return the partition of the list of a tenant's runs of a version."""
    return f"RUNS#{_hex(scope, version)}"


def runs_list_key(version: str, scope: str, run_id: str) -> dict[str, str]:
    """Return the key of a run in the list of its version. Ids sort by time."""
    return _key(runs_list_pk(version, scope), run_id)


def items_list_shard(version: str, item_id: str, *, scope: str = "") -> str:
    """Return the shard of an item in the list of its version."""
    return _items_list(version, scope, _digest(item_id, LIST_SHARDS))


def items_list_shards(version: str, *, scope: str = "") -> Iterator[str]:
    """Yield all shards of the list of a version's items."""
    return (_items_list(version, scope, shard) for shard in range(LIST_SHARDS))


def duplicate_fetches_shard(item_id: str) -> str:
    """Return the shard of the list of an item's duplicate fetches."""
    return f"SEEN#{item_id}"


def duplicate_fetch_place(seen_at: int, run_id: str, page: str) -> str:
    """Return the sort key of a duplicate fetch: by time, one per page of a run."""
    return f"{seen_at:011d}#{run_id}#{page}"


def open_runs_shard(run_id: str) -> str:
    """Return the shard of a run in the list of unfinished runs."""
    return f"OPEN#{_digest(run_id, LIST_SHARDS)}"


def open_runs_shards() -> Iterator[str]:
    """Yield all shards of the list of unfinished runs."""
    return (f"OPEN#{shard}" for shard in range(LIST_SHARDS))


def open_since(since: int) -> str:
    """Return the sort key of a run in the list of unfinished runs: the time of its last progress."""
    return f"{since:011d}"


def _items_list(version: str, scope: str, shard: int) -> str:
    return f"ITEMS#{_hex(scope, version)}#{shard}"


def _hex(*parts: str) -> str:
    # Versions, URIs and hashes hold no line feed, so different parts never give the same text.
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _digest(text: str, shards: int) -> int:
    return int(_hex(text), 16) % shards


def _key(pk: str, sk: str) -> dict[str, str]:
    return {"pk": pk, "sk": sk}
