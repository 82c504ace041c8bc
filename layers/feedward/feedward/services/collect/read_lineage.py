"""Lineage for the API: runs, items, their edges and chains, by run, URL, content and age of version (rule G1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Final

from feedward.access.caller import Caller
from feedward.errors import InvalidInput, NotFound
from feedward.lineage.item import DuplicateFetch, Edge, Item
from feedward.lineage.run import Run
from feedward.lineage.version import is_behind, parsed_parameter, producible
from feedward.page_cursor import decode_cursor, encode_cursor, is_text, is_ulid, own_list, require_limit
from feedward.ports import LineageStore
from feedward.services.collect.ports import CollectPorts

PAGE: Final = 50
PAGE_AT_MOST: Final = 100
CHAIN_AT_MOST: Final = 100
_OUTDATED: Final = "items:outdated"
_OF_RUN: Final = "items:run"
_RUNS: Final = "runs"
# A run takes one query, since its progress is the sum of its counters.
_RUNS_AT_ONCE: Final = 10
# At most this many entries are read for one page; the next page continues.
_LOOKED_AT_MOST: Final = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPage:
    """A page of runs. `cursor` is that of the next page, None on the last one."""

    runs: tuple[Run, ...]
    cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemPage:
    """A page of items, perhaps empty. `cursor` is that of the next page, None on the last one."""

    items: tuple[Item, ...]
    cursor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemEdges:
    """An item's edges in both directions, and its duplicate fetches."""

    item_id: str
    edges: tuple[Edge, ...]
    sightings: tuple[DuplicateFetch, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One link of a chain: an item, and the edge by which it supersedes the next one; None for the last."""

    item: Item
    edge: Edge | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """An item and its chain of superseded items, newest first; `cut`: there are more than 100."""

    links: tuple[Link, ...]
    cut: bool = False


def find_run(caller: Caller, run_id: str, *, ports: CollectPorts) -> Run:
    """Return a run with its progress (GET /v1/runs/{id}). Raises NotFound, also for another tenant's (rule I8)."""
    found = ports.lineage.run(run_id)
    if found is None or found.tenant_id != caller.tenant_id:
        raise NotFound("there is no run with this id")
    return found


def find_item(caller: Caller, item_id: str, *, ports: CollectPorts) -> Item:
    """Return the item with this id (GET /v1/items/{id}). Raises NotFound, also for another tenant's (rule I8)."""
    found = ports.lineage.item(item_id)
    if found is None or found.scope != (caller.tenant_id or ""):
        raise NotFound("there is no item with this id")
    return found


def item_edges(caller: Caller, item_id: str, *, ports: CollectPorts) -> ItemEdges:
    """Return the edges of an item (GET /v1/items/{id}/edges). Raises NotFound as `find_item` does."""
    item = find_item(caller, item_id, ports=ports)
    return ItemEdges(
        item_id=item.item_id,
        edges=tuple(ports.lineage.edges(item.item_id)),
        sightings=tuple(ports.lineage.sightings(item.item_id)),
    )


def item_chain(caller: Caller, item_id: str, *, ports: CollectPorts) -> Chain:
    """Return the chain of items that an item supersedes, back to the first. Raises NotFound as `find_item` does."""
    item = find_item(caller, item_id, ports=ports)
    links = list(islice(_links(item, ports.lineage), CHAIN_AT_MOST + 1))
    return Chain(links=tuple(links[:CHAIN_AT_MOST]), cut=len(links) > CHAIN_AT_MOST)


def list_runs(
    caller: Caller,
    *,
    ports: CollectPorts,
    version: str | None = None,
    cursor: str | None = None,
    limit: int = PAGE,
) -> RunPage:
    """Return a page of runs of a version, newest first; None is the code's own (GET /v1/runs).

    Raises InvalidInput (`version`, `cursor`, `limit`).
    """
    require_limit(limit, PAGE_AT_MOST)
    of_version = str(producible(None) if version is None else parsed_parameter(version))
    name = own_list(f"{_RUNS}:{of_version}", caller.tenant_id)
    after = str(decode_cursor(name, cursor, parts=(is_ulid,))[0]) if cursor else None
    ids = list(islice(ports.lineage.runs_of_version(of_version, scope=caller.tenant_id or "", after=after), limit + 1))
    with ThreadPoolExecutor(_RUNS_AT_ONCE, thread_name_prefix="feedward-runs") as pool:
        runs = tuple(run for run in pool.map(ports.lineage.run, ids[:limit]) if run is not None)
    return RunPage(runs=runs, cursor=encode_cursor(name, ids[limit - 1]) if len(ids) > limit else None)


def list_items(
    caller: Caller,
    *,
    ports: CollectPorts,
    outdated: bool = False,
    run: str | None = None,
    url: str | None = None,
    content_sha256: str | None = None,
    cursor: str | None = None,
    limit: int = PAGE,
) -> ItemPage:
    """Return a page of items: outdated ones, those of a run, of a URL, or of a content (GET /v1/items).

    Raises InvalidInput (`outdated`, `url`, `content_sha256`, `cursor`, `limit`), also unless exactly one of the four
    filters is given, and NotFound for a run of another tenant.
    """
    if [outdated, run is not None, url is not None, content_sha256 is not None].count(True) != 1:
        raise InvalidInput("outdated", "give exactly one of outdated=true, run, url and content_sha256")
    require_limit(limit, PAGE_AT_MOST)
    if run is not None:
        return _items_of_run(find_run(caller, run, ports=ports), ports, cursor, limit)
    if outdated:
        return _outdated_items(caller.tenant_id, ports, cursor, limit)
    from feedward.services.collect.list_matches import list_matches  # noqa: PLC0415 - loaded only if requested

    items, after = list_matches(
        caller.tenant_id or "", ports.lineage, url=url, content_sha256=content_sha256, cursor=cursor, limit=limit
    )
    return ItemPage(items=items, cursor=after)


def _items_of_run(run: Run, ports: CollectPorts, cursor: str | None, limit: int) -> ItemPage:
    name = f"{_OF_RUN}:{run.run_id}"
    after = str(decode_cursor(name, cursor, parts=(is_ulid,))[0]) if cursor else None
    ids = list(islice(ports.lineage.items_of_run(run.run_id, after=after), limit + 1))
    items = tuple(ports.lineage.items(ids[:limit]))
    return ItemPage(items=items, cursor=encode_cursor(name, ids[limit - 1]) if len(ids) > limit else None)


def _outdated_items(tenant_id: str | None, ports: CollectPorts, cursor: str | None, limit: int) -> ItemPage:
    """Return items of older versions that are not yet reprocessed under the code's own (rules V2, V3.3)."""
    name = own_list(_OUTDATED, tenant_id)
    version, after = decode_cursor(name, cursor, parts=(is_text, is_ulid)) if cursor else ("", "")
    found: list[Item] = []
    place: tuple[str, str] | None = None
    for looked, (of_version, item_id, is_made_again) in enumerate(
        _of_older_versions(tenant_id, str(version), str(after), ports.lineage, limit)
    ):
        if place is not None and (len(found) == limit or looked >= _LOOKED_AT_MOST):
            return ItemPage(items=tuple(found), cursor=encode_cursor(name, *place))
        item = None if is_made_again else ports.lineage.item(item_id)
        found += [item] if item is not None else []
        place = (of_version, item_id)
    return ItemPage(items=tuple(found), cursor=None)


def _of_older_versions(
    tenant_id: str | None, version: str, after: str, lineage: LineageStore, at_once: int
) -> Iterator[tuple[str, str, bool]]:
    """Yield older versions' items after a cursor: version, id, and whether the item was reprocessed since."""
    latest = str(producible(None))
    known = lineage.versions(scope=tenant_id or "")
    older = sorted(each for each in known if is_behind(each, latest) and each >= version)
    for each in older:
        start = after if each == version and after else None
        ids = lineage.items_of_version(each, scope=tenant_id or "", after=start)
        while batch := list(islice(ids, at_once + 1)):
            again: Mapping[str, str] = lineage.reprocessed(batch, latest)
            yield from ((each, item_id, item_id in again) for item_id in batch)


def _links(item: Item, lineage: LineageStore) -> Iterator[Link]:
    """Follow the edges back. Each item has at most one, and it leads to an older item, so this ends."""
    current: Item | None = item
    while current is not None:
        edge = next((each for each in lineage.edges(current.item_id) if each.newer == current.item_id), None)
        yield Link(item=current, edge=edge)
        current = lineage.item(edge.older) if edge else None
