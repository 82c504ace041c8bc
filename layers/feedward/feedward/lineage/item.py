"""The records of a collected page: immutable items, edges, heads and duplicate fetches (rule V6). Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One immutable item (rules L1, L4).

    - item_id: a ULID; run_id: the run that created it; created_at_ms: epoch milliseconds, later than both heads
    - canonical_uri: `key` of the final URL under this version; content_sha256: hex, of the normalized text in UTF-8, or
      of the bytes if the body is not text
    - fetched_url: the landing URL; status: the HTTP status; fetched_at: epoch seconds
    - body_sha256: hex, of the body without content encoding, which is its storage key; None if no body is stored
    - content_type: as sent; text_length: characters of the normalized text, None if the body is not text
    - row_id: the frontier row; reprocessed_from: the item of another version that this one was made from
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

    @property
    def has_no_text(self) -> bool:
        """True for a text without any character: app shells, framesets and pictures show no reader the same."""
        return self.text_length == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """An existing item, from a head, that an incoming item is compared with (rule V4)."""

    item_id: str
    created_at_ms: int
    normalization_version: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeMetadata:
    """Why one item supersedes another: always the five keys of rule V4.3 (rule L3)."""

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
    """A fetch that returned an existing item's content under the same URI, so no new item is created (rule L4)."""

    item_id: str
    run_id: str
    row_id: str
    fetched_url: str
    seen_at: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The newest item of a (version, canonical_uri) or (version, content_sha256). `rev` is the head's revision."""

    item_id: str
    created_at_ms: int
    canonical_uri: str
    content_sha256: str
    rev: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Heads:
    """Both heads of an incoming item, read consistently, and the run's earlier result for the page (`done`).

    `same` is the id of the item with the same URI and content, anywhere in its chains.
    """

    by_uri: Head | None = None
    by_content: Head | None = None
    same: str | None = None
    done: Collected | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Addition:
    """One write for one page of one run: a new item with its edge, or a duplicate fetch of an existing item.

    `page` is the row's id, or in a reprocessing run the id of the old item. The run stores a marker under it, so that a
    page counts once in a run. `heads` are those that the decision was based on. `reprocessed_under` is the version of a
    reprocessing run: the old item is then marked with its new item.
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
    """The result of one page of a run."""

    ITEM = "item"
    SIGHTING = "sighting"
    DEAD = "dead"


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """The result of a page and its item (empty for a dead page). `repeated` is true if the page was done before."""

    result: Result
    item_id: str
    repeated: bool = False
