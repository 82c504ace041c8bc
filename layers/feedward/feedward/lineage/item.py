"""What is kept of a collected page: an item, which never changes once it is made (rule V6). Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One immutable item (rules L1, L4).

    - item_id: a ULID; run_id: the run that made it; created_at_ms: epoch milliseconds, later than both heads it met
    - canonical_uri: `key` of the final URL under this version; content_sha256: hex, of the normalized text in UTF-8, or
      of the bytes of what is no text
    - fetched_url: where the fetch landed; status: of the HTTP answer; fetched_at: epoch seconds
    - body_sha256: hex, of the body as it was decoded from the wire: where it is kept; None where none is
    - content_type: as sent; text_length: characters of the normalized text, None for what is no text
    - row_id: the frontier row; reprocessed_from: the item that it was made from again, under another version
    """

    item_id: str
    run_id: str
    collector: str
    normalization_version: str
    canonical_uri: str
    content_sha256: str
    title: str | None
    text_length: int | None
    fetched_url: str
    status: int
    fetched_at: int
    created_at_ms: int
    body_sha256: str | None = None
    body_bytes: int = 0
    content_type: str | None = None
    row_id: str | None = None
    reprocessed_from: str | None = None
    scope: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """An existing item as a head shows it: what an incoming one is compared with (rule V4)."""

    item_id: str
    created_at_ms: int
    normalization_version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeMetadata:
    """Why one item supersedes another: the five keys of rule V4.3, always (rule L3)."""

    reason: str
    conflict_resolved: bool
    canonical_uri_match: str | None
    content_sha256_match: str | None
    selected: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """`newer` supersedes `older`; both are item ids of one normalization version (rule I5)."""

    newer: str
    older: str
    metadata: EdgeMetadata
    created_at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DuplicateFetch:
    """An item's content was met again, under the same URI: nothing new is made (rule L4)."""

    item_id: str
    run_id: str
    row_id: str
    fetched_url: str
    seen_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The newest item of a (version, canonical_uri) or (version, content_sha256). `rev` is the head's own revision."""

    item_id: str
    created_at_ms: int
    canonical_uri: str
    content_sha256: str
    rev: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Heads:
    """Both heads that an incoming item meets, read consistently, and what the run has of this page already.

    `same`: the id of the item that has this URI and this content already, wherever it is in its chains.
    """

    by_uri: Head | None = None
    by_content: Head | None = None
    same: str | None = None
    done: Collected | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """One write: a new item with its edge, or a duplicate_fetch of one that is there, for one page of one run.

    `page` is the row's id, or for a reprocessing run the id of the item that is made again: the run's marker stands
    under it, so that the same page of the same run is added once. `heads` are those that the decision was made on.
    `reprocessed_under`: for a page of a reprocessing run, the run's version, for items and duplicates: the item that
    `page` is is marked with what it became.
    """

    run_id: str
    page: str
    heads: Heads
    item: Item | None = None
    edge: Edge | None = None
    duplicate_fetch: DuplicateFetch | None = None
    not_modified: bool = False
    reprocessed_under: str | None = None


class Result(StrEnum):
    """What a page of a run came to."""

    ITEM = "item"
    SIGHTING = "sighting"
    DEAD = "dead"


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """What came of a page: the item it is now found under (empty for a dead one). `repeated`: it was done before."""

    result: Result
    item_id: str
    repeated: bool = False
