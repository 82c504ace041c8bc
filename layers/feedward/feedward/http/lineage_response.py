"""Runs, items, edges and chains as JSON (design section 7; contract section 4.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Protocol

from feedward.errors import InvalidInput
from feedward.http.api import Reply
from feedward.lineage.item import Edge, Item, Sighting
from feedward.lineage.run import Run


class Started(Protocol):
    """A run that was begun, and the URLs that it cannot have."""

    @property
    def run(self) -> Run: ...
    @property
    def refused(self) -> Sequence[InvalidInput]: ...


class Items(Protocol):
    """A page of items."""

    @property
    def items(self) -> Sequence[Item]: ...
    @property
    def cursor(self) -> str | None: ...


class Edges(Protocol):
    """An item's edges and sightings."""

    @property
    def item_id(self) -> str: ...
    @property
    def edges(self) -> Sequence[Edge]: ...
    @property
    def sightings(self) -> Sequence[Sighting]: ...


class Link(Protocol):
    """One link of a chain."""

    @property
    def item(self) -> Item: ...
    @property
    def edge(self) -> Edge | None: ...


class Chain(Protocol):
    """What an item goes back to."""

    @property
    def links(self) -> Sequence[Link]: ...
    @property
    def cut(self) -> bool: ...


def encode_run(run: Run) -> dict[str, Any]:
    """The run and how far it is: `pages` null where that is not known yet; `counters` count each page once."""
    counters = run.counters
    return {
        "id": run.run_id,
        "kind": run.kind.value,
        "status": run.status.value,
        "collector": run.collector,
        "normalization_version": run.normalization_version,
        "reprocessing_of_run_id": run.reprocessing_of_run_id,
        "created_at": run.created_at,
        "pages": run.pages,
        "ended": counters.ended,
        "counters": asdict(counters),
    }


def encode_started(started: Started) -> Reply:
    """The answer to a request for a run: 202, with the URLs that it cannot have, and why."""
    refused = [{"field": error.field, "detail": error.message} for error in started.refused]
    return Reply(
        document={**encode_run(started.run), "refused": refused},
        status=202,
        headers={"Location": f"/v1/runs/{started.run.run_id}"},
    )


def encode_item(item: Item) -> dict[str, Any]:
    """The item; `created_at_ms` is epoch milliseconds, `fetched_at` epoch seconds."""
    return {
        "id": item.item_id,
        "run_id": item.run_id,
        "collector": item.collector,
        "normalization_version": item.normalization_version,
        "canonical_uri": item.canonical_uri,
        "content_sha256": item.content_sha256,
        "title": item.title,
        "text_length": item.text_length,
        "fetched_url": item.fetched_url,
        "status": item.status,
        "fetched_at": item.fetched_at,
        "created_at_ms": item.created_at_ms,
        "body_sha256": item.body_sha256,
        "body_bytes": item.body_bytes,
        "content_type": item.content_type,
        "row_id": item.row_id,
        "reprocessed_from": item.reprocessed_from,
    }


def encode_items(page: Items) -> dict[str, Any]:
    """A page of items, and the cursor of the next one."""
    return {"items": [encode_item(item) for item in page.items], "cursor": page.cursor}


def encode_edge(edge: Edge) -> dict[str, Any]:
    """An edge: the item `newer` supersedes the item `older`, with the five keys that say why."""
    return {
        "newer": edge.newer,
        "older": edge.older,
        "metadata": asdict(edge.metadata),
        "created_at_ms": edge.created_at_ms,
    }


def encode_edges(found: Edges) -> dict[str, Any]:
    """An item's edges, what it supersedes first, and where its content was met again."""
    return {
        "item_id": found.item_id,
        "edges": [encode_edge(edge) for edge in found.edges],
        "sightings": [asdict(sighting) for sighting in found.sightings],
    }


def encode_chain(chain: Chain) -> dict[str, Any]:
    """What an item goes back to, the item first, each with the edge to the next; `cut`: there is more."""
    links = [
        {"item": encode_item(each.item), "edge": encode_edge(each.edge) if each.edge else None} for each in chain.links
    ]
    return {"links": links, "cut": chain.cut}
