"""Adds a fetched page to each run that waits for it: as an item or a duplicate fetch (rules V1 to V6, L4).

The body is stored first. Then the page is added run by run, each under its marker. If a worker dies in between,
repeating the work changes nothing (rule I6).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from feedward.errors import Conflict
from feedward.frontier.decide import is_secret_to
from feedward.frontier.row import FrontierRow
from feedward.lineage.content import Content, read_content
from feedward.lineage.item import Addition, Collected, DuplicateFetch, Edge, Head, Heads, Item, Match, Result
from feedward.lineage.match import resolve_match
from feedward.lineage.run import Run
from feedward.lineage.version import is_producible
from feedward.model import FetchResult, Outcome
from feedward.ports import LineageStore
from feedward.services.collect.ports import CollectPorts
from feedward.ulid import derived_ulid
from feedward.urls.key import key

# Attempts at one head before the page is left for a retry. Each lost attempt means that another writer succeeded.
ROUNDS: Final = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """The result of adding a page, and the edge that was created with its item, if any."""

    collected: Collected
    edge: Edge | None = None

    @property
    def is_new(self) -> bool:
        """True if this call created an item."""
        return self.collected.result is Result.ITEM and not self.collected.repeated


def add_item(item: Item, page: str, *, lineage: LineageStore, not_modified: bool = False) -> Added:
    """Add the item of a page, and return the result. A page that its run already has is not added again.

    `item.created_at_ms` is now; it moves past the matching heads. Raises Conflict if other writers win every round, and
    the errors of the store.
    """
    for _ in range(ROUNDS):
        heads = lineage.heads(item, page)
        if heads.done is not None:
            return Added(collected=replace(heads.done, repeated=True))
        addition = addition_of(item, page, heads, not_modified=not_modified)
        collected = lineage.add(addition)
        if collected is not None:
            return Added(collected=collected, edge=None if collected.repeated else addition.edge)
    raise Conflict(f"the heads of {item.canonical_uri[:200]} moved {ROUNDS} times")


def addition_of(item: Item, page: str, heads: Heads, *, not_modified: bool = False) -> Addition:
    """Return the write for a page, given the matching heads. Pure."""
    if heads.same is not None:
        seen = DuplicateFetch(
            item_id=heads.same,
            run_id=item.run_id,
            row_id=page,
            fetched_url=item.fetched_url,
            seen_at=item.fetched_at,
        )
        addition = Addition(run_id=item.run_id, page=page, heads=heads, duplicate_fetch=seen, not_modified=not_modified)
    else:
        placed = replace(item, created_at_ms=_after(item.created_at_ms, heads))
        addition = Addition(run_id=item.run_id, page=page, heads=heads, item=placed, edge=_edge(placed, heads))
    return replace(addition, reprocessed_under=item.normalization_version) if item.reprocessed_from else addition


def _after(now_ms: int, heads: Heads) -> int:
    met = (head.created_at_ms + 1 for head in (heads.by_uri, heads.by_content) if head is not None)
    return max(now_ms, *met, 0)


def _edge(item: Item, heads: Heads) -> Edge | None:
    resolution = resolve_match(
        item.normalization_version, _matches(heads.by_uri, item), _matches(heads.by_content, item)
    )
    if resolution.supersedes is None or resolution.metadata is None:
        return None
    return Edge(
        newer=item.item_id,
        older=resolution.supersedes,
        metadata=resolution.metadata,
        created_at_ms=item.created_at_ms,
    )


def _matches(head: Head | None, item: Item) -> list[Match]:
    """Return the head as a match. Heads are kept by version, so it has the item's version."""
    if head is None:
        return []
    version = item.normalization_version
    return [Match(item_id=head.item_id, created_at_ms=head.created_at_ms, normalization_version=version)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageCollected:
    """The result of a page: its current item, that item's version, and the runs that were served.

    `new_items` counts the created items. `conflicts` are the edges of items whose two matches were different items
    (rule V4.2), for the log. `item_id` is None if there was nothing to collect: then validators must not be stored.
    """

    item_id: str | None
    content_version: str | None
    runs: frozenset[str]
    new_items: int = 0
    conflicts: tuple[Edge, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """The data of a page for its item, either just read or known from an earlier item."""

    fetched_url: str
    status: int
    content_sha256: str
    title: str | None
    text_length: int | None
    body_sha256: str | None
    body_bytes: int
    content_type: str | None
    not_modified: bool = False


def collect_page(row: FrontierRow, fetch: FetchResult, *, ports: CollectPorts, now: int) -> PageCollected:
    """Add a fetched page (outcome `ok` or `not_modified`) to each run that waits for its row.

    A row without a waiting run goes into the standing run of the day. Raises the errors of the stores: then the call
    can be repeated. Raises TooCostly, before anything is stored, for a page that exceeds the reading budget, and
    MemoryBusy if there is no memory to read it.
    """
    if is_secret_to(row, fetch.url):  # the item is visible to all tenants, like the row
        fetch = replace(fetch, url=row.url)
    runs = _runs(row, ports, now)
    page = _page(row, fetch, runs, ports)
    if page is None:
        return PageCollected(item_id=None, content_version=None, runs=frozenset())
    added = [
        add_item(_item(row, page, run, now), row.row_id, lineage=ports.lineage, not_modified=page.not_modified)
        for run in runs
    ]
    _count_bytes(page, [run for run, each in zip(runs, added, strict=True) if each.is_new], ports)
    edges = [each.edge for each in added if each.edge is not None]
    return PageCollected(
        item_id=next((each.collected.item_id for each in reversed(added) if each.collected.item_id), None),
        content_version=runs[-1].normalization_version,
        runs=row.runs,
        new_items=sum(each.is_new for each in added),
        conflicts=tuple(edge for edge in edges if edge.metadata.conflict_resolved),
    )


def _count_bytes(page: _Page, runs: Sequence[Run], ports: CollectPorts) -> None:
    """Count the bytes of a new body for each tenant that got an item of it. A duplicate page counts none."""
    if not page.not_modified:
        for tenant_id in {run.tenant_id for run in runs if run.tenant_id is not None}:
            ports.charges.count(tenant_id, "body_bytes", page.body_bytes)


def _page(row: FrontierRow, fetch: FetchResult, runs: Sequence[Run], ports: CollectPorts) -> _Page | None:
    if fetch.outcome is Outcome.NOT_MODIFIED:
        return _known_page(row, fetch, runs, ports)
    with ports.memory.parsing(len(fetch.body)):
        content = read_content(fetch.body, content_type=fetch.content_type)
    return _read_page(fetch, content, _kept(fetch.body, runs, ports))


def _kept(body: bytes, runs: Sequence[Run], ports: CollectPorts) -> str:
    """Store a body under each tenant that gets an item of it. Returns its sha256 (rule TN6)."""
    (body_sha256,) = {ports.bodies.keep(body, scope=scope) for scope in sorted({_scope(run) for run in runs})}
    return body_sha256


def _scope(run: Run) -> str:
    return run.tenant_id or ""


def _read_page(fetch: FetchResult, content: Content, body_sha256: str) -> _Page:
    return _Page(
        fetched_url=fetch.url,
        status=fetch.status or 200,
        content_sha256=content.content_sha256,
        title=content.title,
        text_length=content.text_length,
        body_sha256=body_sha256,
        body_bytes=len(fetch.body),
        content_type=fetch.content_type,
    )


def _known_page(row: FrontierRow, fetch: FetchResult, runs: Sequence[Run], ports: CollectPorts) -> _Page | None:
    """Return the page of a 304 from the row's item. None: there is no item, or a run wants another version."""
    known = ports.lineage.item(row.item_id) if row.item_id else None
    if known is None or any(run.normalization_version != known.normalization_version for run in runs):
        return None
    if not _is_kept_for(runs, known, ports):
        return None
    return _Page(
        fetched_url=fetch.url,
        status=known.status,
        content_sha256=known.content_sha256,
        title=known.title,
        text_length=known.text_length,
        body_sha256=known.body_sha256,
        body_bytes=known.body_bytes,
        content_type=known.content_type,
        not_modified=True,
    )


def _is_kept_for(runs: Sequence[Run], known: Item, ports: CollectPorts) -> bool:
    """Store the body of a known item for the other tenants that get an item of it. Returns False if it was deleted."""
    others = [run for run in runs if _scope(run) != known.scope]
    if not others or known.body_sha256 is None:
        return True
    body = ports.bodies.read(known.body_sha256, scope=known.scope)
    return body is not None and bool(_kept(body, others, ports))


def _runs(row: FrontierRow, ports: CollectPorts, now: int) -> list[Run]:
    """Return the waiting runs in a fixed order, so that two concurrent workers do the same.

    Deleted runs are left out, runs of tenants other than a private row's (rule TN5), and those whose version this code
    no longer produces (rule V6.1).
    """
    waiting = [run for run in map(ports.runs.find, sorted(row.runs)) if run is not None]
    found = [run for run in waiting if row.owner in (None, run.tenant_id)]
    return [run for run in found if is_producible(run.normalization_version)] or [ports.runs.standing(row.owner, now)]


def _item(row: FrontierRow, page: _Page, run: Run, now: int) -> Item:
    return Item(
        item_id=derived_ulid(now, run.run_id, row.row_id),
        run_id=run.run_id,
        collector=run.collector,
        normalization_version=run.normalization_version,
        canonical_uri=key(page.fetched_url),
        content_sha256=page.content_sha256,
        title=page.title,
        text_length=page.text_length,
        fetched_url=page.fetched_url,
        status=page.status,
        fetched_at=now,
        created_at_ms=now * 1000,
        body_sha256=page.body_sha256,
        body_bytes=page.body_bytes,
        content_type=page.content_type,
        row_id=row.row_id,
        scope=_scope(run),
    )
