"""The lineage as JSON: runs, items, edges and chains in requests and responses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, Protocol

from feedward.api.event import Event, cursor, query_values, truth, whole_number
from feedward.api.fields import array, json_object, known_fields, text, url_text
from feedward.api.path_ids import path_id
from feedward.api.route import Reply
from feedward.errors import InvalidInput
from feedward.lineage.item import DuplicateFetch, Edge, Item
from feedward.lineage.run import Run
from feedward.page_cursor import is_ulid
from feedward.urls.secrets import mask_tokens

SHA256: Final = re.compile(r"[0-9a-f]{64}")
URLS_AT_MOST: Final = 10_000
BODY_BYTES_AT_MOST: Final = 4 << 20
ITEMS_AT_MOST: Final = 100
VERSION_CHARACTERS_AT_MOST: Final = 200


def decode_run(event: Event) -> dict[str, Any]:
    """Return the `urls` of a new run, or `reprocessing_of_run_id`; `collector` and `version` if given.

    Raises InvalidInput (the field), and the errors of `json_object`.
    """
    body = json_object(event, bytes_at_most=BODY_BYTES_AT_MOST)
    known_fields(body, RUN_FIELDS)
    return {name: RUN_FIELDS[name](value, name) for name, value in body.items()}


def decode_run_id(event: Event) -> dict[str, Any]:
    """Return the run's id in the path. Raises NotFound for an invalid id."""
    return {"run_id": path_id(event, "run")}


def decode_item_id(event: Event) -> dict[str, Any]:
    """Return the item's id in the path. Raises NotFound for an invalid id."""
    return {"item_id": path_id(event, "item")}


def decode_runs(event: Event) -> dict[str, Any]:
    """Return `version`, `cursor` and `limit`. Raises InvalidInput, which names the parameter."""
    return query_values(event, RUN_PARAMETERS)


def decode_items(event: Event) -> dict[str, Any]:
    """Return one of the filters, `cursor` and `limit`. Raises InvalidInput, which names the parameter."""
    return query_values(event, ITEM_PARAMETERS)


def _urls(value: object, path: str) -> Any:
    """Return the URLs unchecked: the service validates each one."""
    return array(value, path, at_least=1, at_most=URLS_AT_MOST)


def _run_id(value: object, path: str) -> str:
    given = text(value, path, at_most=100)
    if not is_ulid(given):
        raise InvalidInput(path, "expected the id of a run")
    return given


def _sha256(value: str, name: str) -> str:
    if not SHA256.fullmatch(value):
        raise InvalidInput(name, "expected 64 digits of a SHA-256 in hex, in lower case")
    return value


def _label(value: object, path: str) -> str:
    return text(value, path, at_most=VERSION_CHARACTERS_AT_MOST)


RUN_FIELDS: Final[Mapping[str, Callable[[object, str], Any]]] = {
    "urls": _urls,
    "collector": _label,
    "reprocessing_of_run_id": _run_id,
    "version": _label,
}
RUN_PARAMETERS: Final = {
    "version": _label,
    "cursor": cursor,
    "limit": whole_number(1, ITEMS_AT_MOST),
}
ITEM_PARAMETERS: Final = {
    "outdated": truth,
    "run": _run_id,
    "url": url_text,
    "content_sha256": _sha256,
    "cursor": cursor,
    "limit": whole_number(1, ITEMS_AT_MOST),
}


class Started(Protocol):
    """A started run, and the refused URLs."""

    @property
    def run(self) -> Run: ...
    @property
    def refused(self) -> Sequence[InvalidInput]: ...


class Runs(Protocol):
    """A page of runs."""

    @property
    def runs(self) -> Sequence[Run]: ...
    @property
    def cursor(self) -> str | None: ...


class Items(Protocol):
    """A page of items."""

    @property
    def items(self) -> Sequence[Item]: ...
    @property
    def cursor(self) -> str | None: ...


class Edges(Protocol):
    """An item's edges and duplicate fetches."""

    @property
    def item_id(self) -> str: ...
    @property
    def edges(self) -> Sequence[Edge]: ...
    @property
    def sightings(self) -> Sequence[DuplicateFetch]: ...


class Link(Protocol):
    """One link of a chain."""

    @property
    def item(self) -> Item: ...
    @property
    def edge(self) -> Edge | None: ...


class Chain(Protocol):
    """The ancestors of an item."""

    @property
    def links(self) -> Sequence[Link]: ...
    @property
    def cut(self) -> bool: ...


def encode_run(run: Run) -> dict[str, Any]:
    """Return the run and its progress. `pages` is null until it is known. `counters` count each page once."""
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


def encode_runs(page: Runs) -> dict[str, Any]:
    """Return a page of runs, and the cursor of the next page."""
    return {"runs": [encode_run(run) for run in page.runs], "cursor": page.cursor}


def encode_started(started: Started) -> Reply:
    """Return the response to a request for a run: 202, with the refused URLs and the reasons."""
    refused = [{"field": error.field, "detail": error.message} for error in started.refused]
    return Reply(
        document={**encode_run(started.run), "refused": refused},
        status=202,
        headers={"Location": f"/v1/runs/{started.run.run_id}"},
    )


def encode_item(item: Item) -> dict[str, Any]:
    """Return the item. `created_at_ms` is in epoch milliseconds, `fetched_at` in epoch seconds."""
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
    """Return a page of items, their tokens masked (rule T4), and the cursor of the next page."""
    return {"items": [_listed(item) for item in page.items], "cursor": page.cursor}


def _listed(item: Item) -> dict[str, Any]:
    urls = {"canonical_uri": mask_tokens(item.canonical_uri), "fetched_url": mask_tokens(item.fetched_url)}
    return {**encode_item(item), **urls}


def encode_edge(edge: Edge) -> dict[str, Any]:
    """Return an edge: the item `newer` supersedes the item `older`, with the five keys that explain why."""
    return {
        "newer": edge.newer,
        "older": edge.older,
        "metadata": asdict(edge.metadata),
        "created_at_ms": edge.created_at_ms,
    }


def encode_edges(found: Edges) -> dict[str, Any]:
    """Return an item's edges, first to the items that it supersedes, and its duplicate fetches."""
    return {
        "item_id": found.item_id,
        "edges": [encode_edge(edge) for edge in found.edges],
        "sightings": [asdict(each) | {"fetched_url": mask_tokens(each.fetched_url)} for each in found.sightings],
    }


def encode_chain(chain: Chain) -> dict[str, Any]:
    """Return the item and its ancestors, each with the edge to the next. `cut`: the chain is longer."""
    links = [
        {"item": _listed(each.item), "edge": encode_edge(each.edge) if each.edge else None} for each in chain.links
    ]
    return {"links": links, "cut": chain.cut}
