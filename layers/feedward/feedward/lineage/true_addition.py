"""What an addition must be to be written, so that the store keeps contract 3.2, 4.3 and 6.4, whoever asks it. Pure."""

from __future__ import annotations

from feedward.errors import InvalidInput
from feedward.lineage.collected import Addition, Head, Heads
from feedward.lineage.item import Edge, Item, Match
from feedward.lineage.match import Resolution, resolve_match


def refuse_untrue(addition: Addition) -> None:
    """Raise InvalidInput, which names the part, for an addition whose parts do not agree with each other.

    An item is newer than both heads and supersedes what the rules of contract section 4 select of them, with the
    metadata that they give: an edge to anything else, such as an item of another version, is not written.
    """
    if (addition.item is None) == (addition.sighting is None):
        raise InvalidInput("item", "an addition is either an item or a sighting")
    added = addition.item or addition.sighting
    if added is not None and added.run_id != addition.run_id:
        raise InvalidInput("run_id", "what is added is of another run")
    if addition.not_modified and addition.sighting is None:
        raise InvalidInput("not_modified", "what is not modified is a sighting")
    if addition.item is not None:
        if addition.heads.same is not None:
            raise InvalidInput("item", "an item has this URI and this content already")
        _refuse_older(addition.item, addition.heads)
    _refuse_other_edge(addition.edge, addition.item, addition.heads)


def resolved(item: Item, heads: Heads) -> Resolution:
    """Return what an item supersedes of the heads that it meets, which are of its version by their keys."""
    return resolve_match(
        item.normalization_version,
        [_match(heads.by_uri, item)] if heads.by_uri else [],
        [_match(heads.by_content, item)] if heads.by_content else [],
    )


def _match(head: Head, item: Item) -> Match:
    return Match(
        item_id=head.item_id, created_at_ms=head.created_at_ms, normalization_version=item.normalization_version
    )


def _refuse_older(item: Item, heads: Heads) -> None:
    if any(head and head.created_at_ms >= item.created_at_ms for head in (heads.by_uri, heads.by_content)):
        raise InvalidInput("created_at_ms", "an item is newer than both heads that it meets")


def _refuse_other_edge(edge: Edge | None, item: Item | None, heads: Heads) -> None:
    wanted = resolved(item, heads) if item else Resolution()
    is_wanted = (
        wanted.supersedes is None
        if edge is None
        else item is not None
        and (edge.newer, edge.older, edge.metadata) == (item.item_id, wanted.supersedes, wanted.metadata)
    )
    if not is_wanted:
        raise InvalidInput("edge", "an item supersedes what the heads that it meets select, and a sighting nothing")
