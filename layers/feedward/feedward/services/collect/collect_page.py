"""What a fetched page becomes: for each run that waits for it, an item or a duplicate_fetch (rules V1 to V6, L4).

The body is kept first, then the page is added run by run, each under its marker: whoever is killed between does it
again and changes nothing (rule I6).
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

# Of one head, before the page is left to come again: each round means that somebody else got on.
ROUNDS: Final = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What a page came to, and the edge that was made with its item, if one was."""

    collected: Collected
    edge: Edge | None = None

    @property
    def is_new(self) -> bool:
        """True if an item was made, and not before."""
        return self.collected.result is Result.ITEM and not self.collected.repeated


def add_item(item: Item, page: str, *, lineage: LineageStore, not_modified: bool = False) -> Added:
    """Add what was read of a page, and return what it came to; a page that its run has already is not added again.

    `item.created_at_ms` is now; it moves behind the heads that it meets. Raises Conflict where others are quicker
    each time, and what the store raises.
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
    """Return what is to be written of a page, given the heads that it meets. Pure."""
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
    """Heads are kept for each version, so that they are of the item's."""
    if head is None:
        return []
    version = item.normalization_version
    return [Match(item_id=head.item_id, created_at_ms=head.created_at_ms, normalization_version=version)]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageCollected:
    """What came of a page: the item that it is found under now, the version of that, and the runs that were served.

    `new_items` counts the items that were made, `conflicts` are the edges of those whose two matches were different
    items (rule V4.2): for the log. `item_id` is None where there was nothing to collect: then validators must not be
    kept.
    """

    item_id: str | None
    content_version: str | None
    runs: frozenset[str]
    new_items: int = 0
    conflicts: tuple[Edge, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """What an item needs of a page, whether it was read just now or is known to be what it was."""

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
    """Add a page that was fetched (outcome `ok` or `not_modified`) to each run that waits for its row.

    A row that no run waits for goes into the standing run of the day. Raises what the stores raise; then the same
    call may be made again. Raises TooCostly, before anything is kept, for a page that costs more than one may,
    and MemoryBusy where there is no room to read it.
    """
    if is_secret_to(row, fetch.url):  # everybody sees the item, as the row
        fetch = replace(fetch, url=row.url)
    runs = _runs(row, ports, now)
    page = _page(row, fetch, runs, ports)
    if page is None:
        return PageCollected(item_id=None, content_version=None, runs=frozenset())
    added = [
        add_item(_item(row, page, run, now), row.row_id, lineage=ports.lineage, not_modified=page.not_modified)
        for run in runs
    ]
    edges = [each.edge for each in added if each.edge is not None]
    return PageCollected(
        item_id=next((each.collected.item_id for each in reversed(added) if each.collected.item_id), None),
        content_version=runs[-1].normalization_version,
        runs=row.runs,
        new_items=sum(each.is_new for each in added),
        conflicts=tuple(edge for edge in edges if edge.metadata.conflict_resolved),
    )


def _page(row: FrontierRow, fetch: FetchResult, runs: Sequence[Run], ports: CollectPorts) -> _Page | None:
    if fetch.outcome is Outcome.NOT_MODIFIED:
        return _known_page(row, fetch, runs, ports)
    with ports.memory.parsing(len(fetch.body)):
        content = read_content(fetch.body, content_type=fetch.content_type)
    body_sha256 = ports.bodies.keep(fetch.body)
    return _read_page(fetch, content, body_sha256)


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
    """The server says that the page is what the row's item was made of; None if that is not known to each run."""
    known = ports.lineage.item(row.item_id) if row.item_id else None
    if known is None or any(run.normalization_version != known.normalization_version for run in runs):
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


def _runs(row: FrontierRow, ports: CollectPorts, now: int) -> list[Run]:
    """The runs that wait, in order, so that what two workers do at once is the same.

    Left out are runs that are gone, and those whose version this code does not make any more (rule V6.1).
    """
    found = [run for run in map(ports.runs.find, sorted(row.runs)) if run is not None]
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
        scope=run.tenant_id or "",
    )
