"""Add one page of a run to the lineage: a new item with its edge, or a sighting (design section 3, Heads; spec L2-L4).

Decided on both heads as they are, written only if they still are; who loses to another reads and decides again, so
that two collections at once make a chain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from feedward.errors import Conflict
from feedward.lineage.collected import Addition, Collected, Head, Heads, Result
from feedward.lineage.item import Edge, Item, Match, Sighting
from feedward.lineage.match import resolve_match
from feedward.ports import LineageStore

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
        seen = Sighting(
            item_id=heads.same,
            run_id=item.run_id,
            row_id=page,
            fetched_url=item.fetched_url,
            seen_at=item.fetched_at,
        )
        addition = Addition(run_id=item.run_id, page=page, heads=heads, sighting=seen, not_modified=not_modified)
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
