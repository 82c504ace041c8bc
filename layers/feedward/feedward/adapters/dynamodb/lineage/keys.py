"""Keys of everything in LineageTable: runs, items, edges, heads (rule R16).

What may be long, such as a URL, is hashed: a partition's key holds 2,048 bytes. One sparse index, `listed`, is keyed by
what a list is of (`list_shard`) and a place in it (`list_place`): a version's items, and the runs that have work left.
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
# Before COUNT: a run is read with its counters, and without these.
CHUNKED_PREFIX: Final = "CHUNKED#"
COUNT_PREFIX: Final = "COUNT#"
PAGE_PREFIX: Final = "URL#"
SEEN_PREFIX: Final = "SEEN#"
SUPERSEDES_PREFIX: Final = "SUPERSEDES#"
SUPERSEDED_BY_PREFIX: Final = "SUPERSEDED_BY#"

# Two transactions on one item at once are in each other's way: so many pages of a run can be counted side by side.
COUNTERS: Final = 16
# One partition of an index takes 1000 writes a second. Whoever lists asks all shards.
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
    """Return the key of URLs that a run has still to hand to the frontier; chunks sort by their number."""
    return _key(run_pk(run_id), f"{CHUNK_PREFIX}{chunk:08d}")


def chunked_key(run_id: str, chunk: int) -> dict[str, str]:
    """Return the key of the rows that a chunk of a run came to."""
    return _key(run_pk(run_id), f"{CHUNKED_PREFIX}{chunk:08d}")


def counter_key(run_id: str, page: str) -> dict[str, str]:
    """Return the key of the counter that a page of a run is counted in: always the same one (`page`: a row's id)."""
    return _key(run_pk(run_id), f"{COUNT_PREFIX}{_digest(page, COUNTERS)}")


def page_key(run_id: str, page: str) -> dict[str, str]:
    """Return the key of the marker that a run is done with a page."""
    return _key(run_pk(run_id), PAGE_PREFIX + page)


def item_pk(item_id: str) -> str:
    """Return the partition of an item, its edges and its sightings."""
    return f"ITEM#{item_id}"


def item_key(item_id: str) -> dict[str, str]:
    """Return the key of an item."""
    return _key(item_pk(item_id), ITEM)


def seen_key(item_id: str, seen_at: int, run_id: str, page: str) -> dict[str, str]:
    """Return the key of a duplicate_fetch: by time, and one for each page of each run."""
    return _key(item_pk(item_id), f"{SEEN_PREFIX}{seen_at:011d}#{run_id}#{page}")


def supersedes_key(newer: str, older: str) -> dict[str, str]:
    """Return the key of an edge, under the item that supersedes."""
    return _key(item_pk(newer), SUPERSEDES_PREFIX + older)


def superseded_by_key(newer: str, older: str) -> dict[str, str]:
    """Return the key of an edge, under the item that is superseded."""
    return _key(item_pk(older), SUPERSEDED_BY_PREFIX + newer)


def reprocessed_key(item_id: str, version: str) -> dict[str, str]:
    """Return the key of what an item became when it was made again under another version."""
    return _key(item_pk(item_id), f"REPROCESSED#{version}")


def uri_head_key(item: LineageItem) -> dict[str, str]:
    """Return the key of the newest item of this item's (scope, version, canonical_uri)."""
    return _key(_head_pk("URI", item, item.canonical_uri), HEAD)


def content_head_key(item: LineageItem) -> dict[str, str]:
    """Return the key of the newest item of this item's (scope, version, content_sha256)."""
    return _key(_head_pk("CONTENT", item, item.content_sha256), HEAD)


def same_key(item: LineageItem) -> dict[str, str]:
    """Return the key of the one item of this item's (scope, version, canonical_uri, content_sha256)."""
    parts = item.scope, item.normalization_version, item.canonical_uri, item.content_sha256
    return _key(f"SAME#{_hex(*parts)}", SAME)


def versions_key(scope: str) -> dict[str, str]:
    """Return the key of the versions that a run of this tenant (empty: of nobody's) was ever made under."""
    return _key(f"VERSIONS#{_hex(scope)}" if scope else VERSIONS, VERSIONS)


def items_list_shard(version: str, item_id: str, *, scope: str = "") -> str:
    """Return the shard under which `listed` has an item of a version."""
    return _items_list(version, scope, _digest(item_id, LIST_SHARDS))


def items_list_shards(version: str, *, scope: str = "") -> Iterator[str]:
    """Yield every shard to ask `listed` for, to find the items of a version."""
    return (_items_list(version, scope, shard) for shard in range(LIST_SHARDS))


def open_runs_shard(run_id: str) -> str:
    """Return the shard under which `listed` has a run that has work left."""
    return f"OPEN#{_digest(run_id, LIST_SHARDS)}"


def open_runs_shards() -> Iterator[str]:
    """Yield every shard to ask `listed` for, to find the runs that have work left."""
    return (f"OPEN#{shard}" for shard in range(LIST_SHARDS))


def open_since(since: int) -> str:
    """Return the place of a run in the list of those that have work left: since when nobody worked on it."""
    return f"{since:011d}"


def _items_list(version: str, scope: str, shard: int) -> str:
    return f"ITEMS#{_hex(scope, version)}#{shard}"


def _head_pk(kind: str, item: LineageItem, value: str) -> str:
    return f"HEAD#{kind}#{_hex(item.scope, item.normalization_version, value)}"


def _hex(*parts: str) -> str:
    # Neither versions nor URIs nor hashes hold a line feed, so that no two can be taken for each other.
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def _digest(text: str, shards: int) -> int:
    return int(_hex(text), 16) % shards


def _key(pk: str, sk: str) -> dict[str, str]:
    return {"pk": pk, "sk": sk}
