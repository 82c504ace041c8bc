"""What collecting one page writes, and what came of it: operation Heads (design section 3). Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from feedward.lineage.item import Edge, Item, Sighting


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
    """One write: a new item with its edge, or a sighting of one that is there, for one page of one run.

    `page` is the row's id, or for a reprocessing run the id of the item that is made again: the run's marker stands
    under it, so that the same page of the same run is added once. `heads` are those that the decision was made on.
    `reprocessed_under`: for a page of a reprocessing run, the run's version, item or sighting alike: the item that
    `page` is is marked with what it became.
    """

    run_id: str
    page: str
    heads: Heads
    item: Item | None = None
    edge: Edge | None = None
    sighting: Sighting | None = None
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
